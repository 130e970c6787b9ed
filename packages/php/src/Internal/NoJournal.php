<?php

namespace Bloom\Internal;

use Bloom\StoreException;

/**
 * The journal methods of the stores. Only the extension has journals, but health() looks whether keys are added.
 *
 * @internal
 */
trait NoJournal
{
    /**
     * Appends records in this order and atomically: no other record comes between them, and a process
     * that is killed appends all of them or none. Creates the journal if it does not exist and may
     * begin with the first record.
     *
     * @param list<string> $records
     * @param string|null $after append only if this is the position of the journal's end
     *
     * @return string|null the new position of the end; null: the journal does not end at $after, or is
     *         not open and the first record is of kind 1 to 3. In both cases nothing was appended
     */
    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        throw self::refusal();
    }

    /**
     * Returns the position of the journal's end, and the last record. Creates the journal if it does
     * not exist. If the journal has no record, returns OFFSET 0 and an empty string as the record.
     *
     * @return array{string, string}
     */
    public function last(string $journal): array
    {
        return $this->missing([$journal]) === [] ? $this->end($journal) : throw self::refusal();
    }

    /** @return array{string, string} as last(), of a journal that exists */
    abstract private function end(string $journal): array;

    /**
     * Returns the records after the given positions, including each record whose append() returned
     * before this call. An implementation must throw if it cannot know the newest records, for example
     * on a lagging replica. Otherwise the host answers "no" for keys that it lacks. An implementation
     * should read all journals in one round trip if its client can.
     *
     * @param array<string, string> $positions by journal
     * @param int $limit return the records of a journal until they have at least this many bytes in
     *        total. If they have fewer, the caller takes the last one for the journal's end
     *
     * @return array<string, array<string, string>|null> for each journal, its records in order. The key
     *         of a record is the position of its end. null: the journal does not exist or does not
     *         continue from the given position: it has a different EPOCH, it was trimmed beyond the
     *         position, it ends before the position, or the record that ends there has a different CHECK
     */
    public function read(array $positions, int $limit): array
    {
        throw self::refusal();
    }

    /**
     * Removes the records before a position, but not the record that ends there. Positions do not
     * change. Does nothing if the journal does not have the position.
     */
    public function trim(string $journal, string $position): void
    {
        throw self::refusal();
    }

    private static function refusal(): StoreException
    {
        return new StoreException('Journals need the extension bloom (install it, or build the filter without a mark)');
    }
}
