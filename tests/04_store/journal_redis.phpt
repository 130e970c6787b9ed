--TEST--
RedisStore keeps journals through ext-redis, with any of the client's options
--DESCRIPTION--
fault: client-options, journal-disk-full, journal-lost, redis-restart
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-journal_redis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
with_redis_extension();
use Bloom\RedisStore;

$server = new RedisServer;
$client = redis_client($server);
$options = [
    'no options' => [],
    'a prefix' => [Redis::OPT_PREFIX => 'prefix:'],
    'a serializer' => [Redis::OPT_SERIALIZER => Redis::SERIALIZER_PHP],
    'literal replies' => [Redis::OPT_REPLY_LITERAL => true],
    'a prefix, a serializer and compression' => [Redis::OPT_PREFIX => 'p:', Redis::OPT_SERIALIZER => Redis::SERIALIZER_PHP,
        Redis::OPT_COMPRESSION => defined('Redis::COMPRESSION_LZF') ? Redis::COMPRESSION_LZF : Redis::COMPRESSION_NONE],
];
foreach ($options as $what => $list) {
    echo "$what\n";
    $client->flushAll();
    $other = redis_client($server);
    foreach ($list as $option => $value) {
        check($other->setOption($option, $value), "$what: $option");
    }
    try_journal_store(new RedisStore($other), fn (string $journal) => $client->del("bloom:$journal"), $list === [] ? 1000 : 200);
}

// The entries of docs/dev/journal.md.
$store = new RedisStore($client);
[$start] = $store->last('layout:journal');
$epoch = epoch_of($start);
check(abs($epoch / 1e6 - microtime(true)) < 60 && $epoch < 2 ** 53, 'the epoch is the time in microseconds');
$end = $store->append('layout:journal', [record('one'), record("\xff"), record('three')]);
check($client->xRange('bloom:layout:journal', '-', '+') === ["$epoch-0" => ['anchor' => ''],
    "$epoch-1" => ['r' => record('one')], "$epoch-2" => ['r' => record("\xff")], "$epoch-3" => ['r' => record('three')]], 'the entries');
$store->trim('layout:journal', position_of($epoch, 2, record("\xff")));
check(array_keys($client->xRange('bloom:layout:journal', '-', '+')) === ["$epoch-2", "$epoch-3"], 'the entries after a trim');

// A hole is not mistaken for the end, or skipped.
$client->xAdd('bloom:layout:journal', "$epoch-5", ['r' => record('five')]);
check($store->read(['layout:journal' => $end], 1 << 20) === ['layout:journal' => null], 'a record is missing');
$client->xAdd('bloom:other:journal', '*', ['x' => 'y']);
check($store->read(['other:journal' => $end], 1 << 20) === ['other:journal' => null], 'entries of another program');

// Round trips: one for any number of journals, even if the server does not know the script.
$calls = static fn (): int => (int) preg_replace('/.*cmdstat_evalsha:calls=(\d+).*/s', '$1', $client->rawCommand('INFO', 'commandstats'));
$positions = [];
for ($i = 0; $i < 50; $i++) {
    $positions["$i:journal"] = $store->append("$i:journal", [record("$i")]);
}
$before = $calls();
check($store->read($positions, 1 << 20) === array_fill_keys(array_keys($positions), []), '50 journals are read');
check($calls() === $before + 1, 'with one script');
$client->script('flush');
$client->del('bloom:7:journal');
$positions['8:journal'] = epoch_of($positions['8:journal']) . '-0-0000000000000000';
$read = $store->read($positions, 1 << 20);
check($read['7:journal'] === null && array_values($read['8:journal']) === [record('8')] && $read['9:journal'] === [], 'the server forgets the scripts');
foreach ([fn () => $store->last('8:journal'), fn () => $store->append('8:journal', [record('x')]), fn () => $store->trim('8:journal', $store->last('8:journal')[0]),
    fn () => $store->read(['8:journal' => $start], 1)] as $call) {
    $client->script('flush');
    check(thrown($call) === 'nothing', 'the server forgets the scripts');
}

// Clients inside MULTI or PIPELINE. The caller's commands stay in the queue.
foreach ([Redis::MULTI, Redis::PIPELINE] as $mode) {
    $client->multi($mode);
    $client->set('own', "mode $mode");
    foreach ([1, 2] as $count) {
        echo thrown(fn () => $store->read(array_slice($positions, 0, $count, true), 1)), "\n";
    }
    $client->discard();
    check($store->read($positions, 1)['9:journal'] === [], 'the client can be used again');
}

// Other failures.
$client->set('bloom:text:journal', 'x');
foreach ([fn () => $store->last('text:journal'), fn () => $store->append('text:journal', [record('x')]), fn () => $store->read(['text:journal' => $start], 1),
    fn () => $store->read(['9:journal' => $start, 'text:journal' => $start], 1), fn () => $store->trim('text:journal', $start)] as $call) {
    echo preg_replace('/(WRONGTYPE|ERR).*WRONGTYPE.*|WRONGTYPE.*/', 'WRONGTYPE …', thrown($call)), "\n";
}
check($store->read(['9:journal' => $positions['9:journal'], '10:journal' => $positions['10:journal']], 1) === ['9:journal' => [], '10:journal' => []], 'a later call ignores the earlier error');
$client->config('SET', 'maxmemory', '1');
echo preg_replace('/OOM.*/', 'OOM …', thrown(fn () => $store->append('9:journal', [record('x')]))), "\n";
check($store->read(['9:journal' => $positions['9:journal']], 1) === ['9:journal' => []], 'a full server can be read, and nothing was appended');
$client->config('SET', 'maxmemory', '0');

// A server that stops between two reads.
$server->stop();
foreach ([$positions, ['9:journal' => $start]] as $some) {
    check(thrown(fn () => $store->read($some, 1), true) === RedisException::class || thrown(fn () => $store->read($some, 1), true) === Bloom\StoreException::class, 'the server is down');
}
$server->start();
$client->connect($server->socket);
check($store->read(['9:journal' => $start, '8:journal' => $start], 1) === ['9:journal' => null, '8:journal' => null], 'a server without persistence loses its journals');
check(epoch_of($store->last('9:journal')[0]) !== epoch_of($positions['9:journal']), 'and gives new ones another epoch');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
no options
a prefix
a serializer
literal replies
a prefix, a serializer and compression
Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
Bloom\StoreException: the store cannot use its client: it is inside PIPELINE (call exec() or discard() first, or pass a client of its own)
Bloom\StoreException: the store cannot use its client: it is inside PIPELINE (call exec() or discard() first, or pass a client of its own)
Bloom\StoreException: the store failed: Redis answered XREVRANGE with WRONGTYPE …
Bloom\StoreException: the store failed: Redis answered XADD with WRONGTYPE …
Bloom\StoreException: the store failed: Redis answered XRANGE with WRONGTYPE …
Bloom\StoreException: the store failed: Redis answered XRANGE with WRONGTYPE …
Bloom\StoreException: the store failed: Redis answered XTRIM with WRONGTYPE …
Bloom\StoreException: the store failed: Redis answered XADD with OOM …
