<?php

declare(strict_types=1);

namespace Bloom\Kit\Testing;

use Bloom\Kit\HostMembership;

/** A filter that cannot deny any key. Code must give the same results with it, only more slowly. */
final class AlwaysMaybeFilter implements HostMembership
{
    use Lookups;

    /** @param bool $isComplete false: as if the filter is not loaded, so a ListFilter answers null */
    public function __construct(private readonly bool $isComplete = true)
    {
    }

    public function isComplete(): bool
    {
        return $this->isComplete;
    }

    protected function has(string $key): bool
    {
        return true;
    }
}
