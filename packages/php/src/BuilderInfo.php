<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** The parameters of a builder, and what was added so far. */
final class BuilderInfo extends Info
{
    public readonly Scheme $scheme;
    /** 64-slot stripes per shard; null: not a ribbon filter */
    public readonly ?int $stripes;
    public readonly int $capacity;
    /** The requested rate. */
    public readonly float $falsePositiveRate;
    /**
     * The rate at capacity according to the formula of Putze, Sanders & Singler, "Cache-, hash- and
     * space-efficient Bloom filters" (2007), section 3.
     */
    public readonly float $predictedFalsePositiveRate;
    /** Keys that were certainly new; in a ribbon builder, it may include repeated keys. */
    public readonly int $keys;
    /** All added keys. */
    public readonly int $added;
    public readonly int $bytes;
    /** Bits per key at capacity. */
    public readonly float $bitsPerKey;
    public readonly int $shards;
    public readonly int $shardBytes;
    public readonly int $blockBytes;
    public readonly int $probes;
    public readonly int $seed;
    /** The hash function: XXH3-64 or, if keyed, SipHash-2-4. */
    public readonly string $digest;
    /** The fingerprint of the secret in hexadecimal. */
    public readonly ?string $keyedBy;
    /** Of a reverse index, as are the next three; null: not one. */
    public readonly ?int $groups;
    public readonly ?int $fanOut;
    public readonly ?int $levels;
    public readonly ?float $expectedWrongGroups;
    public readonly int $chunkBytes;
    public readonly string $source;
}
