--TEST--
With Predis, a master of a cluster that stalls before, in or after any request makes that call fail, and nothing else
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
bloom.path={TMP}/bloom-stall_predis_cluster
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/stall.inc';
with_redis_extension();
error_reporting(E_ALL & ~E_DEPRECATED);
require_once '/usr/share/php/Predis/autoload.php';
use Bloom\RedisStore;

$cluster = new StallCluster;
$connect = fn (float $timeout): Predis\Client => new Predis\Client(["tcp://$cluster->seed?timeout=30&read_write_timeout=$timeout"],
    ['cluster' => 'redis', 'parameters' => ['timeout' => 30, 'read_write_timeout' => $timeout]]);
try_stalls('Predis', $cluster->stall, $connect, fn (Closure $connect) => new RedisStore($connect, $cluster::PREFIX),
    $cluster->direct, $cluster->raw(...), 20, true);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
