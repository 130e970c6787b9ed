<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** The keys that a loaded filter has from its journal. */
final class JournalInfo extends Info
{
    /** The keys are complete up to this position. */
    public readonly string $position;
    /** They were complete this many seconds ago. */
    public readonly float $lag;
    /** In seconds; see Filter::sync(). */
    public readonly float $maxLag;
    /** false: lookups do not trust the keys, because $lag exceeds $maxLag or $mayLackKeys is true, and return true */
    public readonly bool $isComplete;
    /**
     * Whether the store has lost records of the journal since the mark. If so, build and publish a new
     * version.
     */
    public readonly bool $recordsLost;
    /** Whether this host may not have read the lost records, until it serves a version with a new mark. */
    public readonly bool $mayLackKeys;
    /** Records since the mark. */
    public readonly int $records;
    public readonly int $keys;
    public readonly int $capacity;
    public readonly int $bytes;
    public readonly float $falsePositiveRate;
    public readonly float $measuredFalsePositiveRate;
}
