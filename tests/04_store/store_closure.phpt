--TEST--
A store connects on first use: a page whose filter is current needs no server, and a dead server breaks no page
--DESCRIPTION--
fault: failover
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_closure
--FILE--
<?php
require __DIR__ . '/../lib/predis_fake.inc';
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;
use Bloom\MemcachedStore;
use Bloom\RedisStore;

final class Client implements Predis\ClientInterface
{
    use AnswersScripts;

    public array $values = [];
}

$client = new Client;
$connects = 0;
$alive = new RedisStore(function () use ($client, &$connects) {
    $connects++;
    return $client;
});
check($connects === 0, 'creating a store does not connect');
$blob = blob_of(array_map('strval', range(1, 50_000)), chunkBytes: 8192, capacity: 50_000);
$blob->publish($alive, 'tags');
$blob->publish($alive, 'large');
check($connects === 1, 'all calls share one client');
check(switched(Filter::sync('tags', $alive)), 'the sync loads the filter');
Filter::attach('large', $alive, 1 << 20)->mightContain('1');

// The calls of a typical page, while the server refuses connections.
$dead = function () use (&$connects) {
    $connects++;
    $socket = @stream_socket_client('unix://' . own_file('none.sock'), $code, $message, 1);
    throw new RuntimeException($socket === false ? 'Connection refused' : 'somebody listens');
};
$connects = 0;
$store = new RedisStore($dead);
check(!switched(Filter::sync('tags', $store, 3600)) && Filter::open('tags')->mightContain('1'), 'a fresh filter needs no sync');
$large = Filter::attach('large', $store, 1 << 20);
check($large->mightContain('1') && $connects === 0, 'a lookup in a resident chunk does not connect');
foreach (range(1, 200) as $i) {
    check($large->mightContain("$i"), 'a key may be present if its chunk cannot be fetched');
}
check($connects === 1, "fetching pauses after the first failure: $connects connects");
check($large->info()->fetchFailures === 1, 'the failure is counted');

// A due sync throws once and then pauses.
$connects = 0;
echo thrown(fn () => Filter::sync('tags', $store, 0)), "\n";
check(Filter::open('tags')->info()->lastError === 'the store failed: RuntimeException: Connection refused',
    'lastError holds the reason');
check(!switched(Filter::sync('tags', $store, 60)) && $connects === 1, 'a sync during the pause does not connect');
check(Filter::open('tags')->mightContain('1'), 'the filter is still served');

// The store calls the closure again after a failure, but not after a success.
$fails = true;
$later = new RedisStore(function () use (&$fails, $client) {
    return $fails ? throw new LogicException('not yet') : $client;
});
echo thrown(fn () => $later->getMultiple(['a'])), "\n";
$fails = false;
check($later->getMultiple(['a']) === [], 'the second attempt connects');
$fails = true;
check($later->getMultiple(['a']) === [], 'the client is kept');

// The closure must return a client.
foreach ([fn () => new stdClass, fn () => null, fn () => false] as $wrong) {
    echo thrown(fn () => (new RedisStore($wrong))->getMultiple(['a'])), "\n";
    echo thrown(fn () => (new MemcachedStore($wrong))->getMultiple(['a'])), "\n";
}
echo thrown(fn () => Filter::sync('other', new RedisStore(fn () => 5), 0)), "\n";
echo thrown(fn () => new RedisStore(new stdClass)), "\n";
echo thrown(fn () => new MemcachedStore(new stdClass)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
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
