<?php

namespace Bloom;

use Bloom\Internal\Creating;
use Bloom\Internal\Keys;
use Bloom\Internal\Live;

/** A live filter from which keys can be removed. */
final class CountingFilter extends Filter
{
    use Internal\Adding;
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'capacity', 3 => 'falsePositiveRate', 6 => 'ttl'];

    /**
     * Returns the counting filter with the given name. Creates the filter if it does not exist. See
     * LiveFilter::create().
     */
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
        $params = ['name' => $name, 'kind' => Kind::Counting->value, 'capacity' => $capacity, 'rate' => $falsePositiveRate,
            'bounded' => $bounded];
        (new Creating($params, 'CountingFilter::create'))->run($seed, $keyed, $ttl, $exclusive, self::ARGUMENTS);
        return self::open($name);
    }

    /**
     * Reverts one add() of a key. Remove only keys that were added: removing a key that is a false
     * positive decrements the counters of other keys, which may then be reported as absent.
     *
     * @return bool false: the key was definitely not in the filter, and nothing was changed
     *
     * @throws BusyException in the same cases as add()
     */
    public function remove(mixed $key): bool
    {
        $key = Keys::of($key, 'CountingFilter::remove');
        return $this->write(fn (Live $live): bool => $live->remove($key));
    }

    /**
     * Returns an upper bound, from 0 to 15, for the number of times that a key was added and not
     * removed. The value 0 means that the key is certainly absent. The value 15 means 15 or more: a
     * counter that has reached 15 never changes again, so its keys cannot be removed.
     *
     * @throws BusyException in the same cases as add()
     */
    public function count(mixed $key): int
    {
        $key = Keys::of($key, 'CountingFilter::count');
        return $this->write(fn (Live $live): int => $live->count($key), false);
    }

    /** See Filter::info(). */
    public function info(): LiveInfo
    {
        $info = parent::info();
        assert($info instanceof LiveInfo);
        return $info;
    }
}
