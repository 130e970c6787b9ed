<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\BloomException;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Kit\Tests\RedisSpy;
use Bloom\Laravel\BloomServiceProvider;
use Bloom\Laravel\Facades\BloomFilter;
use Bloom\Laravel\FilterManager;
use Bloom\Laravel\Stores;
use Bloom\SyncResult;
use Illuminate\Contracts\Redis\Factory;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(BloomServiceProvider::class)]
#[CoversClass(FilterManager::class)]
#[CoversClass(Stores::class)]
final class SyncTest extends SiteTestCase
{
    public function testTheEndOfARequestSyncsTheFiltersThatAreDue(): void
    {
        $app = $this->start(['tags' => ['store' => 'main', 'interval' => 3600]], isConsole: false);
        $this->publish(['cat']);
        self::assertNull(Filter::find('tags'));
        $app->terminate();
        self::assertSame(1, Filter::open('tags')->info()->generation);
        $reads = $this->store->reads;
        $this->publish(['cat', 'dog']);
        $app->terminate();
        self::assertSame($reads, $this->store->reads, 'it is not due');
        self::assertSame(SyncResult::Switched, BloomFilter::sync('tags', 0.0));
        self::assertTrue(BloomFilter::get('tags')->mightContain('dog'));
    }

    public function testTheEndOfACommandSyncsNothing(): void
    {
        $app = $this->start();
        $this->publish(['cat']);
        $app->terminate();
        self::assertSame(0, $this->store->reads);
    }

    public function testAMistakeInTheConfigurationIsLoggedAtTheEndOfARequest(): void
    {
        $app = $this->start(['tags' => ['store' => 'main', 'interval' => 'x']], isConsole: false);
        $app->terminate();
        self::assertSame(["ERROR: bloom.filters.tags.interval: expected a number of seconds, got 'x'"], self::log($app));
    }

    public function testKeysOfTheJournalAreFoundAtOnceAndAfterTheNextSync(): void
    {
        $stores = ['files' => ['driver' => 'directory', 'path' => "$this->directory/store"]];
        $this->start(['tags' => ['store' => 'files', 'journal' => true, 'max_lag' => 3600]], $stores);
        $mark = BloomFilter::journal('tags')->mark();
        (new \Bloom\Builder(100))->build(mark: $mark)->publish(new DirectoryStore("$this->directory/store"), 'tags');
        BloomFilter::sync('tags', 0.0);
        self::assertFalse(BloomFilter::get('tags')->mightContain('cat'));
        BloomFilter::journal('tags')->add('cat');
        self::assertTrue(BloomFilter::get('tags')->mightContain('cat'));
        self::assertSame(SyncResult::Current, BloomFilter::sync('tags', 0.0));
        self::assertFalse(BloomFilter::get('tags')->mightContain('dog'));
    }

    public function testAFilterWithoutAJournalRefusesToGiveOne(): void
    {
        $this->start();
        $this->expectExceptionObject(new \InvalidArgumentException('bloom.filters.tags: the filter has no journal; set bloom.filters.tags.journal to true'));
        BloomFilter::journal('tags');
    }

    public function testARedisStoreUsesTheNamedConnection(): void
    {
        $app = $this->start(['tags' => ['store' => 'redis']], ['redis' => ['driver' => 'redis', 'connection' => 'filters', 'prefix' => 'b:']]);
        RedisSpy::$asked = [];
        $connection = new class (new RedisSpy()) extends \Illuminate\Redis\Connections\PhpRedisConnection {
        };
        $names = [];
        $app->instance('redis', new class ($connection, $names) implements Factory {
            /** @param list<string|null> $names */
            public function __construct(private object $connection, private array &$names) // @phpstan-ignore property.onlyWritten
            {
            }

            public function connection($name = null): object
            {
                $this->names[] = $name;
                return $this->connection;
            }
        });
        try {
            BloomFilter::sync('tags', 0.0);
            self::fail('the store is empty');
        } catch (BloomException $exception) {
            self::assertStringContainsString('tags', $exception->getMessage());
        }
        self::assertSame([['filters'], [['b:tags:override', 'b:tags']]], [$names, RedisSpy::$asked]);
    }

    public function testAMemcachedStoreNeedsACacheWithThatDriver(): void
    {
        $this->start(['tags' => ['store' => 'cache']], ['cache' => ['driver' => 'memcached', 'cache' => 'array']]);
        try {
            BloomFilter::sync('tags');
            self::fail('the cache has another driver');
        } catch (BloomException $exception) {
            self::assertStringContainsString('cache.stores.array: the driver must be "memcached" for a store of filters,'
                . ' Illuminate\Cache\ArrayStore given', $exception->getMessage());
        }
    }
}
