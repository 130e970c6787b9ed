<?php

namespace Bloom;

use Bloom\Internal\Arguments;

/** Only the extension has journals: every call of this class throws. */
final class Journal
{
    use Internal\Sealed;

    /**
     * @param string $name the name of the filter
     *
     * @throws \TypeError if the store does not implement JournalStore
     * @throws \ValueError if the name is invalid
     */
    public function __construct(private string $name, Store $store)
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
     * Adds keys to the journal. Other hosts find them after their next sync. If this host serves the
     * filter to this user, its lookups find them immediately. The filter need not be loaded here.
     *
     * Add a key after your database has it. Otherwise a build may miss the key.
     *
     * You can add keys before you publish the first version, but it then needs a mark, and no host
     * finds the keys until then. Later, keys are refused if hosts would not find them, because the
     * published version has no mark, or because the journal has ended or was lost.
     *
     * Cost: one round trip for any number of keys, and about ten system calls. The first call for a
     * name needs three more. With a signing key, the first call of each object needs a second round
     * trip. If another writer has appended since this object's last call, the call needs three. All
     * keys are copied in memory, in records of about 64 KiB.
     *
     * @param iterable<mixed, string|int>|string|int $keys a key, or any number of keys. A key has at most
     *        1,048,460 bytes
     *
     * @return int the number of keys
     *
     * @throws StoreException if the store fails. Lookups on this host find the keys, but only until the
     *         next version is loaded, so add them again
     * @throws KindException if the published version does not follow the journal; nothing has been
     *         added. Take a mark, read the keys, build with that mark and publish
     * @throws SegmentException if the journal has the keys, but they could not be added on this host.
     *         Lookups here find them after the next sync
     * @throws SecretException if `bloom.signing_key_file` cannot be read
     * @throws \TypeError if a value is neither string nor int; nothing has been added
     * @throws \ValueError if a key is too long; nothing has been added
     */
    public function add(\Traversable|array|string|int $keys): int
    {
        throw self::refusal();
    }

    /**
     * Returns the position of the journal's end, for Builder::build(). Call it before you read the keys
     * from your database. If the journal does not exist or has ended, the call begins it, so that you
     * can add keys while you build, although hosts do not find them until you publish the blob.
     *
     * Cost: one round trip; three if it begins the journal.
     *
     * @throws StoreException if the store fails
     */
    public function mark(): string
    {
        throw self::refusal();
    }

    /**
     * Reads the new keys of several filters' journals, in one round trip if nothing is new. Call this
     * method often, for example once a second, and call Filter::sync() for the names that it returns.
     * These syncs are due, whatever their $ttl is. `bloom sync --every` does both.
     *
     * @param list<string> $names
     * @param float|null $maxLag see Filter::sync()
     *
     * @return list<string> the filters that need a sync: they are not loaded or follow no journal, a
     *         version was published, a record was refused, the journal does not continue from the last
     *         record that was read, their head was last read 60 seconds ago, or a version that could
     *         not be loaded is to be tried again. A filter that another process is syncing is skipped
     *
     * @throws StoreException if the store fails
     */
    public static function pull(JournalStore $store, array $names, ?float $maxLag = null): array
    {
        throw self::refusal();
    }

    private static function refusal(): BloomException
    {
        return new BloomException('Journals need the extension bloom');
    }
}
