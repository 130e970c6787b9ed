<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Filter;
use Bloom\Membership;
use Bloom\Symfony\FilterSync;
use Bloom\Symfony\HostFilter;
use Bloom\Symfony\Tests\App\Log;
use Symfony\Contracts\Service\ResetInterface;

final class LookupTest extends AppTestCase
{
    public function testALoadedFilterAnswers(): void
    {
        $this->publish(['cat', 42]);
        $kernel = $this->boot($this->config());
        self::service($kernel, FilterSync::class, 'bloom.sync.tags')->syncNow();
        $filter = self::pages($kernel)->tagsFilter;

        self::assertTrue($filter->mightContain('cat'));
        self::assertFalse($filter->mightContain('dog'));
        self::assertSame([1 => 'cat', 'answer' => 42], $filter->candidates(['dog', 'cat', 'answer' => 42]));
        self::assertSame(['cat', 42], $filter->candidates(new \ArrayIterator(['dog', 'cat', 42])));
        self::assertSame([], self::log($kernel));
    }

    public function testAFilterThatIsNotLoadedAnswersMaybeAndIsLoggedOncePerRequest(): void
    {
        $kernel = $this->boot($this->config());
        $filter = self::pages($kernel)->tagsFilter;

        self::assertEverythingIsMaybe($filter);
        $line = 'warning: The Bloom filter "tags" answers "maybe" to every lookup: it is not loaded on this host';
        self::assertSame([$line], self::log($kernel));

        self::service($kernel, ResetInterface::class, 'services_resetter')->reset();
        self::assertEverythingIsMaybe($filter);
        self::assertSame([$line, $line], self::log($kernel));
    }

    public function testTheSameServiceFindsAFilterThatIsLoadedLater(): void
    {
        $kernel = $this->boot($this->config());
        $filter = self::pages($kernel)->tagsFilter;
        self::assertTrue($filter->mightContain('dog'));

        $this->publish(['cat']);
        self::service($kernel, FilterSync::class, 'bloom.sync.tags')->syncNow();
        self::assertFalse($filter->mightContain('dog'));
    }

    public function testADroppedFilterAnswersMaybeUntilItIsLoadedAgain(): void
    {
        $this->publish(['cat']);
        $kernel = $this->boot($this->config());
        $sync = self::service($kernel, FilterSync::class, 'bloom.sync.tags');
        $sync->syncNow();
        $filter = self::pages($kernel)->tagsFilter;
        self::assertFalse($filter->mightContain('dog'));

        Filter::drop('tags');
        self::assertEverythingIsMaybe($filter);
        self::assertCount(1, self::log($kernel));

        $sync->syncNow();
        self::assertFalse($filter->mightContain('dog'));
    }

    public function testAFilterThatIsRefusedAnswersMaybe(): void
    {
        mkdir(self::segment(), 0700);
        mkdir(self::segment() . '/tags', 0755); // the extension accepts only 0700
        $kernel = $this->boot($this->config());

        self::assertEverythingIsMaybe(self::pages($kernel)->tagsFilter);
        self::assertCount(1, self::log($kernel));
        self::assertStringContainsString('refused', self::log($kernel)[0]);
    }

    /** Otherwise the mistake would only appear once the filter is loaded. */
    public function testAKeyOfAnotherTypeThrowsWhetherOrNotTheFilterIsLoaded(): void
    {
        $filter = new HostFilter('tags', new Log());
        foreach (['not loaded', 'loaded'] as $state) {
            foreach ([19.99, true, null] as $key) {
                foreach (['mightContain' => $key, 'candidates' => [$key]] as $method => $argument) {
                    try {
                        call_user_func([$filter, $method], $argument); // converts arguments, as code without strict_types does
                        self::fail("$state: " . var_export($key, true) . ' was accepted');
                    } catch (\TypeError) {
                        $this->addToAssertionCount(1);
                    }
                }
            }
            $this->publish(['cat']);
            self::service($this->boot($this->config()), FilterSync::class, 'bloom.sync.tags')->syncNow();
        }
    }

    private static function assertEverythingIsMaybe(Membership $filter): void
    {
        self::assertTrue($filter->mightContain('dog'));
        self::assertSame(['a' => 'dog', 5 => 7], $filter->candidates(['a' => 'dog', 5 => 7]));
        $keys = (static function (): \Generator {
            yield 'x' => 'dog';
            yield 'x' => 7;
        })();
        self::assertSame(['dog', 7], $filter->candidates($keys));
    }
}
