--TEST--
RedisStore::replace() stores a value only if the present one is the expected one, also in a race of several clients
--DESCRIPTION--
fault: publishers
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-store_replace_redis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/replace.inc';
with_redis_extension();
use Bloom\RedisStore;

$server = new RedisServer;
$client = redis_client($server);
$store = new RedisStore($client);
try_replace($store);
try_replace_races('(function () { $client = new Redis; $client->connect(' . var_export($server->socket, true) . '); return new Bloom\RedisStore($client); })()');

$client->config('SET', 'maxmemory', '1');
check(str_contains($said = thrown(fn () => $store->replace('tags', null, 'x')), 'OOM'), "a full server: $said");
check($store->missing(['tags']) === ['tags'], 'nothing was stored');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
