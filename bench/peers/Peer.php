<?php
namespace BloomBench;

/** A way to check which keys exist. bench/peers.php measures the best form of each. */
abstract class Peer
{
    /** A peer that is a server is measured a second time while idle-priority loops keep all processors awake. */
    public function __construct(
        public readonly string $name,
        public readonly bool $exact = true,
        public readonly bool $isServer = false,
    ) {
    }

    /** Replaces the previous key set with these keys, for all workers of the host. */
    abstract public function load(array $keys): void;

    /** Performs the work that a worker has to do in each request before its first lookup. */
    abstract public function open(): void;

    /**
     * Returns functions that look up keys one by one.
     *
     * @return array<string, callable(list<string>): int> the number of keys found
     */
    abstract public function singles(): array;

    /**
     * Returns functions that look up pages of keys. Those of servers accept pages of any size.
     *
     * @return array<string, callable(list<list<string>>): int>
     */
    abstract public function pages(): array;

    /** @return array{int, int} bytes that the host's workers share, and bytes per worker */
    abstract public function bytes(): array;
}
