<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Failure;
use Bloom\Internal\Access;
use Bloom\Internal\KeySet;
use Bloom\Internal\Live;

/** A filter to which all processes of one user on this host can add keys. */
final class LiveFilter extends WritableFilter
{
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'capacity', 3 => 'falsePositiveRate', 6 => 'ttl'];

    /** Returns the live filter with the given name. */
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
        Live::create($name, Kind::Live, ['capacity' => $capacity, 'rate' => $falsePositiveRate, 'bounded' => $bounded], $seed, $keyed, $ttl, $exclusive, 'LiveFilter::create', self::ARGUMENTS);
        return self::open($name);
    }

    /** Creates a live filter with the keys, the geometry and the key count of a blob. */
    public static function import(string $name, Blob $blob): LiveFilter
    {
        Arguments::name($name, 'LiveFilter::import');
        $head = Access::head($blob);
        if ($head->geometry->groups !== 0) {
            throw new KindException('This blob is a reverse index', Status::Kind->value);
        }
        if ($head->mark !== '') {
            throw Failure::of(Status::Marked, $name);
        }
        throw Failure::needsExtension('a live filter with the contents of a blob');
    }

    /** Adds all keys of blobs and live filters. */
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
