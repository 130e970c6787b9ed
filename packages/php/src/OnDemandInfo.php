<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** An on-demand filter. The counts cover all processes and versions since attach(). */
final class OnDemandInfo extends LoadedInfo
{
    /** Bytes in use. */
    public readonly int $memory;
    /** The bytes that were passed to attach(). */
    public readonly int $memoryAsked;
    /** Resident chunks. */
    public readonly int $chunksHere;
    /** Chunks that fit. */
    public readonly int $chunksRoom;
    /** Keys that were looked up while their chunk was not resident. */
    public readonly int $misses;
    /** Misses for which the lookup returned true without the chunk. */
    public readonly int $untold;
    /** Fetched chunks. */
    public readonly int $fetched;
    /** Evicted chunks. */
    public readonly int $evicted;
    /** Store calls that failed, plus chunks that the store did not have or that failed verification. */
    public readonly int $fetchFailures;
    /** Failures since the store last delivered a chunk. */
    public readonly int $fetchFailuresInRow;
    /** Seconds until the next attempt to fetch. */
    public readonly float $fetchPause;
}
