<?php

namespace Bloom\Internal;

/**
 * Refuses arguments with the same messages as the extension. Parameters for keys are declared as mixed, because PHP
 * would convert a float to a narrower type before anybody could refuse it. Methods are passed as "Class::method",
 * without the namespace.
 */
final class Arguments
{
    /** The argument that a sentence is about; "capacity" for all others. */
    private const NAMES = [
        Sentences::RATE => 'falsePositiveRate',
        Sentences::RATE_FLOOR => 'falsePositiveRate',
        Sentences::GROUPS_RATE => 'falsePositiveRate',
        Sentences::MAP_RATE => 'falsePositiveRate',
        Sentences::VALUE_BITS => 'valueBits',
        Sentences::MAP_LAYOUT => 'layout',
        Sentences::RIBBON_SHARD => 'shardBytes',
        Sentences::SHARD_BYTES => 'shardBytes',
        Sentences::BLOCK_BYTES => 'blockBytes',
        Sentences::PROBES => 'probes',
        Sentences::CHUNK_BYTES => 'chunkBytes',
        Sentences::BITS_PER_KEY => 'bitsPerKey',
        Sentences::GROUPS => 'groups',
        Sentences::FAN_OUT => 'fanOut',
        Sentences::GROWTH => 'growth',
        Sentences::TIGHTENING => 'tightening',
        Sentences::WINDOW => 'window',
        Sentences::TTL => 'ttl',
    ];

    /** @param string $requirement what the argument must be, maybe after the name of the argument */
    public static function error(string $method, string $argument, string $requirement): \ValueError
    {
        $place = (int) array_search($argument, self::names($method), true) + 1;
        $text = preg_replace('/\A[a-z -]+(?= must )/', '', $requirement);
        return new \ValueError("Bloom\\$method(): Argument #$place (\$$argument) " . ltrim((string) $text));
    }

    /** Refuses the argument of a method that makes a filter. */
    public static function refuse(string $method, string $sentence): \ValueError
    {
        $name = self::NAMES[$sentence] ?? 'capacity';
        $names = self::names($method);
        if (!in_array($name, $names, true) && in_array('layout', $names, true)) {
            return self::error($method, 'layout', "has an invalid $name: it " . strstr($sentence, 'must'));
        }
        return self::error($method, in_array($name, $names, true) ? $name : 'initialCapacity', $sentence);
    }

    /** @return list<string> the names of a method's parameters */
    private static function names(string $method): array
    {
        return array_column((new \ReflectionMethod(...explode('::', "Bloom\\$method")))->getParameters(), 'name');
    }

    public static function name(string $name, string $method): void
    {
        if (preg_match('/\A[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\z/', $name) !== 1) {
            throw self::error($method, 'name', Sentences::NAME);
        }
    }

    public static function jobs(int $jobs, string $method): void
    {
        if ($jobs < 1 || $jobs > 64) {
            throw self::error($method, 'jobs', 'must be between 1 and 64');
        }
    }

    /** Refuses a blob of another kind in like(). */
    public static function previous(Geometry $geometry, string $class): void
    {
        [$found, $text] = match (true) {
            $geometry->groups !== 0 => ['ReverseIndexBuilder', 'a reverse index'],
            $geometry->valueBits !== 0 => ['MapBuilder', 'a map'],
            default => ['Builder', 'other blobs'],
        };
        $wanted = ['Builder' => 'neither a reverse index nor a map', 'MapBuilder' => 'a map'][$class] ?? 'a reverse index';
        if ($found !== $class) {
            throw self::error("$class::like", 'previous', "must be $wanted (for $text use Bloom\\$found::like())");
        }
    }

    public static function source(string $source, string $method): void
    {
        if (strlen($source) > 128) {
            throw self::error($method, 'source', 'must be at most 128 bytes');
        }
    }

    /** Converts seconds to milliseconds. Returns 0 for null, and -1 if the number is out of range. */
    public static function milliseconds(?float $seconds): int
    {
        return $seconds === null ? 0 : ($seconds >= 0.01 && $seconds <= 1e9 ? (int) round($seconds * 1000) : -1);
    }

    public static function maxLag(?float $seconds, string $method): void
    {
        if ($seconds !== null && !($seconds === 0.0 || ($seconds >= 0.001 && $seconds <= 1e9))) {
            throw self::error($method, 'maxLag',
                'must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds');
        }
    }

    // ---- keys ----

    public static function key(mixed $key, string $method, string $argument = 'key'): string
    {
        if (is_string($key) || is_int($key) || $key instanceof \Stringable) {
            return (string) $key;
        }
        $message = self::error($method, $argument, 'must be of type string|int, ' . self::type($key)
            . ' given')->getMessage();
        throw new \TypeError($message);
    }

    /**
     * @param iterable<mixed, mixed> $keys
     *
     * @return \Generator<mixed, string>
     */
    public static function keys(iterable $keys, string $method, string $argument = 'keys'): \Generator
    {
        $place = 0;
        foreach ($keys as $at => $key) {
            yield $at => is_string($key) || is_int($key) ? (string) $key
                : throw self::wrongKey($key, $method, $argument, "position $place");
            $place++;
        }
    }

    private static function wrongKey(mixed $key, string $method, string $argument, string $where): \TypeError
    {
        $text = 'must contain only values of type string|int, ' . self::type($key) . " given at $where";
        return new \TypeError(self::error($method, $argument, $text)->getMessage());
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
        $list = is_array($keys) ? $keys : iterator_to_array($keys, false);
        $has = $test();
        $found = [];
        foreach ($list as $at => $key) {
            if (!is_string($key) && !is_int($key)) {
                // As PHP does in its own messages, a message ends a key at its first null byte.
                $where = is_string($at) ? '"' . explode("\0", $at, 2)[0] . '"' : (string) $at;
                throw self::wrongKey($key, $method, 'keys', (is_array($keys) ? 'key ' : 'position ') . $where);
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
