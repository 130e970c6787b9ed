<?php

namespace Bloom\Testing;

use Bloom\Membership;

/**
 * A filter that cannot exclude any key, like a full one, or one that cannot be mapped. Code must give
 * the same results with it, only more slowly.
 */
final class AlwaysMaybeFilter implements Membership
{
    use Lookups;

    protected function has(string $key): bool
    {
        return true;
    }
}
