--TEST--
After Redis restarts from an older file, no host denies a key that it lost, and one notice tells the hosts that lack it
--DESCRIPTION--
fault: store-forgets
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-journal_forgets_redis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/journal_host.inc';
with_redis_extension();

$server = new RedisServer;
try_forgetful_store('redis', "new Bloom\\RedisStore(function () { \$client = new Redis; \$client->connect(" . var_export($server->socket, true) . "); return \$client; })",
    fn () => redis_client($server)->save(),
    function () use ($server): void {
        $server->stop();
        $server->start();
    });
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
