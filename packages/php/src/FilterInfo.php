<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** Statistics about the served generation of a filter of any kind. */
abstract class FilterInfo extends Info
{
    public readonly string $name;
    public readonly Kind $kind;
    public readonly int $generation;
    /**
     * The number of keys that were certainly new when they were added. In a counting filter, it is the
     * number of add() calls minus the number of remove() calls, because a key that was added twice must
     * also be removed twice. Unlike the next values of a live filter (see Filter::info()), it is never
     * extrapolated.
     */
    public readonly int $keys;
    public readonly int $estimatedKeys;
    public readonly int $capacity;
    /** The requested rate. */
    public readonly float $falsePositiveRate;
    /** The rate that results from the bits that are set. */
    public readonly float $measuredFalsePositiveRate;
    /** The rate that the formula of BuilderInfo predicts for the estimated number of keys. */
    public readonly float $predictedFalsePositiveRate;
    /** The fraction of set bits; in a sliding filter, in the slot that lookups use. */
    public readonly float $fill;
    /** null: a ribbon filter */
    public readonly ?int $setBits;
    public readonly int $bytes;
    public readonly float $bitsPerKey;
    public readonly int $shards;
    public readonly int $shardBytes;
    public readonly int $blockBytes;
    public readonly int $probes;
    public readonly int $seed;
    public readonly string $digest;
    public readonly ?string $keyedBy;
    /**
     * Why the filter needs attention, for example because a measured rate exceeds the requested one by more
     * than chance explains.
     */
    public readonly ?string $warning;
    public readonly float $loadedAt;
    public readonly int $loads;
    /** The path of the segment. */
    public readonly string $segment;
    public readonly int $segmentBytes;
    /** `bloom.memory_limit`; 0: none */
    public readonly int $memoryLimit;
    /** Lookups in this process that returned true because the generation could not be mapped. */
    public readonly int $mapFailures;
    public readonly CountersInfo $counters;
}
