<?php

namespace Bloom;

use Bloom\Internal\Creating;

/** A live filter that grows layer by layer as keys are added. */
final class ScalableFilter extends Filter
{
    use Internal\Adding;

    private const ARGUMENTS = [1 => 'name', 2 => 'initialCapacity', 3 => 'falsePositiveRate', 4 => 'growth', 5 => 'tightening', 8 => 'ttl'];

    /**
     * Returns the scalable filter with the given name. Creates the filter if it does not exist.
     *
     * @param int $initialCapacity number of distinct keys that the first layer is sized for, 1 to 10^12
     * @param float $falsePositiveRate the rate of the whole filter, no matter how much it grows, 10^-9
     *        to 0.5
     * @param float $growth capacity of a layer divided by that of the previous layer, 1.1 to 16
     * @param float $tightening rate of a layer divided by that of the previous layer, 0.1 to 0.99. The
     *        first layer's rate is $falsePositiveRate · (1 − $tightening). With 0.8 instead of 0.9, the
     *        first layer needs 6 % fewer bits, but twelve layers need 6 % more and have a higher rate
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
        int $initialCapacity,
        float $falsePositiveRate = 0.01,
        float $growth = 2.0,
        float $tightening = 0.9,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false
    ): ScalableFilter {
        $params = ['name' => $name, 'kind' => Kind::Scalable->value, 'capacity' => $initialCapacity, 'rate' => $falsePositiveRate,
            'growth' => $growth, 'tightening' => $tightening];
        (new Creating($params, 'ScalableFilter::create'))->run($seed, $keyed, $ttl, $exclusive, self::ARGUMENTS);
        return self::open($name);
    }

    /** Writes a snapshot. See LiveFilter::save(). */
    public function save(string|Store $target): void
    {
        throw new BloomException('Snapshots need the extension bloom');
    }

    /** See Filter::info(). */
    public function info(): ScalableInfo
    {
        $info = parent::info();
        assert($info instanceof ScalableInfo);
        return $info;
    }
}
