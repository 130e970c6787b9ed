<?php

namespace Bloom;

use Bloom\Internal\Live;
use Bloom\Internal\Arguments;

/** A live filter that forgets old keys. */
final class SlidingFilter extends WritableFilter
{
    use Internal\Exporting;

    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate,
        float $window,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false
    ): SlidingFilter {
        $own = ['capacity' => $capacity, 'rate' => $falsePositiveRate, 'windowMs' => Arguments::milliseconds($window)];
        Live::create(self::class, $name, Kind::Sliding, $own, $seed, $keyed, $ttl, $exclusive);
        return self::open($name);
    }
}
