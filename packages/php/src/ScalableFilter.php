<?php

namespace Bloom;

use Bloom\Internal\Live;

/** A live filter that grows layer by layer as keys are added. */
final class ScalableFilter extends WritableFilter
{
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
        $own = ['capacity' => $initialCapacity, 'rate' => $falsePositiveRate, 'growth' => $growth,
            'tightening' => $tightening];
        Live::create(self::class, $name, Kind::Scalable, $own, $seed, $keyed, $ttl, $exclusive);
        return self::open($name);
    }
}
