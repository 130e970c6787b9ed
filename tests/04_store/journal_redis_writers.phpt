--TEST--
Many processes append to a journal in Redis while others read and trim it, and it survives a restart of the server
--DESCRIPTION--
fault: journal-concurrent, redis-restart
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-journal_redis_writers
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
with_redis_extension();
use Bloom\RedisStore;

$server = new RedisServer;
try_journal_writers('(function () { $client = new Redis; $client->connect(' . var_export($server->socket, true) . '); return new Bloom\RedisStore($client); })()', appends: 400);

// A journal without records, one that was trimmed, and one with all records, before and after a restart with each persistence.
foreach (['rdb', 'aof'] as $persistence) {
    $client = redis_client($server);
    $store = new RedisStore($client);
    $client->flushAll();
    $positions = ['empty:journal' => $store->last('empty:journal')[0], 'whole:journal' => $store->last('whole:journal')[0]];
    $store->append('whole:journal', [record('1'), record('2')]);
    $positions['trimmed:journal'] = $store->append('trimmed:journal', [record('1'), record('2')]);
    $store->append('trimmed:journal', [record('3')]);
    $store->trim('trimmed:journal', $positions['trimmed:journal']);
    $before = [$store->read($positions, 1 << 20), array_map($store->last(...), array_keys($positions))];
    if ($persistence === 'rdb') {
        $client->save();
    } else {
        $client->config('SET', 'appendonly', 'yes');
        for ($i = 0; $i < 1000 && !str_contains($client->rawCommand('INFO', 'persistence'), "aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0"); $i++) {
            usleep(10_000);
        }
        $store->append('whole:journal', [record('4')]); // in the incremental file
        $before = [$store->read($positions, 1 << 20), array_map($store->last(...), array_keys($positions))];
        $client->config('SET', 'appendfsync', 'always');
        $client->set('synced', 1);
    }
    $server->stop();
    $server->start($persistence === 'aof' ? ['--appendonly', 'yes'] : []);
    $store = new RedisStore(redis_client($server));
    check($before === [$store->read($positions, 1 << 20), array_map($store->last(...), array_keys($positions))], "$persistence: the same journals");
    check(count($before[0]['whole:journal']) === ($persistence === 'aof' ? 3 : 2) && count($before[0]['trimmed:journal']) === 1, 'with all records');
    check($store->append('empty:journal', [record('x')], $positions['empty:journal']) !== null, "$persistence: the next append");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
