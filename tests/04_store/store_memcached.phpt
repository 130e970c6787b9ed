--TEST--
MemcachedStore publishes to and syncs from a real server
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_memcached
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../memcached.inc';
require __DIR__ . '/../stores.inc';
with_memcached_extension();
use Bloom\{Blob, Filter, MemcachedStore};

$server = new MemcachedServer;
$client = memcached_client($server);
$store = new MemcachedStore($client);
$blob = chunked(keys('a', 5000));
$said = $blob->publish($store, 'booth');
check($said['chunks'] === $said['chunksWritten'], 'all chunks are written: ' . json_encode($said));
check($client->get('bloom:booth') === substr($blob->toString(), 0, $blob->info()->bytes - $blob->info()->shards * 1024),
    'the head is stored unchanged');
check(count($client->getMulti(array_map(fn ($key) => "bloom:$key", chunk_keys($blob, 'booth')))) === $said['chunks'],
    'every chunk has a key');
check($blob->publish($store, 'booth')['chunksWritten'] === 0, 'publishing again writes nothing');
check(switched(Filter::sync('booth', $store, 0)) === true && switched(Filter::sync('booth', $store, 0)) === false,
    'the first sync switches and the second changes nothing');
$booth = Filter::open('booth');
check($booth->candidates(keys('a', 5000)) === keys('a', 5000), 'every key is found');
check(Blob::fetch($store, 'booth')->toString() === $blob->toString(), 'fetch() returns the whole blob');

// A snapshot of a live filter: several pieces, replaced by the next one.
$live = Bloom\LiveFilter::create('visitors', 1_000_000);
foreach (['first', 'second'] as $key) {
    $live->add($key);
    $live->save($store);
}
Filter::drop('visitors');
check(Filter::restore('visitors', $store)->candidates(['first', 'second', 'third']) === ['first', 'second'], 'a snapshot');

// The second version differs in a few chunks, and one chunk is lost in the meantime. The third deletes old chunks.
$next = chunked([...keys('a', 5000), 'b'], builtAt: 1_700_000_001);
$gone = current(array_intersect(chunk_keys($blob, 'booth'), chunk_keys($next, 'booth')));
$client->delete("bloom:$gone");
$said = $next->publish($store, 'booth');
check($said['chunksWritten'] === 2, 'publish writes the changed chunk and the lost chunk: ' . json_encode($said));
check(switched(Filter::sync('booth', $store, 0)) && $booth->mightContain('b'), 'the sync loads the changed version');
$old = array_values(array_diff(chunk_keys($blob, 'booth'), chunk_keys($next, 'booth')));
check(count($old) === 1 && $store->missing($old) === [], 'the chunk of the previous version is kept');
chunked([...keys('a', 5000), 'b', 'c'], builtAt: 1_700_000_002)->publish($store, 'booth');
check($store->missing($old) === $old, 'the next publish deletes it');

// An on-demand filter.
$demand = Filter::attach('demand', new class($store) implements Bloom\Store {
    public function __construct(private Bloom\Store $inner)
    {
    }
    public function getMultiple(array $keys): array
    {
        $found = $this->inner->getMultiple(str_replace('demand', 'booth', $keys));
        return array_combine(str_replace('booth', 'demand', array_keys($found)), $found);
    }
    public function missing(array $keys): array
    {
        return [];
    }
    public function set(string $key, string $value): void
    {
    }
    public function replace(string $key, ?string $expected, string $value): bool
    {
        return true;
    }
    public function deleteMultiple(array $keys): void
    {
    }
}, 100_000);
check($demand->candidates(keys('a', 500)) === keys('a', 500) && $demand->info()->chunksHere > 0,
    'lookups fetch chunks on demand');

// Direct calls of the store's methods.
$keys = array_map(fn ($i) => "m:$i", range(0, 99));
foreach ([3, 50, 51, 99] as $i) {
    $store->set("m:$i", 'x');
}
check($store->missing($keys) === array_values(array_diff($keys, ['m:3', 'm:50', 'm:51', 'm:99'])), 'missing()');
check($store->missing(['m:3']) === [] && $store->missing(['m:4']) === ['m:4'] && $store->missing([]) === [],
    'missing() handles one key and no key');
check($store->missing(['m:4', 'm:3', 'm:4']) === ['m:4', 'm:4'], 'missing() repeats duplicate keys');
check($store->getMultiple(['m:3', 'm:4', 'm:50']) === ['m:3' => 'x', 'm:50' => 'x'] && $store->getMultiple([]) === [], 'getMultiple()');
$store->deleteMultiple(['m:3', 'm:4']);
$store->deleteMultiple([]);
check($store->missing(['m:3', 'm:50']) === ['m:3'], 'deleteMultiple()');
$other = new MemcachedStore($client, 'other/');
check($other->missing(['booth']) === ['booth'], 'a store with another prefix does not see the key');
$bare = new MemcachedStore($client, '');
$bare->set('42', "bin\0ary\xff");
check($bare->getMultiple(['42', '43']) === [42 => "bin\0ary\xff"] && $bare->missing(['42', '43']) === ['43'],
    'an empty prefix works with numeric keys');
echo thrown(fn () => Filter::sync('apart', $other, 0)), "\n";

// A value that is not a string, both protocols, and compressible values.
$client->set('bloom:number', 5);
echo thrown(fn () => Filter::sync('number', $store, 0)), "\n";
foreach (['binary' => [Memcached::OPT_BINARY_PROTOCOL => true], 'plain' => [Memcached::OPT_COMPRESSION => false],
    'no block' => [Memcached::OPT_NO_BLOCK => true]] as $name => $options) {
    $client = memcached_client($server);
    $client->setOptions($options);
    $store = new MemcachedStore($client);
    $store->set('zeros', str_repeat("\0", 900_000));
    check($store->getMultiple(['zeros', 'none'])['zeros'] === str_repeat("\0", 900_000),
        "$name: a compressible value is returned unchanged");
    $blob->publish($store, $name = strtr($name, ' ', '-'));
    check(switched(Filter::sync($name, $store, 0)) && Filter::open($name)->candidates(keys('a', 5000)) === keys('a', 5000),
        "$name: the sync succeeds");
    $store->deleteMultiple(['zeros', 'none']);
    check($store->missing(['zeros', $name]) === ['zeros'], "$name: the keys are deleted");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: apart: missing from the store
Bloom\StoreException: number: the store returned a value of the wrong type
