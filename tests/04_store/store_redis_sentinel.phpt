--TEST--
A store finds the new master through Redis Sentinel, with a closure for ext-redis or with Predis, and its journal goes on
--DESCRIPTION--
fault: failover
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
skip_without_redis(predis: true);
?>
--INI--
bloom.path={TMP}/bloom-store_redis_sentinel
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
with_redis_extension();
error_reporting(E_ALL & ~E_DEPRECATED);
require_once '/usr/share/php/Predis/autoload.php';
use Bloom\{Journal, RedisStore};

$server = new RedisServer;
$other = new RedisServer('replica.sock');
$master = redis_client($server);
$port = listen_on_a_free_port($master);
$replica = redis_client($other);
$newPort = listen_on_a_free_port($replica);
foreach ([$master, $replica] as $client) {
    $client->config('SET', 'repl-diskless-sync-delay', '0');
}
$replica->rawCommand('REPLICAOF', '127.0.0.1', (string) $port);
await_copy($master, $replica);

// A sentinel writes into its file. Until the master is killed, a server that a busy machine delays is not taken for dead.
mkdir(own_file('sentinel'));
$start = function () use ($port, &$sentinelPort): mixed {
    for ($try = 0; $try < 20; $try++) {
        $sentinelPort = random_int(20_000, 32_000); // the port may be in use
        file_put_contents(own_file('sentinel/conf'), "port $sentinelPort\nbind 127.0.0.1\ndir " . own_file('sentinel') . "\n"
            . "sentinel monitor shop 127.0.0.1 $port 1\nsentinel down-after-milliseconds shop 60000\nsentinel failover-timeout shop 2000\n");
        $log = ['file', own_file('sentinel/log'), 'a'];
        $process = proc_open(['redis-server', own_file('sentinel/conf'), '--sentinel'], [['file', '/dev/null', 'r'], $log, $log], $pipes);
        for ($i = 0; $i < 500 && proc_get_status($process)['running']; $i++) {
            if (@stream_socket_client("tcp://127.0.0.1:$sentinelPort")) {
                return $process;
            }
            usleep(10_000);
        }
    }
    throw new RuntimeException('the sentinel does not start: ' . file_get_contents(own_file('sentinel/log')));
};
$process = $start();
register_shutdown_function(fn () => proc_terminate($process, 9));
$sentinel = fn (): RedisSentinel => version_compare(phpversion('redis'), '6', '<')
    ? new RedisSentinel('127.0.0.1', $sentinelPort, 30.0)
    : new RedisSentinel(['host' => '127.0.0.1', 'port' => $sentinelPort, 'connectTimeout' => 30.0]);
for ($i = 0; $i < 2000 && count($sentinel()->slaves('shop') ?: []) === 0; $i++) {
    usleep(10_000);
}

$connections = 0;
$stores = [
    'ext-redis' => new RedisStore(function () use ($sentinel, &$connections): Redis {
        $connections++;
        [$host, $port] = $sentinel()->getMasterAddrByName('shop');
        $redis = new Redis;
        $redis->connect($host, (int) $port, 30.0, null, 0, 30.0);
        return $redis;
    }, 'ext:'),
    'Predis' => new RedisStore(new Predis\Client(["tcp://127.0.0.1:$sentinelPort?timeout=30&read_write_timeout=30"], ['replication' => 'sentinel', 'service' => 'shop']), 'predis:'),
];
foreach ($stores as $name => $store) {
    $store->set('a', 'before');
    (new Journal('tags', $store))->mark();
    check((new Journal('tags', $store))->add('before') > 0, "$name: a key is added");
}
await_copy($master, $replica);

$commands = new Redis;
$commands->connect('127.0.0.1', $sentinelPort);
$commands->rawCommand('SENTINEL', 'SET', 'shop', 'down-after-milliseconds', '500');
$server->stop();
$failures = 0;
foreach ($stores as $name => $store) {
    for ($i = 0; $i < 2000; $i++) { // until the sentinel has promoted the replica
        try {
            $store->set('a', 'after');
            break;
        } catch (Bloom\StoreException | RedisException) { // the closure throws the latter
            $failures++;
            usleep(10_000);
        }
    }
    check($store->getMultiple(['a']) === ['a' => 'after'] && (new Journal('tags', $store))->add('after') > 0, "$name: the new master is used");
    check($replica->get(['ext-redis' => 'ext:a', 'Predis' => 'predis:a'][$name]) === 'after', "$name: the new master has the value");
}
check($failures > 0 && $connections > 1, "the master was away: $failures failures, $connections connections");
echo $replica->info('replication')['role'], "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
master
