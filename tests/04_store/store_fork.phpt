--TEST--
A forked child asks the store's closure for its own client, and a client that was connected before the fork is refused
--DESCRIPTION--
fault: client-fork
--EXTENSIONS--
bloom
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/memcached.inc';
skip_without_redis();
skip_without_redis(predis: true);
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_fork
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/memcached.inc';
with_redis_extension();
with_memcached_extension();
error_reporting(E_ALL & ~E_DEPRECATED);
use Bloom\{MemcachedStore, RedisStore};

$redis = new RedisServer;
$memcached = new MemcachedServer;
$connect = [
    'Redis' => fn () => redis_client($redis),
    'pconnect' => function () use ($redis) {
        $client = new Redis;
        $client->pconnect($redis->socket);
        return $client;
    },
    'Predis' => fn () => predis_client($redis),
    'Memcached' => fn () => memcached_client($memcached),
];

/** Runs a call in a forked child, and returns what it prints. */
function in_child(callable $call): string
{
    [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $pid = pcntl_fork();
    if ($pid === 0) {
        fwrite($there, $call());
        fclose($there);
        kill_process(getmypid()); // no destructor runs that would end the parent's connections or servers
    }
    fclose($there);
    $said = stream_get_contents($here);
    pcntl_waitpid($pid, $status);
    return $said;
}

foreach ($connect as $name => $make) {
    $class = $name === 'Memcached' ? MemcachedStore::class : RedisStore::class;
    $made = 0;
    $closure = function () use ($make, &$made) {
        $made++;
        return $make();
    };
    $store = new $class($closure);
    $store->set('a', 'one');
    $store->set('b', 'two');
    check($made === 1, "$name: one client");

    // Both processes use the store at the same time, and each gets its own answers.
    $answers = fn (string $key, string $value, int $count): string => implode(array_unique(array_map(
        fn () => json_encode($store->getMultiple([$key])) === json_encode([$key => $value]) ? '' : 'wrong', range(1, $count))));
    $pid = pcntl_fork();
    if ($pid === 0) {
        $said = $answers('b', 'two', 500);
        file_put_contents(own_file("child-$name"), "$said made $made");
        kill_process(getmypid());
    }
    check($answers('a', 'one', 500) === '', "$name: the parent gets its own answers");
    pcntl_waitpid($pid, $status);
    check(file_get_contents(own_file("child-$name")) === ' made 2', "$name: the child made its own client: " . file_get_contents(own_file("child-$name")));
    check($made === 1, "$name: the parent keeps its client");

    // Without its own client, a child cannot use the store; the parent still can.
    $client = $make();
    $shared = new $class(fn () => $client);
    $given = new $class($client);
    $shared->getMultiple(['a']);
    foreach (['shared' => $shared, 'given' => $given] as $how => $other) {
        foreach ([1, 2] as $time) {
            echo "$name, $how: ", in_child(fn (): string => thrown(fn () => $other->getMultiple(['b']))), "\n";
        }
        check($other->getMultiple(['a']) === ['a' => 'one'], "$name, $how: the parent's client works");
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Redis, shared: Bloom\StoreException: the store cannot use its client: Redis was connected by another process, before a fork (let the closure make a new client)
Redis, shared: Bloom\StoreException: the store cannot use its client: Redis was connected by another process, before a fork (let the closure make a new client)
Redis, given: Bloom\StoreException: the store cannot use its client: Redis was connected by another process, before a fork (pass a closure that returns a connected client)
Redis, given: Bloom\StoreException: the store cannot use its client: Redis was connected by another process, before a fork (pass a closure that returns a connected client)
pconnect, shared: Bloom\StoreException: the store cannot use its client: Redis was connected by another process, before a fork (let the closure make a new client)
pconnect, shared: Bloom\StoreException: the store cannot use its client: Redis was connected by another process, before a fork (let the closure make a new client)
pconnect, given: Bloom\StoreException: the store cannot use its client: Redis was connected by another process, before a fork (pass a closure that returns a connected client)
pconnect, given: Bloom\StoreException: the store cannot use its client: Redis was connected by another process, before a fork (pass a closure that returns a connected client)
Predis, shared: Bloom\StoreException: the store cannot use its client: Predis\Client was connected by another process, before a fork (let the closure make a new client)
Predis, shared: Bloom\StoreException: the store cannot use its client: Predis\Client was connected by another process, before a fork (let the closure make a new client)
Predis, given: Bloom\StoreException: the store cannot use its client: Predis\Client was connected by another process, before a fork (pass a closure that returns a connected client)
Predis, given: Bloom\StoreException: the store cannot use its client: Predis\Client was connected by another process, before a fork (pass a closure that returns a connected client)
Memcached, shared: Bloom\StoreException: the store cannot use its client: Memcached was connected by another process, before a fork (let the closure make a new client)
Memcached, shared: Bloom\StoreException: the store cannot use its client: Memcached was connected by another process, before a fork (let the closure make a new client)
Memcached, given: Bloom\StoreException: the store cannot use its client: Memcached was connected by another process, before a fork (pass a closure that returns a connected client)
Memcached, given: Bloom\StoreException: the store cannot use its client: Memcached was connected by another process, before a fork (pass a closure that returns a connected client)
