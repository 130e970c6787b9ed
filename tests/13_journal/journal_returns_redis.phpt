--TEST--
No host denies a key that was added while Redis had restarted empty, after it has loaded its file
--DESCRIPTION--
fault: store-empty
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-journal_returns_redis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/journal_host.inc';
with_redis_extension();

$server = new RedisServer;
$file = own_file('redis.sock.rdb');
$restart = function (string $from, string $to) use ($server): void {
    $server->stop();
    rename($from, $to);
    $server->start();
};
try_store_that_returns('redis', "new Bloom\\RedisStore(function () { \$client = new Redis; \$client->connect(" . var_export($server->socket, true) . "); return \$client; })",
    function () use ($server, $file, $restart): void {
        redis_client($server)->save();
        $restart($file, "$file.away");
    },
    fn () => $restart("$file.away", $file));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
