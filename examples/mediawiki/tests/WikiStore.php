<?php

use Bloom\DirectoryStore;
use Bloom\JournalStore;

/** A directory with a journal. One command runs immediately before the journal's last position is read for a mark, and one after it. */
final class WikiStore implements JournalStore
{
    private DirectoryStore $store;

    public function __construct(string $directory, private string $before, private string $after)
    {
        $this->store = new DirectoryStore($directory);
    }

    public function last(string $journal): array
    {
        $this->run($this->before);
        $last = $this->store->last($journal);
        $this->run($this->after);
        return $last;
    }

    private function run(string $command): void
    {
        passthru("$command 2>&1", $code);
        $code === 0 || throw new RuntimeException("$command exits with $code");
    }

    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        return $this->store->append($journal, $records, $after);
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
