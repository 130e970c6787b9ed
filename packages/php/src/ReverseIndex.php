<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Creating;
use Bloom\Internal\Friend;
use Bloom\Internal\Keys;
use Bloom\Internal\Live;

/** An index that returns the groups that may contain a value. */
final class ReverseIndex extends Filter
{
    use Internal\Exporting;

    private const ARGUMENTS = [1 => 'name', 2 => 'groups', 3 => 'capacity', 4 => 'falsePositiveRate', 5 => 'fanOut', 8 => 'ttl'];

    /**
     * See Filter::load().
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
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

    /**
     * Returns the live index with the given name. Creates the index if it does not exist.
     *
     * @param int $groups number of groups, 1 to 2^32. Groups are numbered 0 to $groups − 1
     * @param int $capacity total number of values in all groups. A value that is in two groups counts
     *        twice
     * @param float $falsePositiveRate the rate of each filter of the tree, 10^-9 to 0.5. This rate is
     *        an upper bound for the rate of a single group. `expectedWrongGroups` of info() is the
     *        expected number of wrong groups in the result of a lookup
     * @param int $fanOut number of children per node, a power of two, 64 to 1024
     * @param int|null $seed hash seed; null: the seed of the existing index, or a random one
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`; see Builder. After
     *        the secret is rotated, an existing index keeps its original secret
     * @param float|null $ttl seconds, 0.01 to 1,000,000,000, after which a new index is dropped, as by
     *        drop(). Processes that use it notice within a second. Its memory is freed when a process
     *        next opens, creates or lists it. null: it is never dropped. An existing index keeps its own
     *        time to live
     * @param bool $exclusive throw if the index exists
     *
     * @throws KindException if the existing filter is of a different kind or has different parameters, or
     *         if it exists and $exclusive is set
     * @throws SecretException if the index is keyed or should be keyed, but this process does not have
     *         the secret
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws \ValueError if an argument is out of range
     */
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
        $params = ['name' => $name, 'kind' => Kind::Reverse->value, 'groups' => $groups, 'capacity' => $capacity,
            'rate' => $falsePositiveRate, 'fanOut' => $fanOut];
        (new Creating($params, 'ReverseIndex::create'))->run($seed, $keyed, $ttl, $exclusive, self::ARGUMENTS);
        return self::open($name);
    }

    /**
     * Creates a live index with the contents of a blob.
     *
     * @throws KindException if a filter with this name exists, or if the blob is not a reverse index
     */
    public static function import(string $name, Blob $blob): ReverseIndex
    {
        Arguments::name($name, 'ReverseIndex::import');
        $head = Friend::head($blob);
        if ($head->geometry->groups === 0) {
            throw new KindException('This blob is not a reverse index', Status::Kind->value);
        }
        $params = ['name' => $name, 'kind' => Kind::Reverse->value, 'capacity' => $head->capacity, 'rate' => $head->askedRate(),
            'groups' => $head->geometry->groups, 'fanOut' => $head->geometry->fanOut, 'fingerprint' => $head->geometry->fingerprint];
        (new Creating($params, 'ReverseIndex::import'))->import($head, Friend::body($blob));
        return self::open($name);
    }

    /**
     * Adds a value to a group.
     *
     * @return bool true: the value was definitely not in that group. Several processes may get true, as with
     *         LiveFilter::add()
     *
     * @throws KindException if the index was loaded from a blob
     * @throws \ValueError if the group does not exist
     */
    public function add(int $group, mixed $value): bool
    {
        $value = Keys::of($value, 'ReverseIndex::add', 2, 'value');
        return $this->write(function (Live $live) use ($group, $value): bool {
            self::check($live, $group, 'add');
            return $live->addToGroup($group, $value);
        });
    }

    /**
     * Adds values to a group.
     *
     * @param iterable<mixed, string|int> $values
     *
     * @return int the number of values that were definitely not in the group
     */
    public function addMany(int $group, iterable $values): int
    {
        $list = is_array($values) ? $values : iterator_to_array($values, false);
        return $this->write(function (Live $live) use ($group, $list): int {
            self::check($live, $group, 'addMany');
            $new = 0;
            foreach (Keys::each($list, 'ReverseIndex::addMany', 2, 'values') as $value) {
                $new += (int) $live->addToGroup($group, $value);
            }
            return $new;
        });
    }

    private static function check(Live $live, int $group, string $method): void
    {
        if ($group < 0 || $group >= $live->params['groups']) {
            throw Arguments::error("ReverseIndex::$method", 1, 'group', 'must be from 0 to ' . ($live->params['groups'] - 1));
        }
    }

    /**
     * Returns all groups that contain a value, and possibly a few groups that do not.
     *
     * @param int $limit maximum number of groups in the list. The list is never truncated: a group that
     *        is not in it certainly does not contain the value. A list of 100,000 groups needs 2 MB
     *
     * @return list<int> in ascending order
     *
     * @throws BloomException if more than $limit groups may contain the value (E_GROUPS_LIMIT): raise
     *         the limit
     * @throws SegmentException if this process cannot map the index; any group may then contain the
     *         value
     * @throws NotFoundException if the index was dropped
     * @throws \ValueError if $limit is below 1
     */
    public function groups(mixed $value, int $limit = 100_000): array
    {
        $value = Keys::of($value, 'ReverseIndex::groups', 1, 'value');
        if ($limit < 1) {
            throw Arguments::error('ReverseIndex::groups', 2, 'limit', 'must be at least 1');
        }
        $groups = $this->blobAnswers()?->groups($value, $limit)
            ?? $this->write(fn (Live $live): array => $live->groups($value, $limit), false);
        $this->noteLookups(1, (int) ($groups !== []));
        return $groups;
    }

    /** See Filter::info(). */
    public function info(): LoadedIndexInfo|LiveIndexInfo
    {
        $info = parent::info();
        assert($info instanceof LoadedIndexInfo || $info instanceof LiveIndexInfo);
        return $info;
    }
}
