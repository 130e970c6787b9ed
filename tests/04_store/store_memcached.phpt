--TEST--
MemcachedStore publishes to and syncs from a real server
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_memcached
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/memcached.inc';
require __DIR__ . '/suite.inc';
with_memcached_extension();
use Bloom\{Blob, Filter, MemcachedStore};

$server = new MemcachedServer;
$client = memcached_client($server);
$store = new MemcachedStore($client);
$next = try_store($store);
check($client->get('bloom:booth') === substr($next->toString(), 0, $next->info()->bytes - $next->info()->shards * 1024),
    'the head is stored unchanged, and each key has the prefix');
$blob = chunked(keys('a', 5000));
$old = array_values(array_diff(chunk_keys($blob, 'booth'), chunk_keys($next, 'booth')));
chunked([...keys('a', 5000), 'b', 'c'], builtAt: 1_700_000_002)->publish($store, 'booth', retain: 2);
check(count($old) === 1 && $store->missing($old) === $old, 'the publish after the next one deletes an old chunk');

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

$other = new MemcachedStore($client, 'other/');
check($other->missing(['booth']) === ['booth'], 'a store with another prefix does not see the key');
$bare = new MemcachedStore($client, '');
$bare->set('42', "bin\0ary\xff");
check($bare->getMultiple(['42']) === [42 => $client->get('42')], 'an empty prefix stores the bare key');
echo thrown(fn () => Filter::sync('apart', $other, 0)), "\n";

// A value that is not a string, both protocols, another serializer, and compressible values.
$client->set('bloom:number', 5);
echo thrown(fn () => Filter::sync('number', $store, 0)), "\n";
foreach (['binary' => [Memcached::OPT_BINARY_PROTOCOL => true], 'plain' => [Memcached::OPT_COMPRESSION => false],
    'no block' => [Memcached::OPT_NO_BLOCK => true], 'serializer' => [Memcached::OPT_SERIALIZER => Memcached::SERIALIZER_JSON]] as $name => $options) {
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
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: apart: missing from the store
Bloom\StoreException: number: the store returned a value of the wrong type
