<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** A layer of a scalable filter. */
final class LayerInfo extends Info
{
    public readonly int $capacity;
    public readonly int $keys;
    public readonly float $falsePositiveRate;
    public readonly float $measuredFalsePositiveRate;
    public readonly float $fill;
    public readonly int $shards;
    public readonly int $probes;
}
