<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Failure;
use Bloom\Internal\KeySet;
use Bloom\Internal\Live;

/** An index that returns the groups that may contain a value. */
final class ReverseIndex extends Filter
{
    use Internal\Exporting;

    /** @param (callable(int, int): mixed)|null $progress */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): ReverseIndex {
        $filter = parent::load($name, $blob, $progress, $journal, $maxLag);
        assert($filter instanceof ReverseIndex);
        return $filter;
    }

    public static function create(
        string $name,
        int $groups,
        int $capacity,
        float $falsePositiveRate = 0.001,
        int $fanOut = 256,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false
    ): ReverseIndex {
        $own = ['groups' => $groups, 'capacity' => $capacity, 'rate' => $falsePositiveRate, 'fanOut' => $fanOut];
        Live::create(self::class, $name, Kind::Reverse, $own, $seed, $keyed, $ttl, $exclusive);
        return self::open($name);
    }

    public static function import(string $name, Blob $blob): ReverseIndex
    {
        throw Failure::needsExtension('import()');
    }

    public function add(int $group, mixed $value): bool
    {
        $value = Arguments::key($value, 'ReverseIndex::add', 'value');
        return $this->change(function (KeySet $set, array $current) use ($group, $value): array {
            self::check($current, $group, 'add');
            return self::record($set, $group, $value);
        });
    }

    /** @param iterable<mixed, string|int> $values */
    public function addMany(int $group, iterable $values): int
    {
        $list = is_array($values) ? $values : iterator_to_array($values, false);
        [$count, $error] = $this->change(function (KeySet $set, array $current) use ($group, $list): array {
            self::check($current, $group, 'addMany');
            $records = [];
            $error = null;
            try {
                foreach (Arguments::keys($list, 'ReverseIndex::addMany', 'values') as $value) {
                    $records["v$value"] = self::record($set, $group, $value)[1];
                }
            } catch (\TypeError $thrown) {
                $error = $thrown; // The values before it are added.
            }
            return [[count(array_filter($records)), $error], implode('', $records)];
        });
        return $error === null ? $count : throw $error;
    }

    /** @param array{params: array{groups: int, ...}|null, ...} $current */
    private static function check(array $current, int $group, string $method): void
    {
        $groups = $current['params']['groups'] ?? 0;
        if ($group < 0 || $group >= $groups) {
            throw Arguments::error("ReverseIndex::$method", 'group', 'must be between 0 and ' . ($groups - 1));
        }
    }

    /** @return array{bool, string} whether the value is new in the group, and its record */
    private static function record(KeySet $set, int $group, string $value): array
    {
        $isNew = !in_array($group, $set->groups($value), true);
        return [$isNew, $isNew ? KeySet::record($value, 1, $group) : ''];
    }

    /** @return list<int> */
    public function groups(mixed $value, int $limit = 100_000): array
    {
        $value = Arguments::key($value, 'ReverseIndex::groups', 'value');
        if ($limit < 1) {
            throw Arguments::error('ReverseIndex::groups', 'limit', 'must be at least 1');
        }
        return $this->answers()?->groups($value, $limit)
            ?? $this->change(fn (KeySet $set): array => [Answers::list($set->groups($value), $limit), '']);
    }

    public function save(string|Store $target): void
    {
        throw Failure::needsExtension('a snapshot');
    }

    public function info(): LoadedInfo|LiveInfo
    {
        $info = parent::info();
        assert($info instanceof LoadedInfo || $info instanceof LiveInfo);
        return $info;
    }
}
