<?php

declare(strict_types=1);

namespace Pleo\BloomFilter\Tests;

use Bloom\KindException;
use Bloom\LiveFilter;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Pleo\BloomFilter\BloomFilter;
use Pleo\BloomFilter\SharedBloomFilter;

#[CoversClass(SharedBloomFilter::class)]
final class SharedBloomFilterTest extends TestCase
{
    protected function tearDown(): void
    {
        LiveFilter::drop('seen');
    }

    public function testAKeyIsFoundByAllProcessesThatOpenTheName(): void
    {
        $filter = new SharedBloomFilter('seen', 1000, 1e-6);
        self::assertInstanceOf(BloomFilter::class, $filter);
        self::assertFalse($filter->exists('red'));
        $extension = extension_loaded('bloom') ? ['-d', 'extension=' . getenv('BLOOM_EXTENSION')] : [];
        $code = 'array_map(fn (string $file) => require $file, array_slice($argv, 1));
            (new Pleo\BloomFilter\SharedBloomFilter("seen", 1000, 1e-6))->add("red");';
        $files = array_filter([dirname(__DIR__) . '/vendor/autoload.php', ini_get('auto_prepend_file')]);
        $command = [PHP_BINARY, ...$extension, '-d', 'bloom.path=' . get_cfg_var('bloom.path'), '-r', $code, ...$files];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $status);
        self::assertSame(['', 0], [implode("\n", $output), $status]);
        self::assertTrue($filter->exists('red'));
        self::assertTrue((new SharedBloomFilter('seen', 1000, 1e-6))->exists('red'));
        self::assertFalse($filter->exists('blue'));
    }

    public function testAnExistingFilterOfAnotherSizeIsRefused(): void
    {
        new SharedBloomFilter('seen', 1000, 0.01);
        $this->expectException(KindException::class);
        new SharedBloomFilter('seen', 2000, 0.01);
    }

    public function testASharedFilterHasNoJson(): void
    {
        $filter = new SharedBloomFilter('seen', 1000, 0.01);
        $data = json_decode(json_encode(BloomFilter::init(1000, 0.01)), true);
        $calls = [
            'cannot be written as JSON' => fn () => json_encode($filter),
            'cannot be read from JSON' => fn () => SharedBloomFilter::initFromJson($data),
            'new SharedBloomFilter($name, 1000, 0.01)' => fn () => SharedBloomFilter::init(1000, 0.01),
        ];
        foreach ($calls as $message => $call) {
            try {
                $call();
                self::fail($message);
            } catch (\BadMethodCallException $exception) {
                self::assertStringContainsString($message, $exception->getMessage());
            }
        }
    }
}
