<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * A key-value store. Values are binary strings. A chunk has at most the blob's chunk size; a head is 4
 * KiB or larger. Any method may throw; the extension wraps the exception in a StoreException.
 *
 * If a store can determine a value's size before it reads the value, it should refuse values larger
 * than 1 GiB, the largest chunk size. The extension discards values that are too long, but only after
 * they are in memory.
 */
interface Store
{
    /**
     * Returns the values of the keys that exist. Keys that do not exist are omitted or have the value
     * null.
     *
     * @param list<string> $keys
     *
     * @return array<string, string|null>
     */
    public function getMultiple(array $keys): array;

    /**
     * Returns the keys that do not exist.
     *
     * @param list<string> $keys
     *
     * @return list<string>
     */
    public function missing(array $keys): array;

    /** Stores a value atomically: a concurrent reader gets either the old value or the new value. */
    public function set(string $key, string $value): void;

    /**
     * Stores a value only if the key's present value is exactly `$expected`. If two processes call this
     * method at the same time with the same `$expected` and different values, only one of them may
     * succeed, so that a slow publisher never replaces a head that it has not seen.
     *
     * The comparison must take place where values are written, for example in a transaction, and never
     * on a replica that may lag. You can ignore calls of set() and deleteMultiple() for the same key.
     *
     * @param string|null $expected null: the key must not exist
     *
     * @return bool false: the key has a different value, and nothing was stored
     */
    public function replace(string $key, ?string $expected, string $value): bool;

    /**
     * Deletes keys. A key that does not exist is not an error. If a key cannot be deleted, delete the
     * other keys before you throw. publish() reports the exception as a warning, and the next publish
     * tries again.
     *
     * @param list<string> $keys
     */
    public function deleteMultiple(array $keys): void;
}
