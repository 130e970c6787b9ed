<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Kit\FilterSync;
use Bloom\Kit\Fold;
use Bloom\Symfony\Tests\App\FoldedTags;
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
}
