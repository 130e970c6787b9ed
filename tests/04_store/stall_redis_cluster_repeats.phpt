--TEST--
No bytes of a value run as a command if a master of a cluster stalls in a request, and the client sends the request again
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
bloom.path={TMP}/bloom-stall_redis_cluster_repeats
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
// RedisCluster sends a request by half, asks another master, and sends all of it again on the connection of the first one. If
// the server goes on in that moment, it takes the end of the second copy for commands.
$value = str_repeat(str_repeat('x', 4000) . STALL_COMMANDS, 3_000); // larger than all buffers
foreach (range(120, 280, 30) as $patience_ms) {
    $cluster->direct->deleteMultiple(['large', 'pwned']);
    $store = new RedisStore(fn () => new RedisCluster(null, [$cluster->seed], 0.3, 0.1), $cluster::PREFIX);
    for ($try = 0; $try < 20 && thrown(fn () => $store->set('large', 'x')) !== 'nothing'; $try++);
    $cluster->stall->stall('requests', 400_000, $patience_ms);
    $said = thrown(fn () => $store->set('large', $value));
    check($said === 'nothing' || str_starts_with($said, 'Bloom\StoreException: '), "released after $patience_ms ms: $said");
    $cluster->stall->release();
    check($cluster->raw('pwned') === null, "released after $patience_ms ms: no bytes of the value ran as a command");
    check(in_array($cluster->raw('large'), ['x', $value], true), "released after $patience_ms ms: the value is whole");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
