<?php

namespace Bloom;

use Bloom\Internal\Failure;
use Bloom\Internal\Live;

/** An exact set to which all processes of one user on this host can add keys. */
final class LiveFilter extends WritableFilter
{
    use Internal\Exporting;

    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false,
        bool $bounded = false
    ): LiveFilter {
        $own = ['capacity' => $capacity, 'rate' => $falsePositiveRate, 'bounded' => $bounded];
        Live::create(self::class, $name, Kind::Live, $own, $seed, $keyed, $ttl, $exclusive);
        return self::open($name);
    }

    public static function import(string $name, Blob $blob): LiveFilter
    {
        throw Failure::needsExtension('import()');
    }

    public function merge(Blob|LiveFilter ...$others): void
    {
        throw Failure::needsExtension('merge()');
    }
}
