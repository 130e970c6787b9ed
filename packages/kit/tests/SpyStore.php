<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\DirectoryStore;
use Bloom\Store;

/** The application's own store: it counts the reads, fails on request, and waits while its gate is locked. */
final class SpyStore implements Store
{
    public static int $created = 0;
    public int $reads = 0;
    public ?\Throwable $failure = null;
    /** @var (\Closure(): mixed)|null called by the next read */
    public ?\Closure $onRead = null;
    private DirectoryStore $store;

    public function __construct(string $directory, private ?string $gate = null)
    {
        self::$created++;
        $this->store = new DirectoryStore($directory);
    }

    public function getMultiple(array $keys): array
    {
        $this->reads++;
        if ($this->gate !== null) {
            flock(fopen($this->gate, 'r') ?: throw new \RuntimeException('no gate'), LOCK_SH);
        }
        if ($this->onRead !== null) {
            [$onRead, $this->onRead] = [$this->onRead, null];
            $onRead();
        }
        if ($this->failure !== null) {
            throw $this->failure;
        }
        return $this->store->getMultiple($keys);
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
