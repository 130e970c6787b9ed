<?php

declare(strict_types=1);

namespace Bloom\Symfony\Profiler;

use Bloom\Kit\HostMembership;

/** Measures the lookups of a filter. It is used only if kernel.debug is true. */
final readonly class TraceableFilter implements HostMembership
{
    public function __construct(private HostMembership $filter, private string $name, private Trace $trace)
    {
    }

    /** @param string|int $key wider than in Membership, as in HostFilter */
    public function mightContain(mixed $key): bool
    {
        $start = hrtime(true);
        $answer = $this->filter->mightContain($key);
        $this->trace->add($this->name, 1, $answer ? 0 : 1, (hrtime(true) - $start) / 1e9);
        return $answer;
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
        $keys = $isArray ? $keys : iterator_to_array($keys, false); // a generator cannot be counted
        $start = hrtime(true);
        $candidates = $this->filter->candidates($keys);
        $seconds = (hrtime(true) - $start) / 1e9;
        $this->trace->add($this->name, count($keys), count($keys) - count($candidates), $seconds);
        return $isArray ? $candidates : array_values($candidates);
    }

    public function isComplete(): bool
    {
        return $this->filter->isComplete();
    }

    public function confirm(int $looked, int $found, int $checked = 0, int $denied = 0): void
    {
        $this->filter->confirm($looked, $found, $checked, $denied);
    }

    public function reset(): void
    {
        $this->filter->reset();
    }
}
