--TEST--
RedisStore publishes to and syncs from a real server through ext-redis
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-store_redis
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../stores.inc';
with_redis_extension();
use Bloom\{Filter, RedisStore};

$server = new RedisServer;
$client = redis_client($server);
$store = new RedisStore($client);
$blob = chunked(keys('a', 5000));
$said = $blob->publish($store, 'booth');
check($said['chunks'] === $said['chunksWritten'], 'all chunks are written: ' . json_encode($said));
check($client->get('bloom:booth') === substr($blob->toString(), 0, $blob->info()['bytes'] - $blob->info()['shards'] * 1024), 'the head');
check(count($client->keys('bloom:booth:*')) === $said['chunks'], 'the chunks');
check($blob->publish($store, 'booth')['chunksWritten'] === 0, 'again: nothing is written');
check(Filter::sync('booth', $store, 0) === true && Filter::sync('booth', $store, 0) === false, 'synced once');
$booth = Filter::open('booth');
check($booth->candidates(keys('a', 5000)) === keys('a', 5000), 'every key');
check(Bloom\Blob::fetch($store, 'booth')->toString() === $blob->toString(), 'fetched whole');

// A second version that differs in a few chunks, and one chunk evicted in between.
$next = chunked([...keys('a', 5000), 'b'], builtAt: 1_700_000_001);
$evicted = current(array_intersect(chunk_keys($blob, 'booth'), chunk_keys($next, 'booth')));
$client->del("bloom:$evicted");
$said = $next->publish($store, 'booth');
check($said['chunksWritten'] === 2, 'the changed one and the evicted one: ' . json_encode($said));
check(Filter::sync('booth', $store, 0) && $booth->mightContain('b'), 'synced');

// missing() by itself, halving.
$keys = array_map(fn ($i) => "m:$i", range(0, 99));
foreach ([3, 50, 51, 99] as $i) {
    $store->set("m:$i", 'x');
}
check($store->missing($keys) === array_values(array_diff($keys, ['m:3', 'm:50', 'm:51', 'm:99'])), 'missing()');
check($store->missing(['m:3']) === [] && $store->missing(['m:4']) === ['m:4'] && $store->missing([]) === [], 'of one and none');
check($store->getMultiple(['m:3', 'm:4', 'm:50']) === ['m:3' => 'x', 'm:50' => 'x'], 'getMultiple()');
$store->deleteMultiple(['m:3', 'm:4']);
check($store->missing(['m:3', 'm:50']) === ['m:3'], 'deleteMultiple()');

// Prefixes keep stores apart; an empty one is one too.
$other = new RedisStore($client, 'other/');
check($other->missing(['booth']) === ['booth'], 'another prefix');
echo thrown(fn () => Filter::sync('apart', $other, 0)), "\n";
(new RedisStore($client, ''))->set('plain', "bin\0ary\xff");
check($client->get('plain') === "bin\0ary\xff", 'no prefix');

// A value that is no string, and a client in the middle of something.
$client->hset('bloom:hash', 'a', 'b');
echo thrown(fn () => Filter::sync('hash', $store, 0)), "\n";
foreach ([Redis::MULTI => 'MULTI', Redis::PIPELINE => 'PIPELINE'] as $mode => $name) {
    foreach ([
        'get' => fn ($store) => $store->getMultiple(['x']), 'missing' => fn ($store) => $store->missing(['x', 'y']),
        'set' => fn ($store) => $store->set('x', 'y'), 'delete' => fn ($store) => $store->deleteMultiple(['x']),
        'sync' => fn ($store) => Filter::sync('booth', $store, 0), 'publish' => fn ($store) => $blob->publish($store, 'booth'),
    ] as $what => $call) {
        $busy = redis_client($server);
        $busy->multi($mode);
        echo "$name, $what: ", thrown(fn () => $call(new RedisStore($busy))), "\n";
        $busy->discard();
    }
}
check($booth->mightContain('b'), 'what was served is served');

// A server that is full, read-only, or gone.
$store = new RedisStore($client);
$client->config('SET', 'maxmemory', '1');
echo preg_replace('/: (OOM|Redis answered).*/', ': …', thrown(fn () => chunked(keys('c', 5000), builtAt: 1_700_000_002)->publish($store, 'booth'))), "\n";
check(Bloom\Blob::fetch($store, 'booth')->mightContain('b'), 'what was published is');
$client->config('SET', 'maxmemory', '0');
chunked(keys('c', 5000), builtAt: 1_700_000_002)->publish($store, 'booth');

$calls = 0;
$server->stop();
echo thrown(fn () => Filter::sync('booth', $store, 0), true), "\n";
check($booth->mightContain('b') && !$booth->mightContain('c1'), 'what was served is served');
$info = $booth->info();
var_dump($info['syncFailuresInRow'] >= 1, $info['lastError'] !== null);
try {
    Filter::sync('booth', $store, 0, true);
} catch (Bloom\StoreException $error) {
    var_dump($error->getPrevious() instanceof RedisException);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: apart: the store does not have it
Bloom\StoreException: hash: the store does not have it
MULTI, get: Bloom\StoreException: Redis answered MGET with Redis (an error, or a client inside MULTI or PIPELINE)
MULTI, missing: Bloom\StoreException: Redis answered EXISTS with Redis (an error, or a client inside MULTI or PIPELINE)
MULTI, set: Bloom\StoreException: Redis answered SET with Redis (an error, or a client inside MULTI or PIPELINE)
MULTI, delete: Bloom\StoreException: Redis answered DEL with Redis (an error, or a client inside MULTI or PIPELINE)
MULTI, sync: Bloom\StoreException: Redis answered MGET with Redis (an error, or a client inside MULTI or PIPELINE)
MULTI, publish: Bloom\StoreException: Redis answered EXISTS with Redis (an error, or a client inside MULTI or PIPELINE)
PIPELINE, get: Bloom\StoreException: Redis answered MGET with Redis (an error, or a client inside MULTI or PIPELINE)
PIPELINE, missing: Bloom\StoreException: Redis answered EXISTS with Redis (an error, or a client inside MULTI or PIPELINE)
PIPELINE, set: Bloom\StoreException: Redis answered SET with Redis (an error, or a client inside MULTI or PIPELINE)
PIPELINE, delete: Bloom\StoreException: Redis answered DEL with Redis (an error, or a client inside MULTI or PIPELINE)
PIPELINE, sync: Bloom\StoreException: Redis answered MGET with Redis (an error, or a client inside MULTI or PIPELINE)
PIPELINE, publish: Bloom\StoreException: Redis answered EXISTS with Redis (an error, or a client inside MULTI or PIPELINE)
Bloom\StoreException: the store failed: RedisException: …
Bloom\StoreException
bool(true)
bool(true)
bool(true)
