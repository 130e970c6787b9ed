--TEST--
A store connects on first use: a page with a current filter needs no server, and a dead server fails no page
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_closure
--FILE--
<?php
// As Predis' client is, so that the test needs neither a client nor a server.
namespace Predis {
    interface ClientInterface
    {
    }
}

namespace {
require __DIR__ . '/../bloom.inc';
use Bloom\Filter;
use Bloom\MemcachedStore;
use Bloom\RedisStore;

final class Client implements Predis\ClientInterface
{
    public array $values = [];

    public function getConnection(): object
    {
        return $this;
    }

    public function mget(array $keys): array
    {
        return array_map(fn (string $key) => $this->values[$key] ?? null, $keys);
    }

    public function exists(string ...$keys): int
    {
        return count(array_intersect_key($this->values, array_flip($keys)));
    }

    public function set(string $key, string $value): bool
    {
        $this->values[$key] = $value;
        return true;
    }
}

$client = new Client;
$connects = 0;
$alive = new RedisStore(function () use ($client, &$connects) {
    $connects++;
    return $client;
});
check($connects === 0, 'making a store asks nobody');
$blob = blob_of(array_map('strval', range(1, 50_000)), chunkBytes: 8192, capacity: 50_000);
$blob->publish($alive, 'tags');
$blob->publish($alive, 'large');
check($connects === 1, 'one client for all calls');
check(Filter::sync('tags', $alive), 'synced');
Filter::attach('large', $alive, 1 << 20)->mightContain('1');

// What a page does, with a server that does not listen.
$dead = function () use (&$connects) {
    $connects++;
    $socket = @stream_socket_client('unix://' . own_file('none.sock'), $code, $message, 1);
    throw new RuntimeException($socket === false ? 'Connection refused' : 'somebody listens');
};
$connects = 0;
$store = new RedisStore($dead);
check(!Filter::sync('tags', $store, 3600) && Filter::open('tags')->mightContain('1'), 'fresh');
$large = Filter::attach('large', $store, 1 << 20);
check($large->mightContain('1') && $connects === 0, 'what is here needs no server');
foreach (range(1, 200) as $i) {
    check($large->mightContain("$i"), 'a key whose chunk cannot be had may be in it');
}
check($connects === 1, "the first failure begins a pause: $connects connects");
check($large->info()['fetchFailures'] === 1, 'and is counted');

// A sync that is due says so once, and pauses then.
$connects = 0;
echo thrown(fn () => Filter::sync('tags', $store, 0)), "\n";
check(Filter::open('tags')->info()['lastError'] === 'the store failed: RuntimeException: Connection refused', 'noted');
check(!Filter::sync('tags', $store, 60) && $connects === 1, 'the pause protects pages from the server, and it from them');
check(Filter::open('tags')->mightContain('1'), 'served as before');

// It is asked again after a failure, and not after a success.
$fails = true;
$later = new RedisStore(function () use (&$fails, $client) {
    return $fails ? throw new LogicException('not yet') : $client;
});
echo thrown(fn () => $later->getMultiple(['a'])), "\n";
$fails = false;
check($later->getMultiple(['a']) === [], 'connected by now');
$fails = true;
check($later->getMultiple(['a']) === [], 'and for good');

// What it gives must be a client.
foreach ([fn () => new stdClass, fn () => null, fn () => false] as $wrong) {
    echo thrown(fn () => (new RedisStore($wrong))->getMultiple(['a'])), "\n";
    echo thrown(fn () => (new MemcachedStore($wrong))->getMultiple(['a'])), "\n";
}
echo thrown(fn () => Filter::sync('other', new RedisStore(fn () => 5), 0)), "\n";
echo thrown(fn () => new RedisStore(new stdClass)), "\n";
echo thrown(fn () => new MemcachedStore(new stdClass)), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: the store failed: RuntimeException: Connection refused
LogicException: not yet
TypeError: Bloom\RedisStore: the closure must return Redis|RedisCluster|Predis\ClientInterface, stdClass returned
TypeError: Bloom\MemcachedStore: the closure must return Memcached, stdClass returned
TypeError: Bloom\RedisStore: the closure must return Redis|RedisCluster|Predis\ClientInterface, null returned
TypeError: Bloom\MemcachedStore: the closure must return Memcached, null returned
TypeError: Bloom\RedisStore: the closure must return Redis|RedisCluster|Predis\ClientInterface, bool returned
TypeError: Bloom\MemcachedStore: the closure must return Memcached, bool returned
Bloom\StoreException: the store failed: TypeError: Bloom\RedisStore: the closure must return Redis|RedisCluster|Predis\ClientInterface, int returned
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type Redis|RedisCluster|Predis\ClientInterface|Closure, stdClass given
TypeError: Bloom\MemcachedStore::__construct(): Argument #1 ($client) must be of type Memcached|Closure, stdClass given
