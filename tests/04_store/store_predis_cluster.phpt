--TEST--
RedisStore publishes to and syncs from a real cluster through Predis, whose MGET supports only one server
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
skip_without_redis(predis: true);
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-store_predis_cluster
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
require __DIR__ . '/suite.inc';
error_reporting(E_ALL & ~E_DEPRECATED);
require_once '/usr/share/php/Predis/autoload.php';
use Bloom\{Filter, RedisStore};

$servers = new RedisClusterServers;
$nodes = array_map(fn ($address) => "tcp://$address", $servers->addresses());
foreach (['booth' => 'bloom:', 'tagged' => 'bloom:{tags}:'] as $name => $prefix) {
    $client = new Predis\Client($nodes, ['cluster' => 'redis']);
    $store = new RedisStore($client, $prefix);
    $blob = try_store($store, $name);
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
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: hash: missing from the store
Bloom\StoreException: hash: missing from the store
Bloom\StoreException: hash: missing from the store
Bloom\StoreException: hash: missing from the store
