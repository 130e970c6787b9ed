<?php

namespace Bloom\Testing;

use Bloom\Membership;

/**
 * A set without false positives, for tests that need certain answers. Code that passes such a test may
 * still take "maybe" for "yes", so you should also test it with AlwaysMaybeFilter.
 */
final class ExactFilter implements Membership
{
    use Lookups;

    /** @var array<string, true> the keys, each after a letter, because PHP turns the array key "5" into 5 */
    private array $keys = [];

    /** @param iterable<mixed, string|int> $keys */
    public function __construct(iterable $keys = [])
    {
        $this->addMany($keys);
    }

    /** @return bool whether the key was new */
    public function add(string|int $key): bool
    {
        $isNew = !isset($this->keys["k$key"]);
        $this->keys["k$key"] = true;
        return $isNew;
    }

    /**
     * @param iterable<mixed, string|int> $keys
     *
     * @return int the number of keys that were new
     */
    public function addMany(iterable $keys): int
    {
        $new = 0;
        foreach ($keys as $key) {
            $new += (int) $this->add($key);
        }
        return $new;
    }

    protected function has(string $key): bool
    {
        return isset($this->keys["k$key"]);
    }
}
