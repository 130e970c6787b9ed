<?php

namespace Bloom\Internal;

/**
 * Refuses arguments with the same messages as the extension. Parameters for keys are declared as mixed, because PHP would
 * convert a float to a narrower type before anybody could refuse it. Methods are passed as "Class::method", without the
 * namespace.
 */
final class Arguments
{
    public static function error(string $method, int $argument, string $name, string $requirement): \ValueError
    {
        return new \ValueError("Bloom\\$method(): Argument #$argument (\$$name) $requirement");
    }

    /** @param int $code of a requirement in Sentences */
    public static function refuse(string $method, int $argument, string $name, int $code): \ValueError
    {
        // The sentence begins with the name of the parameter.
        return self::error($method, $argument, $name, (string) strstr(Sentences::ALL[$code][1], 'must'));
    }

    public static function name(string $name, string $method, int $argument = 1): void
    {
        if (preg_match('/\A[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\z/', $name) !== 1) {
            throw self::refuse($method, $argument, 'name', Sentences::NAME);
        }
    }

    public static function source(string $source, string $method, int $argument): void
    {
        if (strlen($source) > 128) {
            throw self::error($method, $argument, 'source', 'must be at most 128 bytes');
        }
    }

    /** Converts seconds to milliseconds. Returns 0 for null, and -1 if the number is out of range. */
    public static function milliseconds(?float $seconds): int
    {
        return $seconds === null ? 0 : ($seconds >= 0.01 && $seconds <= 1e9 ? (int) round($seconds * 1000) : -1);
    }

    public static function maxLag(?float $seconds, string $method, int $argument): void
    {
        if ($seconds !== null && !($seconds === 0.0 || ($seconds >= 0.001 && $seconds <= 1e9))) {
            throw self::error($method, $argument, 'maxLag', 'must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds');
        }
    }

    // ---- keys ----

    public static function key(mixed $key, string $method, int $argument = 1, string $name = 'key'): string
    {
        return match (true) {
            is_string($key) => $key,
            is_int($key), $key instanceof \Stringable => (string) $key,
            default => throw new \TypeError("Bloom\\$method(): Argument #$argument (\$$name) must be of type string|int, "
                . self::type($key) . ' given'),
        };
    }

    /**
     * @param iterable<mixed, mixed> $keys
     *
     * @return \Generator<mixed, string>
     */
    public static function keys(iterable $keys, string $method, int $argument = 1, string $name = 'keys'): \Generator
    {
        $place = 0;
        foreach ($keys as $at => $key) {
            if (!is_string($key) && !is_int($key)) {
                throw self::wrongKey($key, $method, $argument, $name, "position $place");
            }
            $place++;
            yield $at => (string) $key;
        }
    }

    private static function wrongKey(mixed $key, string $method, int $argument, string $name, string $where): \TypeError
    {
        return new \TypeError("Bloom\\$method(): Argument #$argument (\$$name) must contain only values of type string|int, "
            . self::type($key) . " given at $where");
    }

    /**
     * Returns the keys that the test accepts, which is made after an iterator has ended: it may run any code.
     *
     * @param iterable<mixed, mixed> $keys
     * @param callable(): (callable(string): bool) $test
     *
     * @return array<array-key, string|int>
     */
    public static function candidates(iterable $keys, string $method, callable $test): array
    {
        $list = is_array($keys) ? $keys : [];
        foreach (is_array($keys) ? [] : $keys as $key) {
            $list[] = is_string($key) || is_int($key) ? $key : throw self::wrongKey($key, $method, 1, 'keys', 'position ' . count($list));
        }
        $has = $test();
        $found = [];
        foreach ($list as $at => $key) {
            if (!is_string($key) && !is_int($key)) {
                // As PHP does in its own messages, a message ends a key at its first null byte.
                throw self::wrongKey($key, $method, 1, 'keys', 'key ' . (is_int($at) ? $at : '"' . explode("\0", $at, 2)[0] . '"'));
            }
            if ($has((string) $key)) {
                $found[$at] = $key;
            }
        }
        return is_array($keys) ? $found : array_values($found);
    }

    /** Names a type as the messages of PHP's own functions do. */
    public static function type(mixed $value): string
    {
        return is_object($value) ? $value::class : (is_resource($value) ? 'resource' : get_debug_type($value));
    }
}
