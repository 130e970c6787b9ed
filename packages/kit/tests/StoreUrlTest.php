<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\DirectoryStore;
use Bloom\Kit\StoreUrl;
use Bloom\Kit\StoreUrlException;
use Bloom\Kit\StoreUrlProblem;
use Bloom\StoreException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(StoreUrl::class)]
#[CoversClass(StoreUrlException::class)]
/** tests/cli/store_*.phpt test all URLs, with servers. */
final class StoreUrlTest extends TestCase
{
    public function testADirectoryIsOpened(): void
    {
        $directory = sys_get_temp_dir() . '/bloom-url-' . bin2hex(random_bytes(8));
        mkdir($directory);
        try {
            $url = StoreUrl::parse("file://$directory");
            self::assertInstanceOf(DirectoryStore::class, $url->open());
            self::assertSame([$directory, $directory, null], [$url->directory, $url->shown, $url->client()]);
        } finally {
            rmdir($directory);
        }
    }

    #[DataProvider('problems')]
    public function testAProblemHasAType(string $text, StoreUrlProblem $problem, string $message): void
    {
        try {
            StoreUrl::parse($text)->open();
            self::fail('an exception is expected');
        } catch (StoreUrlException $exception) {
            self::assertSame([$problem, $message], [$exception->problem, $exception->getMessage()]);
        }
    }

    /** @return iterable<array{string, StoreUrlProblem, string}> */
    public static function problems(): iterable
    {
        yield ['redis://cache:0', StoreUrlProblem::Invalid, 'invalid URL of a store: the port 0 is not in the range 1 to 65535'];
        yield ['redis://cache?db=x', StoreUrlProblem::Invalid, 'invalid URL of a store: the database "x" is not a number'];
        yield ['/nowhere', StoreUrlProblem::NoDirectory,
            'the store /nowhere does not exist: create the directory, or mount the file system that contains it'];
    }

    public function testAServerThatDoesNotAnswerIsAFailureOfTheStore(): void
    {
        if (!extension_loaded('redis')) {
            self::markTestSkipped('the extension redis is not loaded');
        }
        $url = StoreUrl::parse('redis://user:secret@[::1]:1/3?prefix=shop:');
        self::assertSame(['redis://[::1]:1/3?prefix=shop:', 'shop:', null], [$url->shown, $url->prefix, $url->directory]);
        $this->expectException(StoreException::class);
        $this->expectExceptionMessageMatches('~^the store redis://\[::1\]:1/3\?prefix=shop:: (?!.*secret)~');
        $url->open(0.5);
    }

    public function testAWarningOfTheClientBecomesAnException(): void
    {
        if (!extension_loaded('redis')) {
            self::markTestSkipped('the extension redis is not loaded');
        }
        $warnings = [];
        set_error_handler(static function (int $level, string $message) use (&$warnings): bool {
            $warnings[] = $message;
            return true;
        });
        try {
            StoreUrl::parse('redis://' . str_repeat('x', 64))->open(0.5); // a label of a host name has at most 63 characters
            self::fail('an exception is expected');
        } catch (StoreException $exception) {
            self::assertStringContainsString(str_repeat('x', 64), $exception->getMessage());
        } finally {
            restore_error_handler();
        }
        self::assertSame([], $warnings);
    }
}
