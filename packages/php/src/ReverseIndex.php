<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Failure;
use Bloom\Internal\Access;
use Bloom\Internal\Keys;
use Bloom\Internal\KeySet;
use Bloom\Internal\Live;

/** An index that returns the groups that may contain a value. */
final class ReverseIndex extends Filter
{
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'groups', 3 => 'capacity', 4 => 'falsePositiveRate', 5 => 'fanOut', 8 => 'ttl'];

    /**
     * See Filter::load().
     * @param (callable(int, int): mixed)|null $progress
     */
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

    /** Returns the live index with the given name. */
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
        Live::create($name, Kind::Reverse, ['groups' => $groups, 'capacity' => $capacity, 'rate' => $falsePositiveRate, 'fanOut' => $fanOut], $seed, $keyed, $ttl, $exclusive, 'ReverseIndex::create', self::ARGUMENTS);
        return self::open($name);
    }

    /** Creates a live index with the contents of a blob. */
    public static function import(string $name, Blob $blob): ReverseIndex
    {
        Arguments::name($name, 'ReverseIndex::import');
        $head = Access::head($blob);
        if ($head->geometry->groups === 0) {
            throw new KindException('This blob is not a reverse index', Status::Kind->value);
        }
        throw Failure::needsExtension('an index with the contents of a blob');
    }

    /** Adds a value to a group. */
    public function add(int $group, mixed $value): bool
    {
        $value = Keys::of($value, 'ReverseIndex::add', 2, 'value');
        return $this->change(function (KeySet $set, array $current) use ($group, $value): array {
            self::check($current, $group, 'add');
            return Live::addToGroup($set, $group, $value);
        });
    }

    /**
     * Adds values to a group.
     * @param iterable<mixed, string|int> $values
     */
    public function addMany(int $group, iterable $values): int
    {
        $list = is_array($values) ? $values : iterator_to_array($values, false);
        [$count, $error] = $this->change(function (KeySet $set, array $current) use ($group, $list): array {
            self::check($current, $group, 'addMany');
            $records = [];
            $error = null;
            try {
                foreach (Keys::each($list, 'ReverseIndex::addMany', 2, 'values') as $value) {
                    $records["v$value"] = Live::addToGroup($set, $group, $value)[1];
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
            throw Arguments::error("ReverseIndex::$method", 1, 'group', 'must be from 0 to ' . ($groups - 1));
        }
    }

    /**
     * Returns all groups that contain a value, and possibly a few groups that do not.
     * @return list<int>
     */
    public function groups(mixed $value, int $limit = 100_000): array
    {
        $value = Keys::of($value, 'ReverseIndex::groups', 1, 'value');
        if ($limit < 1) {
            throw Arguments::error('ReverseIndex::groups', 2, 'limit', 'must be at least 1');
        }
        return $this->blobAnswers()?->groups($value, $limit)
            ?? $this->change(fn (KeySet $set): array => [Answers::list($set->groups($value), $limit), '']);
    }

    /** Writes a snapshot. */
    public function save(string|Store $target): void
    {
        throw Failure::needsExtension('a snapshot');
    }

    /** See Filter::info(). */
    public function info(): LoadedInfo|LiveInfo
    {
        $info = parent::info();
        assert($info instanceof LoadedInfo || $info instanceof LiveInfo);
        return $info;
    }
}
