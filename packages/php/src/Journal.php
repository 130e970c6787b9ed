<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\CheckedStore;
use Bloom\Internal\Failure;
use Bloom\Internal\JournalWriter;
use Bloom\Internal\Keys;
use Bloom\Internal\KeySet;
use Bloom\Internal\Segment;

/** Only the extension has journals: every call of this class throws. */
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

    /**
     * Adds keys to the journal.
     * @param iterable<mixed, string|int>|string|int $keys
     */
    public function add(\Traversable|array|string|int $keys): int
    {
        $list = is_iterable($keys) ? iterator_to_array(Keys::each($keys, 'Journal::add'), false) : [(string) $keys];
        foreach ($list as $key) {
            if (strlen($key) > JournalWriter::KEY_BYTES_MAX) {
                throw Arguments::error('Journal::add', 1, 'keys', 'must contain only keys of at most ' . JournalWriter::KEY_BYTES_MAX . ' bytes, '
                    . strlen($key) . ' given');
            }
        }
        if ($list !== [] && !$this->writer()->add($list)) {
            // Until a version is published, nobody refuses keys.
            $this->requireFollowed(true);
            $this->mark();
            $this->writer()->add($list);
            $this->requireFollowed(false);
        }
        $directory = Segment::filter($this->name);
        $file = $directory->current()['journal'] ?? null;
        if ($file !== null) {
            $records = implode('', array_map(KeySet::record(...), $list));
            KeySet::change($directory->file($file), static fn (): array => [null, $records]);
        }
        return count($list);
    }

    /** Returns the position of the journal's end, for Builder::build(). */
    public function mark(): string
    {
        return $this->writer()->mark();
    }

    /**
     * Reads the new keys of several filters' journals, in one round trip if nothing is new.
     * @param list<string> $names
     * @return list<string>
     */
    public static function pull(JournalStore $store, array $names, ?float $maxLag = null): array
    {
        return $names; // Each sync reads its filter's journal.
    }

    private function writer(): JournalWriter
    {
        return $this->store instanceof JournalStore ? new JournalWriter($this->store, $this->name)
            : throw new BloomException('This journal was never constructed');
    }

    /** Refuses keys that no host would find. */
    private function requireFollowed(bool $isBefore): void
    {
        $head = (new CheckedStore($this->store))->head($this->name);
        if ($head !== null && ($isBefore || $head->mark === '' || explode('-', $head->mark)[0] !== explode('-', $this->mark())[0])) {
            throw Failure::of(Status::JournalClosed, $this->name);
        }
    }
}
