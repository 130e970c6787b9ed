<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\Kit\Tests\RedisSpy;
use Bloom\Kit\Tests\SpyStore;
use Bloom\LoadedFilter;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;

final class SyncTest extends AppTestCase
{
    public function testARequestIsFollowedByASync(): void
    {
        $this->publish(['cat']);
        $kernel = $this->boot($this->config());

        $response = $this->request($kernel, '/lookup?keys=cat,dog', terminate: false);
        self::assertSame('{"candidates":["cat","dog"],"generation":null}', $response->getContent());
        self::assertNull(Filter::find('tags'));

        $this->request($kernel, '/lookup?keys=cat,dog');
        self::assertSame('{"candidates":["cat"],"generation":1}', $this->request($kernel, '/lookup?keys=cat,dog')->getContent());
    }

    public function testAStoreThatCannotBeCreatedDoesNotStopTheOtherSyncs(): void
    {
        $this->publish(['cat']);
        $config = $this->config();
        $config['stores']['broken'] = ['service' => 'app.broken'];
        $config['filters'] = ['broken' => ['store' => 'broken']] + $config['filters'];
        $kernel = $this->boot($config, services: function (ServicesConfigurator $services): void {
            $services->set('app.broken', SpyStore::class)->factory([self::class, 'refuse']);
        });
        $this->request($kernel, '/lookup?keys=cat');
        self::assertContains('error: The sync of the Bloom filter "broken" failed: no credentials', self::log($kernel));
        self::assertNotNull(Filter::find('tags'));
    }

    public function testTheClientIsAskedForKeysWithThePrefix(): void
    {
        $config = $this->config();
        $config['stores']['main'] = ['redis' => 'app.redis', 'prefix' => 'shop:'];
        $kernel = $this->boot($config, services: static function (ServicesConfigurator $services): void {
            $services->set('app.redis', RedisSpy::class);
        });
        RedisSpy::$asked = [];
        RedisSpy::$made = 0;
        $this->request($kernel, '/lookup?keys=cat');
        self::assertSame([['shop:tags:override', 'shop:tags']], RedisSpy::$asked);
        self::assertSame(1, RedisSpy::$made);
        self::service($kernel, RedisSpy::class, 'app.redis');
        self::assertSame(2, RedisSpy::$made, 'the store does not share the client of the application');
    }

    public static function refuse(): never
    {
        throw new \Error('no credentials');
    }

    public function testTheStoreIsNotCreatedByTheRequestItself(): void
    {
        SpyStore::$created = 0;
        $config = $this->config();
        $config['stores']['main'] = ['service' => 'app.store'];
        $kernel = $this->boot($config, services: function (ServicesConfigurator $services): void {
            $services->set('app.store', SpyStore::class)->args(["$this->directory/store"]);
        });
        $this->request($kernel, '/lookup?keys=cat', terminate: false);
        self::assertSame(0, SpyStore::$created);
    }

    public function testAFilterWithoutAStoreIsNotSynced(): void
    {
        $this->publish(['cat']);
        $kernel = $this->boot(['filters' => ['tags' => null]]);
        $this->request($kernel, '/lookup?keys=cat');
        self::assertNull(Filter::find('tags'));
        self::assertCount(1, self::log($kernel)); // only the lookup
    }

    public function testTheSyncFollowsTheJournalWithTheConfiguredLag(): void
    {
        $config = $this->config();
        $config['filters']['tags'] += ['journal' => true, 'max_lag' => 1234];
        $kernel = $this->boot($config, services: function (ServicesConfigurator $services): void {
            $services->alias('test.journal', 'bloom.journal.tags');
        });
        $journal = self::service($kernel, Journal::class, 'test.journal');
        $mark = $journal->mark();
        $builder = new Builder(capacity: 1000, falsePositiveRate: 1e-9, seed: 1);
        $builder->add('cat');
        $builder->build(mark: $mark)->publish(new DirectoryStore("$this->directory/store"), 'tags');
        $journal->add('dog');

        $this->request($kernel, '/lookup?keys=cat');
        self::assertSame(1234.0, LoadedFilter::open('tags')->info()->journal?->maxLag);
        self::assertSame(['cat', 'dog'], self::pages($kernel)->tagsFilter->candidates(new \ArrayIterator(['cat', 'dog', 'cow'])));
    }
}
