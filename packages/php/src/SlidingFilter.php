<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Creating;

/** A live filter that forgets old keys. */
final class SlidingFilter extends Filter
{
    use Internal\Adding;
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'capacity', 3 => 'falsePositiveRate', 4 => 'window', 7 => 'ttl'];

    /**
     * Returns the sliding filter with the given name. Creates the filter if it does not exist.
     *
     * @param int $capacity number of distinct keys that are added in one window, 1 to 10^12
     * @param float $falsePositiveRate the rate at capacity, 10^-9 to 0.5
     * @param float $window length of the window in seconds, 0.01 to 1,000,000,000. A key is certainly
     *        found for the first half of the window and certainly forgotten at its end. Changes to the
     *        host's clock have no effect
     * @param int|null $seed hash seed; null: the seed of the existing filter, or a random one
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`; see Builder. After
     *        the secret is rotated, an existing filter keeps its original secret
     * @param float|null $ttl seconds, 0.01 to 1,000,000,000, after which a new filter is dropped, as by
     *        drop(). Processes that use it notice within a second. Its memory is freed when a process
     *        next opens, creates or lists it. null: it is never dropped. An existing filter keeps its own
     *        time to live
     * @param bool $exclusive throw if the filter exists
     *
     * @throws KindException if the existing filter is of a different kind or has different parameters, or
     *         if it exists and $exclusive is set
     * @throws SecretException if the filter is keyed or should be keyed, but this process does not have
     *         the secret
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws \ValueError if an argument is out of range
     */
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
        $params = ['name' => $name, 'kind' => Kind::Sliding->value, 'capacity' => $capacity, 'rate' => $falsePositiveRate,
            'windowMs' => Arguments::milliseconds($window)];
        (new Creating($params, 'SlidingFilter::create'))->run($seed, $keyed, $ttl, $exclusive, self::ARGUMENTS);
        return self::open($name);
    }

    /** See Filter::info(). */
    public function info(): SlidingInfo
    {
        $info = parent::info();
        assert($info instanceof SlidingInfo);
        return $info;
    }
}
