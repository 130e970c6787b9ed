--TEST--
RedisStore keeps journals on a cluster, through ext-redis and Predis
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../cluster.inc';
skip_without_redis();
skip_without_redis(predis: true);
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-journal_redis_cluster
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../cluster.inc';
require __DIR__ . '/../journals.inc';
with_redis_extension();
error_reporting(E_ALL & ~E_DEPRECATED);
require_once '/usr/share/php/Predis/autoload.php';
use Bloom\RedisStore;

$servers = new RedisClusterServers;
$cluster = $servers->client();
$prefixed = $servers->client();
$prefixed->setOption(RedisCluster::OPT_PREFIX, 'own:');
$prefixed->setOption(RedisCluster::OPT_SERIALIZER, Redis::SERIALIZER_PHP);
$predis = fn (): Predis\Client => new Predis\Client(array_map(fn ($address) => "tcp://$address", $servers->addresses()), ['cluster' => 'redis']);
foreach (['ext:' => $cluster, 'pre:' => $prefixed, '{tag}:' => $cluster, 'predis:' => $predis(), '{predis}:' => $predis()] as $prefix => $client) {
    echo "$prefix\n";
    $store = new RedisStore($client, $prefix);
    $own = $client === $prefixed ? 'own:' : '';
    try_journal_store($store, fn (string $journal) => $cluster->del("$own$prefix$journal"), 100);
    $positions = [];
    for ($i = 0; $i < 12; $i++) {
        $positions["$i:journal"] = $store->append("$i:journal", [record("$i")]);
    }
    check($store->read($positions, 1) === array_fill_keys(array_keys($positions), []), 'journals on several servers');
    $on = array_unique(array_map(fn (string $journal) => $servers->of("$own$prefix$journal"), array_keys($positions)));
    check(str_contains($prefix, '{') ? count($on) === 1 : count($on) === 3, "$prefix on " . count($on) . ' servers');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
ext:
pre:
{tag}:
predis:
{predis}:
