<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests\App;

use Bloom\Store;

/** The application's own store: it counts the reads, fails on request, and waits while its gate is locked. */
final class SpyStore implements Store
{
    public int $reads = 0;
    public ?\Throwable $failure = null;

    public function __construct(private readonly Store $store, private readonly ?string $gate = null)
    {
    }

    public function getMultiple(array $keys): array
    {
        $this->reads++;
        if ($this->gate !== null) {
            flock(fopen($this->gate, 'r') ?: throw new \RuntimeException('no gate'), LOCK_SH);
        }
        return $this->failure === null ? $this->store->getMultiple($keys) : throw $this->failure;
    }

    public function missing(array $keys): array
    {
        return $this->store->missing($keys);
    }

    public function set(string $key, string $value): void
    {
        $this->store->set($key, $value);
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->store->replace($key, $expected, $value);
    }

    public function deleteMultiple(array $keys): void
    {
        $this->store->deleteMultiple($keys);
    }
}
