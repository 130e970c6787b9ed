<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** A sliding filter. */
final class SlidingInfo extends LiveInfo
{
    /** In seconds. */
    public readonly float $window;
    public readonly float $rotatesAt;
    /** The fraction of set bits in the slot that lookups will use from $rotatesAt on. */
    public readonly float $nextFill;
}
