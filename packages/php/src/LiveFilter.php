<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Creating;
use Bloom\Internal\Failure;
use Bloom\Internal\Friend;
use Bloom\Internal\Keys;
use Bloom\Internal\Live;
use Bloom\Internal\Sentences;
use Bloom\Internal\Signature;

/** A filter to which all processes of one user on this host can add keys. */
final class LiveFilter extends Filter
{
    use Internal\Adding;
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'capacity', 3 => 'falsePositiveRate', 6 => 'ttl'];

    /**
     * Returns the live filter with the given name. Creates the filter if it does not exist.
     *
     * Cost: the same as open() if the filter exists. Creating a filter takes up to a few milliseconds.
     *
     * @param int $capacity number of distinct keys that the filter is sized for, 1 to 10^12. More keys
     *        can be added, but the rate then rises, and info() returns a warning
     * @param float $falsePositiveRate the rate at capacity, 10^-9 to 0.5
     * @param int|null $seed hash seed; null: the seed of the existing filter, or a random one
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`; see Builder. After
     *        the secret is rotated, an existing filter keeps its original secret
     * @param float|null $ttl seconds, 0.01 to 1,000,000,000, after which a new filter is dropped, as by
     *        drop(). Processes that use it notice within a second. Its memory is freed when a process
     *        next opens, creates or lists it. null: it is never dropped. An existing filter keeps its own
     *        time to live
     * @param bool $exclusive throw if the filter exists
     * @param bool $bounded refuse a new key when the filter has $capacity keys, instead of exceeding the
     *        rate: add() then throws RateException. Processes that add at the same time can each
     *        exceed the capacity by one key
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
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false,
        bool $bounded = false
    ): LiveFilter {
        $params = ['name' => $name, 'kind' => Kind::Live->value, 'capacity' => $capacity, 'rate' => $falsePositiveRate, 'bounded' => $bounded];
        (new Creating($params, 'LiveFilter::create'))->run($seed, $keyed, $ttl, $exclusive, self::ARGUMENTS);
        return self::open($name);
    }

    /**
     * Creates a live filter with the keys, the geometry and the key count of a blob.
     *
     * @throws KindException if a filter with this name exists, if the blob is a reverse index or a ribbon
     *         filter, or if it has a mark: a live filter does not follow a journal
     * @throws SegmentException in the same cases as create()
     */
    public static function import(string $name, Blob $blob): LiveFilter
    {
        Arguments::name($name, 'LiveFilter::import');
        $head = Friend::head($blob);
        if ($head->geometry->groups !== 0) {
            throw new KindException('This blob is a reverse index', Status::Kind->value);
        }
        if ($head->mark !== '') {
            throw Failure::of(Status::Marked, $name);
        }
        $params = ['name' => $name, 'kind' => Kind::Live->value, 'capacity' => $head->capacity, 'rate' => $head->askedRate(),
            'fingerprint' => $head->geometry->fingerprint];
        (new Creating($params, 'LiveFilter::import'))->import($head, Friend::body($blob));
        return self::open($name);
    }

    /**
     * Adds all keys of blobs and live filters. They need the same geometry, seed and secret, as those
     * have that were created or built with the same parameters and seed. `keys` of info() is then
     * estimated.
     *
     * Cost: one pass over both filters for each argument. Processes can look up and add keys meanwhile.
     *
     * @throws \ValueError if the geometry, seed or secret differs; the message names the first
     *         difference
     * @throws KindException if a blob is a ribbon filter or has a mark
     * @throws RateException if a bounded filter might become too full
     * @throws SignatureException if `bloom.signing_key_file` is set, and a blob is not signed for this
     *         name by one of its keys
     */
    public function merge(Blob|LiveFilter ...$others): void
    {
        if ($others === []) {
            throw new \ArgumentCountError('Bloom\LiveFilter::merge() expects at least 1 argument, 0 given');
        }
        foreach (array_values($others) as $at => $other) {
            [$geometry, $body, $keys] = $other instanceof Blob ? $this->ofBlob($other)
                : $other->write(fn (Live $live): array => [$live->geometry(0), $live->body(0), $live->layers()[0]['keys']], false);
            $this->write(function (Live $live) use ($geometry, $body, $keys, $at): void {
                $difference = $live->geometry(0)->difference($geometry);
                if ($difference !== null) {
                    throw new \ValueError('Bloom\LiveFilter::merge(): Argument #' . ($at + 1) . ' '
                        . strstr(Sentences::ALL[Sentences::DIFFERENT][1], 'must') . ": $difference");
                }
                $live->merge($body, $keys);
            });
        }
    }

    /** @return array{Internal\Geometry, string, int} */
    private function ofBlob(Blob $blob): array
    {
        $head = Friend::head($blob);
        if ($head->geometry->stripes !== 0) {
            throw Failure::of(Status::Solved, 'scheme ribbon');
        }
        if ($head->mark !== '') {
            throw Failure::of(Status::Marked, $this->name());
        }
        Signature::check($head, $this->name());
        return [$head->geometry, Friend::body($blob), $head->keys];
    }

    /** See Filter::info(). */
    public function info(): LiveInfo
    {
        $info = parent::info();
        assert($info instanceof LiveInfo);
        return $info;
    }
}
