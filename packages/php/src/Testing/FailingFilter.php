<?php

namespace Bloom\Testing;

use Bloom\Membership;
use Bloom\NotFoundException;

/** A filter whose lookups throw: by default, what lookups in a dropped filter throw. */
final class FailingFilter implements Membership
{
    public function __construct(private ?\Throwable $exception = null)
    {
    }

    public function mightContain(string|int $key): bool
    {
        throw $this->exception ?? new NotFoundException('tests: the filter was dropped');
    }

    public function candidates(iterable $keys): array
    {
        throw $this->exception ?? new NotFoundException('tests: the filter was dropped');
    }
}
