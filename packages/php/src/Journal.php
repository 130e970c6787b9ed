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
        if ($list === []) {
            return 0;
        }
        $position = $this->writer()->add($list) ?? $this->begin($list);
        $records = implode('', array_map([KeySet::class, 'record'], $list)) . KeySet::appended($position);
        $directory = Segment::filter($this->name);
        // A load reads the journal to its end while it holds the lock. So it has read these keys, or they are added to
        // its set.
        if ($directory->isMade()) {
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

    /**
     * Adds keys to a closed journal. It begins if nothing is published yet. Otherwise no host would find the keys.
     *
     * @param list<string> $keys
     *
     * @return string the position after them
     */
    private function begin(array $keys): string
    {
        $store = new CheckedStore($this->store);
        $position = $store->head($this->name) === null ? $this->writer()->add($keys, true) : null;
        if ($position === null) {
            throw Failure::of(Status::JournalClosed, $this->name);
        }
        // The publisher of a version without a mark may have looked for the journal before it began.
        $head = $store->head($this->name);
        if ($head !== null && explode('-', $head->mark)[0] !== explode('-', $position)[0]) {
            $this->writer()->end($head);
            throw Failure::of(Status::JournalClosed, $this->name);
        }
        return $position;
    }
}
