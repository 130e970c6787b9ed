<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** The overlay of a loaded filter, a sliding filter. */
final class OverlayInfo extends Info
{
    public readonly int $keys;
    public readonly int $estimatedKeys;
    public readonly int $capacity;
    public readonly float $falsePositiveRate;
    public readonly float $measuredFalsePositiveRate;
    public readonly float $predictedFalsePositiveRate;
    /** The fraction of set bits in the slot that lookups use. */
    public readonly float $fill;
    public readonly int $setBits;
    public readonly int $bytes;
    public readonly float $bitsPerKey;
    public readonly int $shards;
    public readonly int $shardBytes;
    public readonly int $blockBytes;
    public readonly int $probes;
    public readonly int $seed;
    public readonly string $digest;
    public readonly ?string $keyedBy;
    public readonly float $created;
    /** Set if the measured rate exceeds the requested one by more than chance explains. */
    public readonly ?string $warning;
    /** In seconds. */
    public readonly float $window;
    public readonly float $rotatesAt;
    /** The fraction of set bits in the slot that lookups will use from $rotatesAt on. */
    public readonly float $nextFill;
}
