<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\DirectoryStore;
use Bloom\JournalStore;

/** A store that runs code of a test before and after it appends to a journal. */
final class HookedStore implements JournalStore
{
    /** @var (\Closure(string): mixed)|null called once with the name of the journal */
    public ?\Closure $before = null;
    /** @var (\Closure(string): mixed)|null called once with the name of the journal */
    public ?\Closure $after = null;
    public int $appends = 0;
    private DirectoryStore $store;

    public function __construct(string $directory)
    {
        $this->store = new DirectoryStore($directory);
    }

    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        $this->call($this->before, $journal);
        $this->appends++;
        $position = $this->store->append($journal, $records, $after);
        $this->call($this->after, $journal);
        return $position;
    }

    /** @param (\Closure(string): mixed)|null $hook */
    private function call(?\Closure &$hook, string $journal): void
    {
        [$called, $hook] = [$hook, null];
        if ($called !== null) {
            $called($journal);
        }
    }

    public function last(string $journal): array
    {
        return $this->store->last($journal);
    }

    public function read(array $positions, int $limit): array
    {
        return $this->store->read($positions, $limit);
    }

    public function trim(string $journal, string $position): void
    {
        $this->store->trim($journal, $position);
    }

    public function getMultiple(array $keys): array
    {
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
