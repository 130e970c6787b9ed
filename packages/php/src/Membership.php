<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * A set of keys that can be asked: every Filter and Blob is one. Declare parameters with this type to
 * pass a fake in tests.
 */
interface Membership
{
    /**
     * Returns whether a key might have been added.
     *
     * @return bool false: the key was definitely not added
     */
    public function mightContain(string|int $key): bool;

    /**
     * Returns the values of $keys that might have been added, in their order. If $keys is an array, the
     * values keep their array keys. If it is a Traversable, the result is a list.
     *
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    public function candidates(iterable $keys): array;
}
