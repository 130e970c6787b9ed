--TEST--
A lagging replica is refused as older than the served version unless forced, and syncs succeed once it has caught up
--DESCRIPTION--
fault: old-version
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-store_redis_replica
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/stores.inc';
with_redis_extension();
use Bloom\{Filter, RedisStore};

// Replication has delays of a second.
$server = new RedisServer(rate: 10);
$other = new RedisServer('replica.sock', rate: 10);
$master = redis_client($server);
$port = listen_on_a_free_port($master);
$replica = redis_client($other);
$replica->config('SET', 'repl-diskless-sync-delay', '0');
$master->config('SET', 'repl-diskless-sync-delay', '0');
$replica->rawCommand('REPLICAOF', '127.0.0.1', (string) $port);
$first = chunked(keys('first', 5000), builtAt: 1_000);
$second = chunked(keys('second', 5000), builtAt: 2_000);
$first->publish(new RedisStore($master), 'booth');
await_copy($master, $replica);
check(switched(Filter::sync('booth', new RedisStore($replica), 0)), 'the sync reads from the replica');
$booth = Filter::open('booth');

// The replication link is cut. A new version is published, and this host loads it from the master.
$replica->rawCommand('REPLICAOF', '127.0.0.1', '1');
$second->publish(new RedisStore($master), 'booth');
check(switched(Filter::sync('booth', new RedisStore($master), 0)), 'the sync reads from the master');
foreach ([1, 2] as $time) {
    echo thrown(fn () => Filter::sync('booth', new RedisStore($replica), 0)), "\n";
    check($booth->candidates(keys('second', 5000)) === keys('second', 5000) && $booth->info()->generation === 2,
        'the newer version is still served');
    check($booth->info()->syncFailuresInRow === $time && str_ends_with($booth->info()->lastError, 'is older than the one served'),
        'lastError holds the reason');
}
check(switched(Filter::sync('booth', new RedisStore($master), 0)) === false && $booth->info()->syncFailuresInRow === 0,
    'a sync from the master succeeds');
check(switched(Filter::sync('booth', new RedisStore($replica), 0, force: true)) && $booth->candidates(keys('first', 5000)) === keys('first', 5000),
    'a forced sync rolls back');

// Publishing to the replica changes nothing and throws with the reason.
echo thrown(fn () => chunked(keys('third', 5000), builtAt: 3_000)->publish(new RedisStore($replica), 'booth')), "\n";
check(switched(Filter::sync('booth', new RedisStore($replica), 0)) === false && $booth->mightContain('first1'),
    'the published version is unchanged');

$replica->rawCommand('REPLICAOF', '127.0.0.1', (string) $port);
await_copy($master, $replica);
check(switched(Filter::sync('booth', new RedisStore($replica), 0)) && $booth->candidates(keys('second', 5000)) === keys('second', 5000),
    'syncs succeed once the replica has caught up');

// A master that restarts empty also empties its replica. Hosts must keep what they serve.
$server->stop();
$server->start();
$port = listen_on_a_free_port($master = redis_client($server));
$replica->rawCommand('REPLICAOF', '127.0.0.1', (string) $port);
await_copy($master, $replica);
echo thrown(fn () => Filter::sync('booth', new RedisStore($replica), 0)), "\n";
check($booth->candidates(keys('second', 5000)) === keys('second', 5000), 'the loaded version is still served');
$second->publish(new RedisStore($master), 'booth');
await_copy($master, $replica);
check(switched(Filter::sync('booth', new RedisStore($replica), 0)) === false && $booth->info()->syncFailuresInRow === 0,
    'syncs succeed after publishing again');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: booth: the store's version is older than the one served
Bloom\StoreException: booth: the store's version is older than the one served
Bloom\StoreException: the store failed: Redis answered SET with READONLY You can't write against a read only replica.
Bloom\StoreException: booth: missing from the store
