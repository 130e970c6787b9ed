<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Kit\FilterSync;
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
}
