--TEST--
RedisStore publishes to and syncs from a real server through Predis
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../redis.inc';
skip_without_redis(predis: true);
?>
--INI--
bloom.path={TMP}/bloom-store_predis
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../stores.inc';
require __DIR__ . '/replace.inc';
error_reporting(E_ALL & ~E_DEPRECATED);
use Bloom\{Filter, RedisStore};

$server = new RedisServer;
$client = predis_client($server);
$store = new RedisStore($client);
$blob = chunked(keys('a', 5000));
$said = $blob->publish($store, 'booth');
check($said['chunks'] === $said['chunksWritten'], 'all chunks are written: ' . json_encode($said));
check(count($client->keys('bloom:booth:*')) === $said['chunks'], 'every chunk has a key');
check($blob->publish($store, 'booth')['chunksWritten'] === 0, 'publishing again writes nothing');
check(switched(Filter::sync('booth', $store, 0)) === true && switched(Filter::sync('booth', $store, 0)) === false,
    'the first sync switches and the second changes nothing');
check(Filter::open('booth')->candidates(keys('a', 5000)) === keys('a', 5000), 'every key is found');
$next = chunked([...keys('a', 5000), 'b'], builtAt: 1_700_000_001);
$evicted = current(array_intersect(chunk_keys($blob, 'booth'), chunk_keys($next, 'booth')));
$client->del(["bloom:$evicted"]);
$said = $next->publish($store, 'booth');
check($said['chunksWritten'] === 2, 'publish writes the changed chunk and the evicted chunk: ' . json_encode($said));
$keys = array_map(fn ($i) => "m:$i", range(0, 99));
foreach ([3, 50, 51, 99] as $i) {
    $store->set("m:$i", 'x');
}
check($store->missing($keys) === array_values(array_diff($keys, ['m:3', 'm:50', 'm:51', 'm:99'])), 'missing()');
check($store->missing(['m:3']) === [] && $store->missing(['m:4']) === ['m:4'], 'missing() handles one key');
$store->deleteMultiple(['m:3', 'm:4']);
check($store->missing(['m:3', 'm:50']) === ['m:3'], 'deleteMultiple()');
try_replace($store);
$client->hset('bloom:hash', 'a', 'b');
echo thrown(fn () => Filter::sync('hash', $store, 0)), "\n";
$quiet = new RedisStore(new Predis\Client(['scheme' => 'unix', 'path' => $server->socket], ['exceptions' => false]));
$client->config('SET', 'maxmemory', '1');
echo preg_replace('/: (OOM|Redis answered).*/', ': …', thrown(fn () => $quiet->set('x', 'y'))), "\n";
echo preg_replace('/: (\S*: OOM|Redis answered).*/', ': …', thrown(fn () => chunked(keys('c', 5000), builtAt: 1_700_000_002)->publish($store, 'booth'))), "\n";
$server->stop();
echo thrown(fn () => Filter::sync('booth', $store, 0), true), "\n";
check(Filter::open('booth')->mightContain('a1'), 'the loaded version is still served');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: hash: missing from the store
Bloom\StoreException: the store failed: …
Bloom\StoreException: the store failed: …
Bloom\StoreException
