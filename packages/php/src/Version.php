<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** A version of a filter in a store. */
final class Version extends Info
{
    /** `current`: published last; `previous`: published before it; null: an older version to which hosts are pinned */
    public readonly ?string $label;
    /** Whether hosts should serve this version. Hosts that do not serve it yet load it with their next sync. */
    public readonly bool $isServed;
    /** Since when hosts are pinned to this version. */
    public readonly ?float $pinnedSince;
    /** When the current version was rolled back to this one. */
    public readonly ?float $rolledBackAt;
    /** The head's checksum in hexadecimal, as in Filter::info(). */
    public readonly string $checksum;
    public readonly float $builtAt;
    public readonly int $keys;
    public readonly int $bytes;
    /** The requested rate. */
    public readonly float $falsePositiveRate;
    public readonly int $seed;
    public readonly int $shards;
    public readonly int $shardBytes;
    /** The fingerprint of the secret; null: the filter is not keyed. */
    public readonly ?string $keyedBy;
    public readonly int $chunks;
    public readonly int $chunkBytes;
    /** Chunks that another version in the list also has. */
    public readonly int $sharedChunks;
    /**
     * Chunks that a sync of this host would fetch for this version, because the filter that it serves
     * does not have them. Equal chunks count once. null: it serves no filter of this name from a
     * complete blob, or the filter cannot be opened
     */
    public readonly ?int $fetchChunks;
    /** Their bytes. */
    public readonly ?int $fetchBytes;
    /** A fingerprint, copied from the head without verification. */
    public readonly ?string $signedBy;
    /** null: not verified */
    public readonly ?int $missingChunks;
    /** Chunks whose bytes do not match their digest. */
    public readonly ?int $damagedChunks;
    /** @var list<string> the store's keys of the missing and damaged chunks */
    public readonly array $badChunks;
    /** Why the head, or the pin or rollback, cannot be used; the other values are then 0 or empty. */
    public readonly ?string $error;
}
