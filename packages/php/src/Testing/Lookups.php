<?php

namespace Bloom\Testing;

/**
 * What the filters for tests share: they check keys as the real ones do. The parameters are wider than
 * those of Membership, because PHP would convert a float before a narrower parameter could refuse it.
 */
trait Lookups
{
    abstract protected function has(string $key): bool;

    /**
     * @param string|int $key any other type throws TypeError, in every typing mode
     */
    public function mightContain(mixed $key): bool
    {
        if (!is_string($key) && !is_int($key)) {
            throw new \TypeError(static::class . '::mightContain(): Argument #1 ($key) must be of type string|int, '
                . get_debug_type($key) . ' given');
        }
        return $this->has((string) $key);
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    public function candidates(iterable $keys): array
    {
        $found = [];
        $place = 0;
        $isArray = is_array($keys);
        /** @var array-key $at if $keys is an array */
        foreach ($keys as $at => $key) {
            if (!is_string($key) && !is_int($key)) {
                throw new \TypeError(static::class
                    . '::candidates(): Argument #1 ($keys) must contain only values of type '
                    . 'string|int, ' . get_debug_type($key) . ' given at ' . (!$isArray ? "position $place"
                    : 'key ' . (is_string($at) ? "\"$at\"" : $at)));
            }
            $place++;
            if (!$this->has((string) $key)) {
                continue;
            }
            if ($isArray) {
                $found[$at] = $key;
            } else {
                $found[] = $key;
            }
        }
        return $found; // @phpstan-ignore return.type (the type is conditional)
    }
}
