<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** A scalable filter. */
final class ScalableInfo extends LiveInfo
{
    public readonly float $growth;
    public readonly float $tightening;
    /** Attempts to add a layer that failed. */
    public readonly int $growthFailures;
    /** @var list<LayerInfo> the oldest first */
    public readonly array $layers;
}
