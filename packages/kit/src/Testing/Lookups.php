<?php

declare(strict_types=1);

namespace Bloom\Kit\Testing;

use Bloom\Kit\Keys;

/** What the fakes share: they refuse the keys that a HostFilter refuses. */
trait Lookups
{
    abstract protected function has(string $key): bool;

    /** @param string|int $key any other type throws TypeError */
    public function mightContain(mixed $key): bool
    {
        return $this->candidates([$key]) !== [];
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     *
     * @psalm-suppress InvalidArgument, PossiblyInvalidArgument, MixedReturnTypeCoercion conditional types
     */
    public function candidates(iterable $keys): array
    {
        $isArray = is_array($keys);
        $checked = Keys::checked($isArray ? $keys : iterator_to_array($keys, false));
        $candidates = array_filter($checked, fn (string|int $key): bool => $this->has((string) $key));
        return $isArray ? $candidates : array_values($candidates);
    }

    public function confirm(int $looked, int $found, int $checked = 0, int $denied = 0): void
    {
    }

    public function reset(): void
    {
    }
}
