--TEST--
RedisStore publishes to and syncs from a real cluster through Predis, whose MGET supports only one server
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../cluster.inc';
skip_without_redis(predis: true);
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-store_predis_cluster
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../cluster.inc';
require __DIR__ . '/../stores.inc';
error_reporting(E_ALL & ~E_DEPRECATED);
require_once '/usr/share/php/Predis/autoload.php';
use Bloom\{Blob, Filter, RedisStore};

$servers = new RedisClusterServers;
$nodes = array_map(fn ($address) => "tcp://$address", $servers->addresses());
foreach (['booth' => 'bloom:', 'tagged' => 'bloom:{tags}:'] as $name => $prefix) {
    $client = new Predis\Client($nodes, ['cluster' => 'redis']);
    $store = new RedisStore($client, $prefix);
    $blob = chunked(keys('a', 5000));
    $said = $blob->publish($store, $name);
    check($said['chunks'] === $said['chunksWritten'] && $said['chunks'] > 9, 'all chunks are written: ' . json_encode($said));
    check($blob->publish($store, $name)['chunksWritten'] === 0, 'publishing again writes nothing');
    check(switched(Filter::sync($name, $store, 0)) === true && switched(Filter::sync($name, $store, 0)) === false,
        'the first sync switches and the second changes nothing');
    check(Filter::open($name)->candidates(keys('a', 5000)) === keys('a', 5000), 'every key is found');
    check(Blob::fetch($store, $name)->toString() === $blob->toString(), 'fetch() returns the whole blob');
    $versions = [$blob];
    foreach ([['b'], ['b', 'c']] as $i => $more) {
        $versions[] = chunked([...keys('a', 5000), ...$more], builtAt: 1_700_000_001 + $i);
        end($versions)->publish($store, $name);
        check(switched(Filter::sync($name, $store, 0)) && Filter::open($name)->mightContain(end($more)),
            'the sync loads the next version');
    }
    $kept = array_unique([...chunk_keys($versions[1], $name), ...chunk_keys($versions[2], $name)]);
    $old = array_values(array_diff(chunk_keys($blob, $name), $kept));
    check(count($old) > 0 && $store->missing($old) === $old && $store->missing($kept) === [],
        'chunks that no head names are deleted');
    $store->set('x', 'y');
    check($store->getMultiple(['none', 'x', '42']) === ['x' => 'y'] && $store->missing(['none', 'x']) === ['none'],
        'missing values are left out');
    $store->deleteMultiple(['none', 'x']);
    check($store->missing(['none', 'x']) === ['none', 'x'], 'deleteMultiple() deletes the keys');
    $client->hset("{$prefix}hash", 'a', 'b');
    foreach ([true, false] as $exceptions) {
        $client = new Predis\Client($nodes, ['cluster' => 'redis', 'exceptions' => $exceptions]);
        echo thrown(fn () => Filter::sync('hash', new RedisStore($client, $prefix), 0)), "\n";
    }
}
// The client distributes the keys over independent servers.
$single = new RedisServer;
$sharded = new RedisStore(new Predis\Client(array_fill(0, 2, "unix://$single->socket"), ['cluster' => 'predis']));
$blob->publish($sharded, 'sharded');
check(switched(Filter::sync('sharded', $sharded, 0)) && Filter::open('sharded')->mightContain('a1'), 'sharded');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: hash: missing from the store
Bloom\StoreException: hash: missing from the store
Bloom\StoreException: hash: missing from the store
Bloom\StoreException: hash: missing from the store
