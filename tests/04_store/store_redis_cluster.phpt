--TEST--
RedisStore publishes to and syncs from a real cluster through ext-redis
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../cluster.inc';
skip_without_redis();
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-store_redis_cluster
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../cluster.inc';
require __DIR__ . '/../stores.inc';
require __DIR__ . '/replace.inc';
with_redis_extension();
use Bloom\{Blob, Filter, RedisStore};

$servers = new RedisClusterServers;
$client = $servers->client();
// One prefix distributes its keys over all servers. The other prefix keeps its keys on one server.
foreach (['booth' => 'bloom:', 'tagged' => 'bloom:{tags}:'] as $name => $prefix) {
    $store = new RedisStore($client, $prefix);
    $blob = chunked(keys('a', 5000));
    $said = $blob->publish($store, $name);
    check($said['chunks'] === $said['chunksWritten'] && $said['chunks'] > 9, 'all chunks are written: ' . json_encode($said));
    $on = array_unique(array_map(fn ($key) => $servers->of($prefix . $key), array_slice(chunk_keys($blob, $name), 0, 9)));
    check($name === 'booth' ? count($on) > 1 : count($on) === 1, "$name: on " . count($on) . ' servers');
    check($blob->publish($store, $name)['chunksWritten'] === 0, 'publishing again writes nothing');
    check(switched(Filter::sync($name, $store, 0)) === true && switched(Filter::sync($name, $store, 0)) === false,
        'the first sync switches and the second changes nothing');
    check(Filter::open($name)->candidates(keys('a', 5000)) === keys('a', 5000), 'every key is found');
    check(Blob::fetch($store, $name)->toString() === $blob->toString(), 'fetch() returns the whole blob');

    // An on-demand filter.
    $store->set('demand', $store->getMultiple([$name])[$name]);
    foreach (chunk_keys($blob, $name) as $key) {
        $store->set(str_replace($name, 'demand', $key), $store->getMultiple([$key])[$key]);
    }
    $demand = Filter::attach('demand', $store, 100_000);
    check($demand->candidates(keys('a', 500)) === keys('a', 500) && $demand->info()->chunksHere > 0,
        'lookups fetch chunks on demand');
    check($demand->info()->fetchFailures === 0 && $demand->info()->untold === 0, 'no fetch failed');
    Filter::drop('demand');

    // Publishing a later version writes the changed chunks and deletes the chunks that no head names.
    $versions = [$blob];
    foreach ([['b'], ['b', 'c']] as $i => $more) {
        $versions[] = chunked([...keys('a', 5000), ...$more], builtAt: 1_700_000_001 + $i);
        $said = end($versions)->publish($store, $name);
        check($said['chunksWritten'] >= 1 && $said['chunksWritten'] <= 2,
            'publish writes only the changed chunks: ' . json_encode($said));
        check(switched(Filter::sync($name, $store, 0)) && Filter::open($name)->mightContain(end($more)),
            'the sync loads the next version');
    }
    $kept = array_unique([...chunk_keys($versions[1], $name), ...chunk_keys($versions[2], $name)]);
    $old = array_values(array_diff(chunk_keys($blob, $name), $kept));
    check(count($old) > 0 && $store->missing($old) === $old && $store->missing($kept) === [],
        'chunks that no head names are deleted');

    // Direct calls of the store's methods.
    $keys = array_map(fn ($i) => "m:$i", range(0, 99));
    foreach ([3, 50, 51, 99] as $i) {
        $store->set("m:$i", 'x');
    }
    check($store->missing($keys) === array_values(array_diff($keys, ['m:3', 'm:50', 'm:51', 'm:99'])), 'missing()');
    check($store->missing(['m:3']) === [] && $store->missing(['m:4']) === ['m:4'] && $store->missing([]) === [],
        'missing() handles one key and no key');
    check($store->getMultiple(['m:3', 'm:4', 'm:50']) === ['m:3' => 'x', 'm:50' => 'x'], 'getMultiple()');
    try_replace($store);
    $store->deleteMultiple(['m:3', 'm:4', 'm:99']);
    check($store->missing(['m:3', 'm:50', 'm:99']) === ['m:3', 'm:99'], 'deleteMultiple()');
    $client->hset("{$prefix}hash", 'a', 'b');
    check($store->getMultiple(['hash', 'm:50']) === ['m:50' => 'x'], 'a key that is not a string has no value');
}
// A client for a single server, which does not support clusters.
$single = new Redis;
$single->connect('127.0.0.1', $servers->ports[($servers->of('bloom:booth') + 1) % 3]);
echo preg_replace('/CROSSSLOT .*/', 'CROSSSLOT …', thrown(fn () => Filter::sync('booth', new RedisStore($single), 0))), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: the store failed: RedisException: CROSSSLOT …
