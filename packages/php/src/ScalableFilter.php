<?php

namespace Bloom;

use Bloom\Internal\Live;

/** A live filter that grows layer by layer as keys are added. */
final class ScalableFilter extends WritableFilter
{
    private const ARGUMENTS = [1 => 'name', 2 => 'initialCapacity', 3 => 'falsePositiveRate', 4 => 'growth', 5 => 'tightening', 8 => 'ttl'];

    public static function create(
        string $name,
        int $initialCapacity,
        float $falsePositiveRate = 0.01,
        float $growth = 2.0,
        float $tightening = 0.9,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false
    ): ScalableFilter {
        Live::create($name, Kind::Scalable, ['capacity' => $initialCapacity, 'rate' => $falsePositiveRate, 'growth' => $growth, 'tightening' => $tightening], $seed, $keyed, $ttl, $exclusive, 'ScalableFilter::create', self::ARGUMENTS);
        return self::open($name);
    }
}
