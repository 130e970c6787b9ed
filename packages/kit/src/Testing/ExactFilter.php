<?php

declare(strict_types=1);

namespace Bloom\Kit\Testing;

use Bloom\Kit\Fold;
use Bloom\Kit\HostMembership;

/**
 * A set without false positives, for tests that need certain answers. Code that passes such a test may
 * still take "maybe" for "yes", so you should also test it with AlwaysMaybeFilter.
 */
final class ExactFilter implements HostMembership
{
    use Lookups;

    /** @var array<array-key, true> */
    private array $keys = [];

    /**
     * @param iterable<mixed, string|int> $keys
     * @param (\Closure(): list<string>)|null $more returns keys that the filter also has, folded; see FakeStore::filter()
     * @param Fold|null $fold the fold of the filter's keys
     */
    public function __construct(
        iterable $keys = [],
        private readonly ?\Closure $more = null,
        private readonly ?Fold $fold = null,
    ) {
        $this->addMany($keys);
    }

    /** @return bool whether the key was new */
    public function add(string|int $key): bool
    {
        $folded = $this->fold?->key($key) ?? (string) $key;
        $isNew = !$this->holds($folded);
        $this->keys[$folded] = true;
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

    public function isComplete(): bool
    {
        return true;
    }

    protected function has(string $key): bool
    {
        $folded = $this->fold === null ? $key : $this->fold->lookup($key);
        return $folded === null || $this->holds($folded);
    }

    private function holds(string $folded): bool
    {
        return isset($this->keys[$folded]) || ($this->more !== null && in_array($folded, ($this->more)(), true));
    }
}
