<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Kit\DueSyncs;
use Bloom\Kit\FilterSync;
use Bloom\Kit\Interval;
use Bloom\SyncResult;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use Psr\Log\AbstractLogger;

#[CoversClass(DueSyncs::class)]
#[CoversClass(FilterSync::class)]
#[CoversClass(Interval::class)]
final class DueSyncsTest extends HostTestCase
{
    public function testTheStoreIsAskedOncePerInterval(): void
    {
        $store = new SpyStore("$this->directory/store");
        $sync = new FilterSync('tags', fn (): SpyStore => $store, 31_536_000, null);
        $syncs = new DueSyncs([$sync]);
        $this->publish(['cat']);
        $syncs->run();
        $reads = $store->reads;
        self::assertGreaterThan(0, $reads);
        $this->publish(['cat', 'dog']);
        $syncs->run();
        self::assertSame($reads, $store->reads);
        self::assertSame(SyncResult::Switched, $sync->sync(0.0));
        self::assertTrue(Filter::open('tags')->mightContain('dog'));
    }

    public function testAnIntervalOfZeroAsksTheStoreEachTime(): void
    {
        $syncs = new DueSyncs([$this->sync('tags')]);
        $this->publish(['cat']);
        $syncs->run();
        $this->publish(['cat', 'dog']);
        $syncs->run();
        self::assertTrue(Filter::open('tags')->mightContain('dog'));
    }

    public function testAFailureIsLoggedAndDoesNotStopTheOthers(): void
    {
        $log = new Log();
        $failing = new FilterSync('broken', fn (): never => throw new \Error('no credentials'), 0, null);
        $this->publish(['cat']);
        (new DueSyncs([$failing, $this->sync('missing'), $this->sync('tags')], $log))->run();
        self::assertSame('error: The sync of the Bloom filter "broken" failed: no credentials', $log->lines[0]);
        self::assertStringStartsWith('error: The sync of the Bloom filter "missing" failed: ', $log->lines[1]);
        self::assertCount(2, $log->lines);
        self::assertTrue(Filter::open('tags')->mightContain('cat'));
        (new DueSyncs([$failing]))->run(); // without a logger
    }

    public function testAStoreThatIsDownLeavesTheHostItsVersion(): void
    {
        $store = new SpyStore("$this->directory/store");
        $log = new Log();
        $syncs = new DueSyncs([new FilterSync('tags', fn (): SpyStore => $store, 0, null)], $log);
        $this->publish(['cat']);
        $syncs->run();
        $store->failure = new \RuntimeException('connection refused');
        $syncs->run();
        self::assertCount(1, $log->lines);
        self::assertStringContainsString('connection refused', $log->lines[0]);
        self::assertSame(['cat'], Filter::open('tags')->candidates(['cat']));
    }

    public function testAMistakeInTheConfigurationIsLogged(): void
    {
        $log = new class () extends AbstractLogger {
            /** @var list<string> */
            public array $lines = [];

            /** @param array<mixed> $context */
            public function log($level, string|\Stringable $message, array $context = []): void
            {
                $this->lines[] = "$level: $message";
            }
        };
        $syncs = (function (): \Generator {
            yield $this->sync('tags');
            throw new \InvalidArgumentException('bloom.filters: there is no store');
        })();
        $this->publish(['cat']);
        (new DueSyncs($syncs, $log))->run();
        self::assertSame(['error: bloom.filters: there is no store'], $log->lines);
        self::assertNotNull(Filter::find('tags'), 'the filters before the mistake are synced');
    }

    #[TestWith([1.0, null, true])]
    #[TestWith([60.0, null, false])]
    #[TestWith([60.0, 61.0, true])]
    #[TestWith([61.0, 61.0, false])]
    #[TestWith([1e6, 0.0, true])]
    public function testAJournalMustBeReadMoreOftenThanMaxLag(float $interval, ?float $maxLag, bool $isFine): void
    {
        self::assertSame($isFine, Interval::problem($interval, $maxLag) === null);
        self::assertNull(Interval::problem(Interval::default(true), null));
    }

    private function sync(string $filter): FilterSync
    {
        return new FilterSync($filter, fn (): DirectoryStore => new DirectoryStore("$this->directory/store"), 0, null);
    }
}
