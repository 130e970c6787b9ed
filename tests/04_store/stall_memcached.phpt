--TEST--
A Memcached that stalls before, in or after any request makes that call fail, and neither the next call nor the store gets anything wrong
--DESCRIPTION--
fault: late-answer
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-stall_memcached
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/memcached.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/stall.inc';
with_memcached_extension();
use Bloom\MemcachedStore;

$server = new MemcachedServer(['-I', '4m', '-m', '128']);
$client = memcached_client($server);
$stall = new StallServer("unix://$server->socket");
$raw = fn (string $key): ?string => $client->get($key) === false ? null : $client->get($key);
$connect = function (float $timeout) use ($stall): Memcached {
    $memcached = new Memcached;
    $limit = (int) ($timeout * 1000);
    $memcached->setOptions([Memcached::OPT_POLL_TIMEOUT => $limit, Memcached::OPT_SEND_TIMEOUT => $limit * 1000, Memcached::OPT_RECV_TIMEOUT => $limit * 1000]);
    $memcached->addServer($stall->path(), 0);
    return $memcached;
};
try_stalls('Memcached', $stall, $connect, fn (Closure $connect) => new MemcachedStore($connect), new MemcachedStore($client), $raw, 3, half: 10);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
