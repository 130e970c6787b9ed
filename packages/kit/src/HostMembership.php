<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\Membership;

/** The lookups of one filter that may be unavailable. None of the methods throws for that reason. */
interface HostMembership extends Membership
{
    /** Returns whether the filter can answer "definitely not" now. Otherwise every answer is "maybe". */
    public function isComplete(): bool;

    /** Counts what the application found; see Bloom\Filter::confirm(). Does nothing if the filter is not loaded. */
    public function confirm(int $looked, int $found, int $checked = 0, int $denied = 0): void;

    /** Allows the next request of this process to log again. */
    public function reset(): void;
}
