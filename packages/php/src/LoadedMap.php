<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Failure;

/** A map from keys to values that was loaded from a blob. */
final class LoadedMap extends Filter
{
    /** @param (callable(int, int): mixed)|null $progress */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): LoadedMap {
        $filter = parent::load($name, $blob, $progress, $journal, $maxLag);
        assert($filter instanceof LoadedMap);
        return $filter;
    }

    public function get(mixed $key): ?int
    {
        $key = Arguments::key($key, 'LoadedMap::get');
        return $this->present()->get($key);
    }

    /**
     * @template TKey of array-key
     * @param array<TKey, string|int> $keys
     * @return array<TKey, int>
     */
    public function getMany(array $keys): array
    {
        $map = $this->present();
        $keys = Arguments::candidates($keys, 'LoadedMap::getMany', static fn (): callable => $map->has(...));
        // @phpstan-ignore return.type (candidates() keeps the array keys)
        return array_map(static fn (string|int $key): int => (int) $map->get((string) $key), $keys);
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    public function candidates(iterable $keys, ?int $mask = null): array
    {
        if ($mask === 0) {
            throw Arguments::error('LoadedMap::candidates', 'mask', 'must have a bit that is 1: no value has a bit of 0');
        }
        // @phpstan-ignore return.type (it is conditional)
        return Arguments::candidates($keys, 'LoadedMap::candidates', function () use ($mask): callable {
            $map = $this->map();
            return match (true) {
                $map === null => static fn (string $key): bool => true,
                $mask === null => $map->has(...),
                default => static fn (string $key): bool => ((int) $map->get($key) & $mask) !== 0,
            };
        });
    }

    private function present(): Answers
    {
        return $this->map() ?? throw Failure::of(Status::Unmapped, $this->name());
    }

    public function info(): LoadedInfo
    {
        $info = parent::info();
        assert($info instanceof LoadedInfo);
        return $info;
    }
}
