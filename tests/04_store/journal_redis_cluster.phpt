--TEST--
RedisStore keeps journals on a cluster, through ext-redis and Predis
--DESCRIPTION--
fault: journal-lost, journal-replica
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
skip_without_redis();
skip_without_redis(predis: true);
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-journal_redis_cluster
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
require __DIR__ . '/../lib/journals.inc';
with_redis_extension();
error_reporting(E_ALL & ~E_DEPRECATED);
require_once '/usr/share/php/Predis/autoload.php';
use Bloom\RedisStore;

$servers = new RedisClusterServers(3, 1);
$cluster = $servers->client();
$prefixed = $servers->client();
$prefixed->setOption(Redis::OPT_PREFIX, 'own:');
$prefixed->setOption(Redis::OPT_SERIALIZER, Redis::SERIALIZER_PHP);
$predis = fn (): Predis\Client => new Predis\Client(array_map(fn ($address) => "tcp://$address", $servers->addresses()), ['cluster' => 'redis']);
foreach (['ext:' => $cluster, 'pre:' => $prefixed, '{tag}:' => $cluster, 'predis:' => $predis(), '{predis}:' => $predis()] as $prefix => $client) {
    echo "$prefix\n";
    $store = new RedisStore($client, $prefix);
    try_journal_store($store, fn (string $journal) => $cluster->del("$prefix$journal"), 100);
    $positions = [];
    for ($i = 0; $i < 12; $i++) {
        $positions["$i:journal"] = $store->append("$i:journal", [record("$i")]);
    }
    check($store->read($positions, 1) === array_fill_keys(array_keys($positions), []), 'journals on several servers');
    $on = array_unique(array_map(fn (string $journal) => $servers->of("$prefix$journal"), array_keys($positions)));
    check(str_contains($prefix, '{') ? count($on) === 1 : count($on) === 3, "$prefix on " . count($on) . ' servers');
}

// The first master has a replica. A client that distributes reads still asks the master for journals.
for ($i = 0; $servers->of("ext:$i:journal") !== 0; $i++);
$cluster->setOption(RedisCluster::OPT_SLAVE_FAILOVER, RedisCluster::FAILOVER_DISTRIBUTE);
$store = new RedisStore($cluster, 'ext:');
$position = $store->last("$i:journal")[0];
for ($count = 1; $count <= 20; $count++) {
    $end = $store->append("$i:journal", [record("$count")]);
    check(array_key_last($store->read(["$i:journal" => $position], 1 << 20)["$i:journal"]) === $end, "read $count is from the master");
}
// A connection to the replica itself is refused.
$replica = new Redis;
$replica->connect('127.0.0.1', $servers->ports[3]);
$replica->rawCommand('READONLY');
echo thrown(fn () => (new RedisStore($replica, 'ext:'))->read(["$i:journal" => $position], 1)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ext:
pre:
{tag}:
predis:
{predis}:
Bloom\StoreException: the store failed: Redis answered XRANGE with ERR this server is a replica, which may lack the newest records: read journals from the master
