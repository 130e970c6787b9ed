--TEST--
A master of a cluster that stalls before, in or after any request makes that call fail, and nothing else
--DESCRIPTION--
fault: late-answer
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
error_reporting(E_ALL & ~E_NOTICE);
use Bloom\RedisStore;

$cluster = new StallCluster;
// The first number also limits for how long the client repeats a request.
$connect = fn (float $timeout): RedisCluster => new RedisCluster(null, [$cluster->seed], 3 * $timeout, $timeout);
try_stalls('RedisCluster', $cluster->stall, $connect, fn (Closure $connect) => new RedisStore($connect, $cluster::PREFIX),
    $cluster->direct, $cluster->raw(...), strlen("*2\r\n"), true);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
