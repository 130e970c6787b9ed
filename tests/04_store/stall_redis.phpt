--TEST--
A Redis that stalls before, in or after any request makes that call fail, and neither the next call nor the store gets anything wrong
--DESCRIPTION--
fault: late-answer
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-stall_redis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/stall.inc';
with_redis_extension();
error_reporting(E_ALL & ~E_NOTICE); // ext-redis also reports a request that it could not send
use Bloom\RedisStore;

$server = new RedisServer;
$client = redis_client($server);
$stall = new StallServer("unix://$server->socket");
$raw = fn (string $key): ?string => $client->get($key) === false ? null : $client->get($key);
$connect = function (float $timeout) use ($stall): Redis {
    $redis = new Redis;
    $redis->connect($stall->path(), -1, 30, null, 0, $timeout);
    return $redis;
};
// ext-redis applies its timeout between the lines of an answer, and then keeps the connection, but not within a value.
try_stalls('connect', $stall, $connect, fn (Closure $connect) => new RedisStore($connect), new RedisStore($client), $raw, strlen("*2\r\n"));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
