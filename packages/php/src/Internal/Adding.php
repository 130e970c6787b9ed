<?php

namespace Bloom\Internal;

use Bloom\KindException;
use Bloom\NotFoundException;
use Bloom\SegmentException;

/**
 * The methods of filters to which keys can be added.
 *
 * @internal
 */
trait Adding
{
    /**
     * Adds a key.
     *
     * Cost: a lookup, and one write for each bit that was not set.
     *
     * @return bool true: the key was definitely not in the filter. If processes add the same new key at
     *         the same time, several of them may get true
     *
     * @throws NotFoundException if the filter was dropped
     * @throws KindException if the filter was dropped and its name now belongs to a filter of a
     *         different class
     * @throws SegmentException if this process cannot map the filter
     */
    public function add(mixed $key): bool
    {
        $key = Keys::of($key, self::method('add'));
        return $this->write(fn (Live $live): bool => $live->add($key));
    }

    /**
     * Adds keys.
     *
     * @param iterable<mixed, string|int> $keys
     *
     * @return int the number of keys that were definitely not in the filter
     *
     * @throws \TypeError if a value is neither string nor int; the values before it have been added
     */
    public function addMany(iterable $keys): int
    {
        return array_sum(array_map(intval(...), $this->addAll($keys, 'addMany')));
    }

    /**
     * Adds keys, and returns for each whether it was certainly new. If $keys is an array, the answers have
     * its array keys. If it is a Traversable, they are a list.
     *
     * @template TKey of array-key
     *
     * @param array<TKey, string|int>|\Traversable<mixed, string|int> $keys
     *
     * @return ($keys is array ? array<TKey, bool> : list<bool>)
     *
     * @throws \TypeError if a value is neither string nor int; the values before it have been added
     */
    public function addEach(iterable $keys): array
    {
        return $this->addAll($keys, 'addEach');
    }

    /**
     * @template TKey of array-key
     *
     * @param array<TKey, string|int>|\Traversable<mixed, string|int> $keys
     *
     * @return ($keys is array ? array<TKey, bool> : list<bool>) whether each key was certainly new; the keys before an invalid
     *         one are added
     */
    private function addAll(iterable $keys, string $method): array
    {
        // No lock is held while the caller's iterator runs.
        $list = is_array($keys) ? $keys : iterator_to_array($keys, false);
        $answers = $this->write(function (Live $live) use ($list, $method): array {
            $answers = [];
            /** @var array-key $at */
            foreach (Keys::each($list, self::method($method)) as $at => $key) {
                $answers[$at] = $live->add($key);
            }
            return $answers;
        });
        return $answers; // @phpstan-ignore return.type (the type is conditional)
    }

    private static function method(string $name): string
    {
        return substr(self::class, strlen('Bloom\\')) . "::$name";
    }
}
