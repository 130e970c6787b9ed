<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** A reverse index that was loaded from a blob. */
final class LoadedIndexInfo extends LoadedInfo
{
    public readonly int $groups;
    public readonly int $fanOut;
    public readonly int $levels;
    public readonly float $expectedWrongGroups;
}
