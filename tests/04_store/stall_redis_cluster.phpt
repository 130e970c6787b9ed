--TEST--
A master of a cluster that stalls before, in or after any request makes that call fail, and nothing else, even if the client sends a request again
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
bloom.path={TMP}/bloom-stall_redis_cluster
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../cluster.inc';
require __DIR__ . '/../journals.inc';
require __DIR__ . '/../stall.inc';
with_redis_extension();
error_reporting(E_ALL & ~E_DEPRECATED & ~E_NOTICE);
require_once '/usr/share/php/Predis/autoload.php';
use Bloom\RedisStore;

// All keys are on one master, which announces the proxy's port, so that clients reach it only through the proxy.
const PREFIX = '{stall}:';
$servers = new RedisClusterServers;
$master = $servers->of(PREFIX);
$client = new Redis;
$client->connect('127.0.0.1', $servers->ports[$master]);
$stall = new StallServer("tcp://127.0.0.1:{$servers->ports[$master]}");
$client->rawCommand('CONFIG', 'SET', 'cluster-announce-port', (string) $stall->port());
foreach ($servers->ports as $port) {
    for ($i = 0; $i < 600 && !str_contains($servers->ask('-p', (string) $port, 'CLUSTER', 'NODES'), ":{$stall->port()}@"); $i++) {
        usleep(50_000);
    }
}
$raw = fn (string $key): ?string => $client->get("{stall}:$key") ?: null;
$direct = new RedisStore($client, PREFIX);
$seed = "127.0.0.1:{$stall->port()}";
$connect = fn (float $timeout): RedisCluster => new RedisCluster(null, [$seed], 1, $timeout > 0 ? $timeout : 0.3);
try_stalls('RedisCluster', $stall, $connect, fn (Closure $connect) => new RedisStore($connect, PREFIX), $direct, $raw, strlen("*2\r\n"), true);
$connect = fn (float $timeout): Predis\Client => new Predis\Client(["tcp://$seed?timeout=30&read_write_timeout=" . ($timeout > 0 ? $timeout : 0.3)],
    ['cluster' => 'redis', 'parameters' => ['timeout' => 30, 'read_write_timeout' => $timeout > 0 ? $timeout : 0.3]]);
try_stalls('Predis', $stall, $connect, fn (Closure $connect) => new RedisStore($connect, PREFIX), $direct, $raw, 20, true);
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
