--TEST--
RedisStore publishes to and syncs from a real cluster through ext-redis
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
skip_without_redis();
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-store_redis_cluster
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
require __DIR__ . '/suite.inc';
with_redis_extension();
use Bloom\{Filter, RedisStore};

$servers = new RedisClusterServers;
$client = $servers->client();
// One prefix distributes its keys over all servers. The other prefix keeps its keys on one server.
foreach (['booth' => 'bloom:', 'tagged' => 'bloom:{tags}:'] as $name => $prefix) {
    $store = new RedisStore($client, $prefix);
    $blob = try_store($store, $name);
    $on = array_unique(array_map(fn ($key) => $servers->of($prefix . $key), array_slice(chunk_keys($blob, $name), 0, 9)));
    check($name === 'booth' ? count($on) > 1 : count($on) === 1, "$name: on " . count($on) . ' servers');

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

    // Publishing a later version deletes the chunks that no head names.
    $last = chunked([...keys('a', 5000), 'b', 'c'], builtAt: 1_700_000_002);
    $last->publish($store, $name, retain: 2);
    $kept = array_unique([...chunk_keys($blob, $name), ...chunk_keys($last, $name)]);
    $old = array_values(array_diff(chunk_keys(chunked(keys('a', 5000)), $name), $kept));
    check(count($old) > 0 && $store->missing($old) === $old && $store->missing($kept) === [],
        'chunks that no head names are deleted');
    $client->hset("{$prefix}hash", 'a', 'b');
    check($store->getMultiple(['hash', '42']) === [42 => 'x'], 'a key that is not a string has no value');
}
// A client for a single server, which does not support clusters.
$single = new Redis;
$single->connect('127.0.0.1', $servers->ports[($servers->of('bloom:booth') + 1) % 3]);
echo preg_replace('/CROSSSLOT .*/', 'CROSSSLOT …', thrown(fn () => Filter::sync('booth', new RedisStore($single), 0))), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: the store failed: RedisException: CROSSSLOT …
