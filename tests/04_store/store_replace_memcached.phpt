--TEST--
MemcachedStore::replace() stores a value only if the present one is the expected one, also in a race of several clients
--DESCRIPTION--
fault: publishers
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_replace_memcached
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/memcached.inc';
require __DIR__ . '/replace.inc';
with_memcached_extension();
use Bloom\MemcachedStore;

$server = new MemcachedServer;
$client = memcached_client($server);
$store = new MemcachedStore($client);
try_replace($store);
try_replace_races('(function () { $client = new Memcached; $client->addServer(' . var_export($server->socket, true) . ', 0); return new Bloom\MemcachedStore($client); })()');

$store->set('tags', 'x');
foreach ([null, 'x'] as $expected) {
    echo thrown(fn () => $store->replace($expected === null ? 'new' : 'tags', $expected, random_bytes(2 << 20))), "\n";
}
check($store->getMultiple(['tags', 'new']) === ['tags' => 'x'], 'nothing was stored');
$server->stop();
foreach ([null, 'x'] as $expected) {
    echo preg_replace('/with .*/', 'with …', thrown(fn () => $store->replace('tags', $expected, 'y'))), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: the store failed: new: 2097152 bytes exceed Memcached's item size, by default 1 MB (raise it with the option -I, or build with larger shardBytes and chunkBytes, for a smaller head)
Bloom\StoreException: the store failed: tags: 2097152 bytes exceed Memcached's item size, by default 1 MB (raise it with the option -I, or build with larger shardBytes and chunkBytes, for a smaller head)
Bloom\StoreException: the store failed: Memcached answered set with …
Bloom\StoreException: the store failed: Memcached answered get with …
