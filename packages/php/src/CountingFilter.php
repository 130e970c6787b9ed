<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\KeySet;
use Bloom\Internal\Live;

/** A set from which keys can be removed. */
final class CountingFilter extends WritableFilter
{
    use Internal\Exporting;

    private const COUNT_MAX = 15;

    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false,
        bool $bounded = false
    ): CountingFilter {
        $own = ['capacity' => $capacity, 'rate' => $falsePositiveRate, 'bounded' => $bounded];
        Live::create(self::class, $name, Kind::Counting, $own, $seed, $keyed, $ttl, $exclusive);
        return self::open($name);
    }

    public function remove(mixed $key): bool
    {
        $key = Arguments::key($key, 'CountingFilter::remove');
        return $this->change(fn (KeySet $set): array => $set->has($key) ? [true, KeySet::record($key, -1)]
            : [false, '']);
    }

    public function count(mixed $key): int
    {
        $key = Arguments::key($key, 'CountingFilter::count');
        return $this->change(fn (KeySet $set): array => [min(self::COUNT_MAX, $set->count($key)), '']);
    }
}
