<?php

namespace Bloom;

use Bloom\Internal\Keys;
use Bloom\Internal\KeySet;
use Bloom\Internal\Live;

/** A live filter from which keys can be removed. */
final class CountingFilter extends WritableFilter
{
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'capacity', 3 => 'falsePositiveRate', 6 => 'ttl'];

    /** Returns the counting filter with the given name. */
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
        Live::create($name, Kind::Counting, ['capacity' => $capacity, 'rate' => $falsePositiveRate, 'bounded' => $bounded], $seed, $keyed, $ttl, $exclusive, 'CountingFilter::create', self::ARGUMENTS);
        return self::open($name);
    }

    /** Reverts one add() of a key. */
    public function remove(mixed $key): bool
    {
        $key = Keys::of($key, 'CountingFilter::remove');
        return $this->change(fn (KeySet $set): array => Live::remove($set, $key));
    }

    /** Returns an upper bound, from 0 to 15, for the number of times that a key was added and not removed. */
    public function count(mixed $key): int
    {
        $key = Keys::of($key, 'CountingFilter::count');
        return $this->change(fn (KeySet $set): array => [Live::count($set, $key), '']);
    }
}
