<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Kit\FilterSync;
use Bloom\Kit\SyncCommand;
use PHPUnit\Framework\Attributes\CoversClass;
use Symfony\Component\Console\Tester\CommandCompletionTester;
use Symfony\Component\Console\Tester\CommandTester;

#[CoversClass(SyncCommand::class)]
final class SyncCommandTest extends HostTestCase
{
    private SpyStore $store;

    protected function setUp(): void
    {
        parent::setUp();
        $this->store = new SpyStore("$this->directory/store");
    }

    public function testItSyncsAllFilters(): void
    {
        $this->publish(['cat']);
        $this->publish(['red', 'blue'], 'colors');
        $command = $this->command('tags', 'colors');
        self::assertSame(0, $command->execute([]));
        self::assertMatchesRegularExpression('/ tags +switched +1 +1 +20\d\d-/', $command->getDisplay());
        self::assertMatchesRegularExpression('/ colors +switched +1 +2 +20\d\d-/', $command->getDisplay());
        self::assertSame(0, $command->execute([]));
        self::assertMatchesRegularExpression('/ tags +current +1 /', $command->getDisplay());
    }

    public function testItSyncsTheNamedFilters(): void
    {
        $this->publish(['cat']);
        $command = $this->command('tags', 'colors');
        self::assertSame(0, $command->execute(['names' => ['tags']]));
        self::assertStringContainsString(' tags ', $command->getDisplay());
        self::assertStringNotContainsString('colors', $command->getDisplay());
    }

    public function testAnUnknownNameIsReportedBeforeAnySync(): void
    {
        $command = $this->command('tags', 'colors');
        self::assertSame(2, $command->execute(['names' => ['tags', 'tagz']], ['capture_stderr_separately' => true]));
        self::assertSame(
            '[ERROR] No filter "tagz" with a store is configured; the filters with a store are: tags, colors',
            self::oneLine($command->getErrorOutput())
        );
        self::assertSame(['', 0], [$command->getDisplay(), $this->store->reads]);
    }

    public function testAFailureIsReportedAndDoesNotStopTheOtherSyncs(): void
    {
        $this->publish(['red'], 'colors');
        $command = $this->command('tags', 'colors');
        self::assertSame(1, $command->execute([], ['capture_stderr_separately' => true]));
        self::assertMatchesRegularExpression('/ colors +switched /', $command->getDisplay());
        self::assertMatchesRegularExpression('/^\[ERROR] tags: .*missing from the store/', self::oneLine($command->getErrorOutput()));
    }

    public function testAReasonIsShownWithoutPasswordsAndControlCharacters(): void
    {
        $this->store->failure = new \RedisException("connection refused\e[31m\x9b\u{202E} (redis://me:secret@cache)");
        $command = $this->command('tags');
        self::assertSame(1, $command->execute([]));
        self::assertStringContainsString('connection refused?[31m?? (redis://cache)', self::oneLine($command->getDisplay()));
    }

    public function testAFirstLoadThatAnotherProcessHasNotFinishedIsAFailure(): void
    {
        $this->publish(['cat']);
        $during = null;
        $this->store->onRead = function () use (&$during): void {
            $other = $this->command('tags');
            $during = [$other->execute([]), self::oneLine($other->getDisplay())];
        };
        self::assertSame(0, $this->command('tags')->execute([]));
        self::assertSame([1, '[ERROR] tags: no version is loaded yet; another process is loading the first one'], $during);
    }

    public function testForceAcceptsAnOlderVersion(): void
    {
        $older = (new Builder(100, seed: 1))->build(builtAt: 1.7e9);
        $this->publish(['cat']);
        $command = $this->command('tags');
        self::assertSame(0, $command->execute([]));
        $older->publish(new DirectoryStore("$this->directory/store"), 'tags', force: true);
        self::assertSame(1, $command->execute([]));
        self::assertStringContainsString('older', self::oneLine($command->getDisplay()));
        self::assertSame(0, $command->execute(['--force' => true]));
        self::assertMatchesRegularExpression('/ tags +switched +2 +0 /', $command->getDisplay());
        self::assertFalse(Filter::open('tags')->mightContain('cat'));
    }

    public function testWithoutFiltersItWarns(): void
    {
        $command = $this->command();
        self::assertSame(0, $command->execute([]));
        self::assertSame('[WARNING] No filter with a store is configured.', self::oneLine($command->getDisplay()));
    }

    public function testItCompletesNames(): void
    {
        $command = new SyncCommand($this->syncs('tags', 'colors'));
        self::assertSame(['tags', 'colors'], (new CommandCompletionTester($command))->complete(['']));
    }

    private function command(string ...$filters): CommandTester
    {
        return new CommandTester(new SyncCommand($this->syncs(...$filters)));
    }

    /** @return array<FilterSync> */
    private function syncs(string ...$filters): array
    {
        return array_map(fn (string $filter): FilterSync => new FilterSync($filter, fn (): SpyStore => $this->store, 0, null), $filters);
    }

    private static function oneLine(string $output): string
    {
        return trim((string) preg_replace('/\s+/', ' ', $output));
    }
}
