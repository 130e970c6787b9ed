<?php
/* Blobs in Memcached, and journals in a directory, because Memcached cannot keep journals. The class below is a JournalStore
 * that passes each call to the store that is responsible for the key. Any two stores can be combined like this.
 *
 *     runuser -u www-data -- php examples/two-stores.php cache.example:11211 /srv/bloom
 *
 * Run it as the user of the PHP-FPM pool. All hosts that add keys or sync must mount the directory.
 */

use Bloom\{Blob, Builder, DirectoryStore, Filter, Journal, JournalStore, MemcachedStore, Store};

final class TwoStores implements JournalStore
{
    public function __construct(private Store $blobs, private JournalStore $journals)
    {
    }

    public function getMultiple(array $keys): array
    {
        return $this->blobs->getMultiple($keys);
    }

    public function missing(array $keys): array
    {
        // This method also says whether a journal exists.
        $journals = array_values(array_filter($keys, self::isJournal(...)));
        $others = array_values(array_diff($keys, $journals));
        return [...$this->blobs->missing($others), ...$this->journals->missing($journals)];
    }

    public function set(string $key, string $value): void
    {
        $this->blobs->set($key, $value);
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->blobs->replace($key, $expected, $value);
    }

    public function deleteMultiple(array $keys): void
    {
        $this->blobs->deleteMultiple($keys);
    }

    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        return $this->journals->append($journal, $records, $after);
    }

    public function last(string $journal): array
    {
        return $this->journals->last($journal);
    }

    public function read(array $positions, int $limit): array
    {
        return $this->journals->read($positions, $limit);
    }

    public function trim(string $journal, string $position): void
    {
        $this->journals->trim($journal, $position);
    }

    private static function isJournal(string $key): bool
    {
        return str_ends_with($key, ':journal'); // the journal of the filter "pets" is "pets:journal"
    }
}

[$server, $port] = explode(':', "{$argv[1]}:11211");
$connect = function () use ($server, $port): Memcached {
    $client = new Memcached();
    $client->addServer($server, (int) $port);
    return $client;
};
$store = new TwoStores(new MemcachedStore($connect), new DirectoryStore($argv[2]));

// The nightly job. Between the mark and the query, it waits for as long as the longest transaction may take: sleep(60).
$journal = new Journal('pets', $store);
$mark = $journal->mark();
$previous = Blob::find($store, 'pets');
$builder = $previous ? Builder::like($previous) : new Builder(capacity: 1000, falsePositiveRate: 0.01);
$builder->addMany(['cat', 'bird']); // SELECT …
$builder->build(mark: $mark)->publish($store, 'pets');

// A page that is about to commit "dog" to the database.
$journal->add('dog');

// The sync on each host, about once a second.
Filter::sync('pets', $store, ttl: 1.0);
echo implode(' ', Filter::open('pets')->candidates(['cat', 'dog', 'bird', 'fish'])), "\n";
