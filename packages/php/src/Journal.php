<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\CheckedStore;
use Bloom\Internal\Failure;
use Bloom\Internal\JournalWriter;
use Bloom\Internal\KeySet;
use Bloom\Internal\Segment;

/** Adds keys to a journal, which hosts with the extension find, too. */
final class Journal
{
    use Internal\Sealed;

    public function __construct(private string $name, private Store $store)
    {
        Arguments::name($name, 'Journal::__construct');
        if (!$store instanceof JournalStore) {
            throw new \TypeError('Bloom\Journal::__construct(): Argument #2 ($store) must be of type Bloom\JournalStore, '
                . $store::class . ' given');
        }
    }

    public function name(): string
    {
        return $this->name;
    }

    /** @param iterable<mixed, string|int>|string|int $keys */
    public function add(\Traversable|array|string|int $keys): int
    {
        $list = is_iterable($keys) ? iterator_to_array(Arguments::keys($keys, 'Journal::add'), false)
            : [(string) $keys];
        foreach ($list as $key) {
            if (strlen($key) > JournalWriter::KEY_BYTES_MAX) {
                throw Arguments::error('Journal::add', 'keys', 'must contain only keys of at most '
                    . JournalWriter::KEY_BYTES_MAX . ' bytes, ' . strlen($key) . ' given');
            }
        }
        if ($list !== [] && !$this->writer()->add($list)) {
            // Until a version is published, nobody refuses keys.
            $this->requireFollowed(true);
            $this->mark();
            $this->writer()->add($list);
            $this->requireFollowed(false);
        }
        $records = implode('', array_map(KeySet::record(...), $list));
        $directory = Segment::filter($this->name);
        if (isset($directory->current()['file'])) {
            // A load holds the lock, too, so it does not miss keys that are added while it reads the journal.
            $directory->locked(static function (?array $current) use ($directory, $records): void {
                if (isset($current['file'], $current['keys'])) {
                    KeySet::change($directory->file($current['keys']), static fn (): array => [null, $records]);
                }
            });
        }
        return count($list);
    }

    public function mark(): string
    {
        return $this->writer()->mark();
    }

    /**
     * @param list<string> $names
     * @return list<string>
     */
    public static function pull(JournalStore $store, array $names, ?float $maxLag = null): array
    {
        return $names; // Each sync reads its filter's journal.
    }

    private function writer(): JournalWriter
    {
        return new JournalWriter(new CheckedStore($this->store), $this->name);
    }

    /** Refuses keys that no host would find. */
    private function requireFollowed(bool $isBefore): void
    {
        $mark = (new CheckedStore($this->store))->head($this->name)?->mark;
        if ($mark !== null && ($isBefore || $mark === ''
            || explode('-', $mark)[0] !== explode('-', $this->mark())[0])) {
            throw Failure::of(Status::JournalClosed, $this->name);
        }
    }
}
