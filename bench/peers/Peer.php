<?php
namespace BloomBench;

/** A way to tell which keys exist, at its best: what bench/peers.php measures each by. */
abstract class Peer
{
    public function __construct(public readonly string $name, public readonly bool $exact = true)
    {
    }

    /** Puts the whole key set in place of what was there, for all workers of the host. */
    abstract public function load(array $keys): void;

    /** What a worker has to do in each request before its first question. */
    abstract public function open(): void;

    /**
     * Ways to ask key by key.
     *
     * @return array<string, callable(list<string>): int> how many are there
     */
    abstract public function singles(): array;

    /**
     * Ways to ask for pages of keys.
     *
     * @return array<string, callable(list<list<string>>): int>
     */
    abstract public function pages(): array;

    /** @return array{int, int} bytes that the host's workers share, and that each of them has of its own */
    abstract public function bytes(): array;
}
