<?php

namespace Bloom;

use Bloom\Internal\Live;
use Bloom\Internal\Arguments;

/** A live filter that forgets old keys. */
final class SlidingFilter extends WritableFilter
{
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'capacity', 3 => 'falsePositiveRate', 4 => 'window', 7 => 'ttl'];

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
        Live::create($name, Kind::Sliding, ['capacity' => $capacity, 'rate' => $falsePositiveRate, 'windowMs' => Arguments::milliseconds($window)], $seed, $keyed, $ttl, $exclusive, 'SlidingFilter::create', self::ARGUMENTS);
        return self::open($name);
    }
}
