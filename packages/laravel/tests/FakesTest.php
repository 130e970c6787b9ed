<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Laravel\Facades\BloomFilter;
use Bloom\Laravel\FilterManager;
use Bloom\Testing\AlwaysMaybeFilter;
use Bloom\Testing\ExactFilter;
use PHPUnit\Framework\Attributes\CoversMethod;

#[CoversMethod(FilterManager::class, 'fake')]
final class FakesTest extends SiteTestCase
{
    public function testTheNamedFiltersAnswerExactlyAndTheOthersMaybe(): void
    {
        $app = $this->start(['tags' => ['store' => 'main'], 'users' => []], isConsole: false);
        BloomFilter::fake(['tags' => ['cat']]);
        $tags = BloomFilter::get('tags');
        self::assertInstanceOf(ExactFilter::class, $tags);
        self::assertSame(['cat'], $tags->candidates(new \ArrayIterator(['dog', 'cat'])));
        $tags->add('dog');
        self::assertTrue(BloomFilter::get('tags')->mightContain('dog'));
        self::assertInstanceOf(AlwaysMaybeFilter::class, BloomFilter::get('users'));
        $app->terminate();
        self::assertSame(0, $this->store->reads, 'fakes are not synced');
        self::assertSame([], self::log($app));
    }

    public function testAnUnknownNameIsAMistake(): void
    {
        $this->start();
        $this->expectExceptionObject(new \InvalidArgumentException('bloom.filters: there is no filter "tag"; there is "tags"'));
        BloomFilter::fake(['tag' => []]);
    }
}
