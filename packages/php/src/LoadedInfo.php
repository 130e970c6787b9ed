<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** A filter that was loaded from a blob. */
class LoadedInfo extends FilterInfo
{
    public readonly Scheme $scheme;
    /** 64-slot stripes per shard; null: not a ribbon filter */
    public readonly ?int $stripes;
    public readonly int $chunks;
    public readonly int $chunkBytes;
    public readonly string $source;
    public readonly float $builtAt;
    public readonly int $formatVersion;
    public readonly string $checksum;
    public readonly ?string $signedBy;
    public readonly ?string $mark;
    /** The state of the journal's keys. null: the blob has no mark */
    public readonly ?JournalInfo $journal;
    /** The rate of a lookup, which tests the filter and the journal's keys. */
    public readonly float $lookupFalsePositiveRate;
    public readonly int $syncs;
    public readonly int $syncFailures;
    public readonly int $syncFailuresInRow;
    public readonly ?float $syncedSecondsAgo;
    public readonly ?string $lastError;
    public readonly ?float $lastErrorAt;
    /**
     * Attempts to load the published version that failed. If the filter follows a journal, syncs can
     * still succeed, because they follow that of the served version.
     */
    public readonly int $loadFailures;
    public readonly int $loadFailuresInRow;
    /** The reason of the last one. */
    public readonly ?string $loadError;
    public readonly ?float $loadErrorAt;
    /** The last complete verification of the served file, either by the load or by syncs. */
    public readonly float $verifiedAt;
    /** The completed fraction of the next verification. */
    public readonly float $verifyProgress;
    /** Damaged shards or chunks that syncs have found since the filter was created. */
    public readonly int $damages;
    public readonly ?float $damagedAt;
    /** Since when the store pins hosts to this version (Blob::pin()). */
    public readonly ?float $pinnedSince;
    /** When a newer version was rolled back to this one (Blob::rollback()). */
    public readonly ?float $rolledBackAt;
}
