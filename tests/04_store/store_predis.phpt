--TEST--
RedisStore publishes to and syncs from a real server through Predis
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis(predis: true);
?>
--INI--
bloom.path={TMP}/bloom-store_predis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/suite.inc';
error_reporting(E_ALL & ~E_DEPRECATED);
use Bloom\{Filter, RedisStore};

$server = new RedisServer;
$client = predis_client($server);
$store = new RedisStore($client);
try_store($store);
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
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: hash: missing from the store
Bloom\StoreException: the store failed: …
Bloom\StoreException: the store failed: …
Bloom\StoreException
