--TEST--
With Predis, a Redis that stalls before, in or after any request makes that call fail, and nothing else
--DESCRIPTION--
fault: late-answer
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis(predis: true);
?>
--INI--
bloom.path={TMP}/bloom-stall_predis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/stall.inc';
error_reporting(E_ALL & ~E_DEPRECATED);
use Bloom\RedisStore;

$server = new RedisServer;
$client = predis_client($server);
$stall = new StallServer("unix://$server->socket");
$connect = fn (float $timeout): Predis\Client => new Predis\Client(['scheme' => 'unix', 'path' => $stall->path(), 'timeout' => 30,
    'read_write_timeout' => $timeout]);
try_stalls('Predis', $stall, $connect, fn (Closure $connect) => new RedisStore($connect), new RedisStore($client), fn (string $key) => $client->get($key), 20);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
