--TEST--
A master of a cluster that stalls before, in or after any request makes that call fail, and nothing else, even if the client sends a request again
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
bloom.path={TMP}/bloom-stall_redis_cluster
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/stall.inc';
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
// RedisCluster sends a request by half, asks another master, and sends all of it again on the connection of the first one. If
// the server goes on in that moment, it takes the end of the second copy for commands.
$value = str_repeat(str_repeat('x', 4000) . STALL_COMMANDS, 3_000); // larger than all buffers
foreach (range(350, 850, 100) as $patience_ms) {
    $direct->deleteMultiple(['large', 'pwned']);
    $store = new RedisStore(fn () => new RedisCluster(null, [$seed], 1, 0.3), PREFIX);
    for ($try = 0; $try < 20 && thrown(fn () => $store->set('large', 'x')) !== 'nothing'; $try++);
    $stall->stall('requests', 400_000, $patience_ms);
    $said = thrown(fn () => $store->set('large', $value));
    check($said === 'nothing' || str_starts_with($said, 'Bloom\StoreException: '), "released after $patience_ms ms: $said");
    $stall->release();
    check($raw('pwned') === null, "released after $patience_ms ms: no bytes of the value ran as a command");
    check(in_array($raw('large'), ['x', $value], true), "released after $patience_ms ms: the value is whole");
}

$connect = fn (float $timeout): Predis\Client => new Predis\Client(["tcp://$seed?timeout=30&read_write_timeout=" . ($timeout > 0 ? $timeout : 0.3)],
    ['cluster' => 'redis', 'parameters' => ['timeout' => 30, 'read_write_timeout' => $timeout > 0 ? $timeout : 0.3]]);
try_stalls('Predis', $stall, $connect, fn (Closure $connect) => new RedisStore($connect, PREFIX), $direct, $raw, 20, true);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
