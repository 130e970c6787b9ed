<?php

namespace Bloom\Internal;

/**
 * Checks keys. The parameters that take keys are declared as mixed: PHP would convert a float to a key before
 * a narrower parameter could refuse it.
 */
final class Keys
{
    /** @param string $method "Class::method" without the namespace */
    public static function of(mixed $key, string $method, int $argument = 1, string $name = 'key'): string
    {
        return match (true) {
            is_string($key) => $key,
            is_int($key) => (string) $key,
            $key instanceof \Stringable => (string) $key,
            default => throw new \TypeError("Bloom\\$method(): Argument #$argument (\$$name) must be of type string|int, "
                . self::type($key) . ' given'),
        };
    }

    /**
     * @param iterable<mixed, mixed> $keys
     *
     * @return \Generator<mixed, string>
     */
    public static function each(iterable $keys, string $method, int $argument = 1, string $name = 'keys'): \Generator
    {
        $place = 0;
        foreach ($keys as $at => $key) {
            if (!is_string($key) && !is_int($key)) {
                throw new \TypeError("Bloom\\$method(): Argument #$argument (\$$name) must contain only values of type "
                    . 'string|int, ' . self::type($key) . " given at position $place");
            }
            $place++;
            yield $at => (string) $key;
        }
    }

    /**
     * Returns the values that the test accepts.
     *
     * @param iterable<mixed, mixed> $keys
     * @param callable(string): bool $has
     * @param bool|null $isArray whether the caller passed an array, whose keys the result keeps; null: $keys tells
     *
     * @return array<array-key, string|int>
     */
    public static function candidates(iterable $keys, string $method, callable $has, ?bool $isArray = null): array
    {
        $isArray ??= is_array($keys);
        $keys = is_array($keys) ? $keys : self::list($keys, $method);
        $found = [];
        foreach ($keys as $at => $key) {
            if (!is_string($key) && !is_int($key)) {
                // As PHP does in its own messages, a message ends a key at its first null byte.
                $at = is_string($at) ? explode("\0", $at, 2)[0] : $at;
                throw self::wrongValue($key, $method, 'key ' . (is_int($at) ? $at : "\"$at\""));
            }
            if ($has((string) $key)) {
                $found[$at] = $key;
            }
        }
        return $isArray ? $found : array_values($found);
    }

    /**
     * Returns the values of an iterator, whose keys may be repeated. It stops at the first value that is refused.
     *
     * @param iterable<mixed, mixed> $keys
     *
     * @return list<string|int>
     */
    public static function list(iterable $keys, string $method): array
    {
        $list = [];
        foreach ($keys as $key) {
            $list[] = is_string($key) || is_int($key) ? $key
                : throw self::wrongValue($key, $method, 'position ' . count($list));
        }
        return $list;
    }

    private static function wrongValue(mixed $key, string $method, string $where): \TypeError
    {
        return new \TypeError("Bloom\\$method(): Argument #1 (\$keys) must contain only values of type string|int, "
            . self::type($key) . " given at $where");
    }

    /** Names a type as the messages of PHP's own functions do. */
    public static function type(mixed $value): string
    {
        return match (true) {
            is_object($value) => $value::class,
            is_resource($value) => 'resource',
            default => get_debug_type($value),
        };
    }
}
