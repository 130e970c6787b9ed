<?php

// Copied from src/php/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** The keys that a loaded filter has from its journal. */
final class JournalInfo extends Info
{
    /** The keys are complete up to this position. */
    public readonly string $position;
    /** They were complete this many seconds ago. */
    public readonly float $lag;
    public readonly float $maxLag;
    /** false: lookups do not trust the keys, because $lag exceeds $maxLag, and return true */
    public readonly bool $isComplete;
    /** Records since the mark. */
    public readonly int $records;
    public readonly int $keys;
    public readonly int $capacity;
    public readonly int $bytes;
    public readonly float $falsePositiveRate;
    public readonly float $measuredFalsePositiveRate;
}
