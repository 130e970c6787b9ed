<?php

declare(strict_types=1);

namespace Bloom\Kit;

/** @internal */
final class Keys
{
    /**
     * Rejects what a loaded filter rejects. Otherwise such an error would appear only once the filter is loaded.
     *
     * @template TKey of array-key
     * @template TValue
     *
     * @param array<TKey, TValue> $keys
     *
     * @return array<TKey, TValue>
     */
    public static function checked(array $keys): array
    {
        foreach ($keys as $key) {
            if (!is_string($key) && !is_int($key)) {
                $type = get_debug_type($key);
                throw new \TypeError("A key of a Bloom filter must be of type string|int, $type given");
            }
        }
        return $keys;
    }

    /** Throws if a call has more arguments than a method. PHP would ignore them, so add(...$keys) would lose keys. */
    public static function refuseMore(string $method, int $count, int $given): void
    {
        if ($given > $count) {
            throw new \ArgumentCountError("$method() expects exactly $count argument" . ($count === 1 ? '' : 's')
                . ", $given given: pass several keys as one array");
        }
    }
}
