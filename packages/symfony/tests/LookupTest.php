<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Filter;
use Bloom\Kit\FilterSync;
use Bloom\Kit\Fold;
use Bloom\Kit\ListFilter;
use Bloom\Kit\ShadowFilter;
use Bloom\Symfony\Tests\App\FoldedTags;
use PHPUnit\Framework\Attributes\TestWith;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;
use Symfony\Contracts\Service\ResetInterface;

final class LookupTest extends AppTestCase
{
    public function testTheSameServiceFindsAFilterThatIsLoadedLater(): void
    {
        $kernel = $this->boot($this->config());
        $filter = self::pages($kernel)->tagsFilter;
        self::assertTrue($filter->mightContain('dog'));
        $this->publish(['cat']);
        self::service($kernel, FilterSync::class, 'bloom.sync.tags')->sync();
        self::assertFalse($filter->mightContain('dog'));
    }

    public function testAFilterThatIsNotLoadedIsLoggedOncePerRequest(): void
    {
        $kernel = $this->boot($this->config());
        $filter = self::pages($kernel)->tagsFilter;
        $filter->mightContain('dog');
        $filter->mightContain('cat');
        $line = 'warning: The Bloom filter "tags" answers "maybe" to every lookup: it is not loaded on this host';
        self::assertSame([$line], self::log($kernel));
        self::service($kernel, ResetInterface::class, 'services_resetter')->reset();
        $filter->mightContain('dog');
        self::assertSame([$line, $line], self::log($kernel));
    }

    public function testAFoldAppliesToLookupsAndToTheJournal(): void
    {
        $config = $this->config();
        $config['filters'] = ['tags' => ['store' => 'main', 'interval' => 0, 'journal' => true, 'fold' => 'mysql']];
        $kernel = $this->boot($config, services: static fn (ServicesConfigurator $services) => $services
            ->set(FoldedTags::class)->autowire()->public());
        $tags = self::service($kernel, FoldedTags::class);
        $this->publish([Fold::mysql()->key('José')], source: Fold::mysql()->mark(), mark: $tags->tagsJournal->mark());
        self::service($kernel, FilterSync::class, 'bloom.sync.tags')->sync();
        self::assertSame('tags', $tags->tagsJournal->name());
        self::assertSame(1, $tags->tagsJournal->add('Straße'));
        self::assertSame(['JOSE', 'strasse'], array_values($tags->tagsFilter->candidates(['JOSE', 'Bob', 'strasse'])));
        self::assertSame([], self::log($kernel));
    }

    #[TestWith([false])]
    #[TestWith([true])]
    public function testAShadowLooksUpEveryKeyAndReportsAKeyThatIsDeniedOncePerRequest(bool $debug): void
    {
        $config = $this->config();
        $config['filters']['tags']['shadow'] = 1;
        $kernel = $this->boot($config, $debug);
        $this->publish(['cat']);
        self::service($kernel, FilterSync::class, 'bloom.sync.tags')->sync();
        $filter = self::pages($kernel)->tagsFilter;
        self::assertInstanceOf(ShadowFilter::class, $filter);
        $line = 'error: The Bloom filter "tags" denied keys that exist. Are all keys added, and written as in lookups?';
        foreach ([1, 2] as $request) {
            self::assertSame(['dog'], $filter->candidates(['dog']));
            $filter->confirm(['dog'], ['dog']);
            self::assertSame(array_fill(0, $request, $line), self::log($kernel));
            self::service($kernel, ResetInterface::class, 'services_resetter')->reset();
        }
        self::assertSame(2, Filter::open('tags')->info()->counters->denied);
    }

    public function testAListThatIsNotLoadedIsUnknownAndLoggedOncePerRequest(): void
    {
        $kernel = $this->boot($this->config(), services: static fn (ServicesConfigurator $services) =>
            $services->alias('test.list', 'bloom.list.tags')->public());
        $list = self::service($kernel, ListFilter::class, 'test.list');
        self::assertNull($list->mayList('dog'));
        self::assertNull($list->mayList('cat'));
        self::assertCount(1, self::log($kernel));
        $this->publish(['cat']);
        self::service($kernel, FilterSync::class, 'bloom.sync.tags')->sync();
        self::assertSame([true, false], [$list->mayList('cat'), $list->mayList('dog')]);
    }
}
