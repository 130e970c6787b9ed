<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * A store that can also keep journals. A journal is a sequence of records to which every host can
 * append. A record is a binary string of 48 bytes to 1 MiB. missing() also says whether a journal
 * exists.
 *
 * A *position* is the end of a record, as text: "EPOCH-OFFSET-CHECK". EPOCH is a decimal number above
 * 0 that identifies the journal; if a journal is lost and created again, it must get a different
 * number. OFFSET is a decimal number that increases with each record, and 0 before the first record.
 * CHECK is the last 8 bytes of the record in hexadecimal, and zeros before the first record.
 *
 * The *kind* of a record is the little-endian number in its bytes 8 to 11. A journal is *open* if it
 * has a record and its last record is not of kind 4. If a journal is not open, append() refuses records
 * of kind 1 to 3, because no host would find the keys in them:
 *
 *     $kind = unpack('V', $records[0], 8)[1];
 *     $isOpen = $last !== '' && unpack('V', $last, 8)[1] !== 4;
 *     if ($kind >= 1 && $kind <= 3 && !$isOpen) {
 *         return null;
 *     }
 *
 * Your store must keep three rules, because hosts would otherwise deny keys that were added. Each call
 * returns the answer to this call, computed after it began. Once append() has returned, every later
 * read() returns the records, in the order of the appends, until trim() removes them. All bytes come
 * back unchanged. If your store loses records, the positions after them must be gone, so that hosts
 * notice the loss (docs/design.md, "What a store must do").
 */
interface JournalStore extends Store
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
    public function append(string $journal, array $records, ?string $after = null): ?string;

    /**
     * Returns the position of the journal's end, and the last record. Creates the journal if it does
     * not exist. If the journal has no record, returns OFFSET 0 and an empty string as the record.
     *
     * @return array{string, string}
     */
    public function last(string $journal): array;

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
    public function read(array $positions, int $limit): array;

    /**
     * Removes the records before a position, but not the record that ends there. Positions do not
     * change. Does nothing if the journal does not have the position.
     */
    public function trim(string $journal, string $position): void;
}
