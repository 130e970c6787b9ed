<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Failure;
use Bloom\Internal\KeySet;
use Bloom\Internal\Live;

/** An exact set to which all processes of one user on this host can add keys. */
final class LiveFilter extends WritableFilter
{
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'capacity', 3 => 'falsePositiveRate', 6 => 'ttl'];

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
        Live::create($name, Kind::Live, $own, $seed, $keyed, $ttl, $exclusive, 'LiveFilter::create', self::ARGUMENTS);
        return self::open($name);
    }

    public static function import(string $name, Blob $blob): LiveFilter
    {
        throw Failure::needsExtension('a live filter with the contents of a blob');
    }

    public function merge(Blob|LiveFilter ...$others): void
    {
        if ($others === []) {
            throw new \ArgumentCountError('Bloom\LiveFilter::merge() expects at least 1 argument, 0 given');
        }
        foreach ($others as $other) {
            $keys = $other instanceof Blob ? throw Failure::needsExtension('a live filter with the contents of a blob')
                : $other->change(fn (KeySet $set): array => [$set->keys(), '']);
            $this->addMany($keys);
        }
    }
}
