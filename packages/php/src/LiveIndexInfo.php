<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** A reverse index to which values are added on this host. */
final class LiveIndexInfo extends LiveInfo
{
    public readonly int $groups;
    public readonly int $fanOut;
    public readonly int $levels;
    public readonly float $expectedWrongGroups;
}
