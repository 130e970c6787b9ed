<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** The fields of a blob's head, and values that are computed from them. */
final class BlobInfo extends Info
{
    public readonly Scheme $scheme;
    /** 64-slot stripes per shard; null: not a ribbon filter */
    public readonly ?int $stripes;
    /** Keys that were certainly new when they were added. In a reverse index, a value counts as one key per level. */
    public readonly int $keys;
    /**
     * The number of keys that best explains the set bits (Swamidass & Baldi, "Mathematical Correction for
     * Fingerprint Similarity Measures", 2007). In a ribbon filter, it is the number of distinct keys.
     */
    public readonly int $estimatedKeys;
    public readonly int $capacity;
    /** The requested rate. */
    public readonly float $falsePositiveRate;
    /** The rate that results from the bits that are set. */
    public readonly float $measuredFalsePositiveRate;
    /** The rate that the formula of BuilderInfo predicts for the estimated number of keys. */
    public readonly float $predictedFalsePositiveRate;
    /** The fraction of set bits; in a ribbon filter, of slots that contain a key. */
    public readonly float $fill;
    /** null: a ribbon filter */
    public readonly ?int $setBits;
    public readonly int $bytes;
    public readonly float $bitsPerKey;
    public readonly int $shards;
    public readonly int $shardBytes;
    public readonly int $blockBytes;
    /** In a ribbon filter, the bits per key; some keys have one more. */
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
    public readonly int $chunks;
    public readonly int $chunkBytes;
    public readonly string $source;
    public readonly float $builtAt;
    public readonly int $formatVersion;
    /** The head's checksum in hexadecimal. Equal blobs have equal checksums. */
    public readonly string $checksum;
    /** A fingerprint, copied from the head without verification; load(), sync() and publish() verify the signature. */
    public readonly ?string $signedBy;
    /** The position in the journal that was passed to build(). */
    public readonly ?string $mark;
}
