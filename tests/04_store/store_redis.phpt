--TEST--
RedisStore publishes to and syncs from a real server through ext-redis
--DESCRIPTION--
fault: client-options
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-store_redis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/suite.inc';
with_redis_extension();
use Bloom\{Filter, RedisStore};

$server = new RedisServer;
$client = redis_client($server);
$store = new RedisStore($client);
$next = try_store($store);
$booth = Filter::open('booth');
check($client->get('bloom:booth') === substr($next->toString(), 0, $next->info()->bytes - $next->info()->shards * 1024),
    'the head is stored unchanged, and each key has the prefix');
check(count($client->keys('bloom:visitors:*')) === 4, 'only the last snapshot is in the store');

// Prefixes keep stores apart. The empty prefix is valid.
$other = new RedisStore($client, 'other/');
check($other->missing(['booth']) === ['booth'], 'a store with another prefix does not see the key');
echo thrown(fn () => Filter::sync('apart', $other, 0)), "\n";
(new RedisStore($client, ''))->set('plain', "bin\0ary\xff");
check($client->get('plain') === "bin\0ary\xff", 'an empty prefix stores the bare key');

// A value that is not a string, and a client inside a transaction.
$client->hset('bloom:hash', 'a', 'b');
echo thrown(fn () => Filter::sync('hash', $store, 0)), "\n";
foreach ([Redis::MULTI => 'MULTI', Redis::PIPELINE => 'PIPELINE'] as $mode => $name) {
    foreach ([
        'get' => fn ($store) => $store->getMultiple(['x']), 'missing' => fn ($store) => $store->missing(['x', 'y']),
        'set' => fn ($store) => $store->set('x', 'y'), 'delete' => fn ($store) => $store->deleteMultiple(['x']),
        'sync' => fn ($store) => Filter::sync('booth', $store, 0), 'publish' => fn ($store) => $next->publish($store, 'booth'),
    ] as $what => $call) {
        $busy = redis_client($server);
        $busy->multi($mode);
        echo "$name, $what: ", thrown(fn () => $call(new RedisStore($busy))), "\n";
        $busy->discard();
    }
}
check($booth->mightContain('b'), 'the loaded version is still served');

// The server is full, read-only, or stopped.
$store = new RedisStore($client);
$client->config('SET', 'maxmemory', '1');
echo preg_replace('/: (OOM|Redis answered).*/', ': …', thrown(fn () => chunked(keys('c', 5000), builtAt: 1_700_000_002)->publish($store, 'booth'))), "\n";
check(Bloom\Blob::fetch($store, 'booth')->mightContain('b'), 'the published version can still be fetched');
$client->config('SET', 'maxmemory', '0');
chunked(keys('c', 5000), builtAt: 1_700_000_002)->publish($store, 'booth');

$calls = 0;
$server->stop();
echo thrown(fn () => Filter::sync('booth', $store, 0), true), "\n";
check($booth->mightContain('b') && !$booth->mightContain('c1'), 'the loaded version is still served');
$info = $booth->info();
var_dump($info->syncFailuresInRow >= 1, $info->lastError !== null);
try {
    Filter::sync('booth', $store, 0, true);
} catch (Bloom\StoreException $error) {
    var_dump($error->getPrevious() instanceof RedisException);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: apart: missing from the store
Bloom\StoreException: hash: missing from the store
MULTI, get: Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
MULTI, missing: Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
MULTI, set: Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
MULTI, delete: Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
MULTI, sync: Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
MULTI, publish: Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
PIPELINE, get: Bloom\StoreException: the store cannot use its client: it is inside PIPELINE (call exec() or discard() first, or pass a client of its own)
PIPELINE, missing: Bloom\StoreException: the store cannot use its client: it is inside PIPELINE (call exec() or discard() first, or pass a client of its own)
PIPELINE, set: Bloom\StoreException: the store cannot use its client: it is inside PIPELINE (call exec() or discard() first, or pass a client of its own)
PIPELINE, delete: Bloom\StoreException: the store cannot use its client: it is inside PIPELINE (call exec() or discard() first, or pass a client of its own)
PIPELINE, sync: Bloom\StoreException: the store cannot use its client: it is inside PIPELINE (call exec() or discard() first, or pass a client of its own)
PIPELINE, publish: Bloom\StoreException: the store cannot use its client: it is inside PIPELINE (call exec() or discard() first, or pass a client of its own)
Bloom\StoreException: the store failed: …
Bloom\StoreException
bool(true)
bool(true)
bool(true)
