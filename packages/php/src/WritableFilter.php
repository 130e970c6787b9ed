<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Failure;
use Bloom\Internal\KeySet;
use Bloom\Internal\Live;

/** A live filter. */
abstract class WritableFilter extends Filter
{
    final public function add(mixed $key): bool
    {
        return $this->addAll([Arguments::key($key, 'WritableFilter::add')], 'add')[0];
    }

    /** @param iterable<mixed, string|int> $keys */
    final public function addMany(iterable $keys): int
    {
        return count(array_filter($this->addAll($keys, 'addMany')));
    }

    /**
     * @template TKey of array-key
     * @param array<TKey, string|int>|\Traversable<mixed, string|int> $keys
     * @return ($keys is array ? array<TKey, bool> : list<bool>)
     */
    final public function addEach(iterable $keys): array
    {
        return $this->addAll($keys, 'addEach'); // @phpstan-ignore return.type (the type is conditional)
    }

    /**
     * @param iterable<mixed, mixed> $keys
     *
     * @return array<array-key, bool> whether each key was definitely new; the keys before an invalid one are added
     */
    private function addAll(iterable $keys, string $method): array
    {
        // No lock is held while the caller's iterator runs.
        $list = is_array($keys) ? $keys : iterator_to_array($keys, false);
        [$answers, $error] = $this->change(function (KeySet $set, array $current) use ($list, $method): array {
            /** @var iterable<array-key, string> $each */
            $each = Arguments::keys($list, "WritableFilter::$method");
            return Live::add($set, $each, $current, $this->name());
        });
        return $error === null ? $answers : throw $error;
    }

    final public function save(string|Store $target): void
    {
        throw Failure::needsExtension('a snapshot');
    }

    public function info(): LiveInfo
    {
        $info = parent::info();
        assert($info instanceof LiveInfo);
        return $info;
    }
}
