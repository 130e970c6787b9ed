--TEST--
After a failure, a store asks its closure for a new client, and closes a client that it was given, which then connects again to its database
--DESCRIPTION--
fault: failover
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/memcached.inc';
skip_without_redis();
skip_without_redis(predis: true);
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_reconnect
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/memcached.inc';
require __DIR__ . '/../lib/stall.inc';
with_redis_extension();
with_memcached_extension();
error_reporting(E_ALL & ~E_DEPRECATED);
use Bloom\{MemcachedStore, RedisStore};

// A failover: the closure connects to the other server.
$one = new RedisServer;
$two = new RedisServer('two.sock');
foreach (['Redis' => redis_client(...), 'Predis' => predis_client(...)] as $name => $connect) {
    (new RedisStore($connect($two)))->set('a', 'in two');
    $master = $one;
    $store = new RedisStore(function () use (&$master, $connect) {
        return $connect($master);
    });
    $store->set('a', 'in one');
    $one->stop();
    check(str_starts_with($said = thrown(fn () => $store->getMultiple(['a'])), 'Bloom\StoreException'), "$name: $said");
    $master = $two;
    check($store->getMultiple(['a']) === ['a' => 'in two'], "$name: the store follows the failover");
    $one->start();
}

// A client that was given. A late answer is not the answer to the next call, of the store or of its owner.
$stall = new StallServer("unix://$one->socket");
$redis = new Redis;
$redis->connect($stall->path(), -1, 30, null, 0, 30);
$redis->select(3);
$redis->set('own', 'of the application');
$store = new RedisStore($redis);
$other = new RedisStore($redis, 'other:');
$store->set('a', 'one');
$other->set('b', 'two');
foreach ([0, 4] as $after) {
    $redis->setOption(Redis::OPT_READ_TIMEOUT, 0.2);
    $stall->stall('answers', $after);
    check(str_starts_with($said = thrown(fn () => $store->getMultiple(['a', 'none'])), 'Bloom\StoreException: the store failed: '), "Redis: $said");
    $stall->release();
    $redis->setOption(Redis::OPT_READ_TIMEOUT, 30);
    check($other->getMultiple(['b']) === ['b' => 'two'] && $store->getMultiple(['a']) === ['a' => 'one'], 'Redis: the next calls get their own answers, from database 3');
    check($store->missing(['a', 'b']) === ['b'], 'Redis: and no other');
}
check(redis_client($one)->dbSize() === 0 && $redis->getDBNum() === 3, 'nothing is in database 0');

// A server that answers with an error may no longer be the master, so the store asks for another client.
$made = 0;
$store = new RedisStore(function () use ($one, &$made) {
    $made++;
    return redis_client($one);
});
$direct = redis_client($one);
$direct->config('SET', 'maxmemory', '1');
check(str_contains($said = thrown(fn () => $store->set('a', 'x')), 'OOM') && $store->getMultiple(['a']) === [] && $made === 2, "a refused command: $said");
$direct->config('SET', 'maxmemory', '0');
$direct->script('flush');
check($store->getMultiple(['a']) === [] && $made === 2, 'the connection to a server that has forgotten the scripts stays');

$server = new MemcachedServer;
$stall = new StallServer("unix://$server->socket", 'stall-memcached.sock');
$memcached = new Memcached;
$memcached->addServer($stall->path(), 0);
$store = new MemcachedStore($memcached);
$store->set('a', 'one');
$store->set('b', 'two');
$memcached->setOption(Memcached::OPT_POLL_TIMEOUT, 200);
$stall->stall('answers', 0);
check(str_starts_with($said = thrown(fn () => $store->getMultiple(['a'])), 'Bloom\StoreException: the store failed: '), "Memcached: $said");
$stall->release();
$memcached->setOption(Memcached::OPT_POLL_TIMEOUT, 30_000);
// The client does not contact a failed server for a while, but never returns the late answer.
check(in_array($got = thrown(fn () => $store->getMultiple(['b']) === ['b' => 'two'] ?: throw new LogicException('wrong')), ['nothing'], true) || str_contains($got, 'StoreException'), "Memcached: $got");
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
