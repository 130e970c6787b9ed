--TEST--
RedisStore keeps journals through Predis
--DESCRIPTION--
fault: journal-lost, redis-restart
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis(predis: true);
?>
--INI--
bloom.path={TMP}/bloom-journal_predis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
error_reporting(E_ALL & ~E_DEPRECATED);
use Bloom\RedisStore;

$server = new RedisServer;
$client = predis_client($server);
foreach (['no options' => [], 'a prefix' => ['prefix' => 'p:'], 'errors as objects' => ['exceptions' => false]] as $what => $options) {
    echo "$what\n";
    $client->flushall();
    $other = new Predis\Client(['scheme' => 'unix', 'path' => $server->socket], $options);
    $store = new RedisStore($other);
    try_journal_store($store, fn (string $journal) => $client->del("bloom:$journal"), 200);

    // One script for all journals, also if the server does not know it.
    $positions = [];
    for ($i = 0; $i < 20; $i++) {
        $positions["$i:journal"] = $store->append("$i:journal", [record("$i")]);
    }
    $client->script('FLUSH');
    for ($i = 0; $i < 2; $i++) {
        check($store->read($positions, 1 << 20) === array_fill_keys(array_keys($positions), []), "$what: 20 journals are read");
    }
    $client->script('FLUSH');
    check($store->last('7:journal')[0] === $positions['7:journal'], "$what: last() with an unknown script");

    $client->set('bloom:text:journal', 'x');
    foreach ([1, 2] as $count) {
        $some = array_slice($positions, 0, $count - 1, true) + ['text:journal' => $positions['0:journal']];
        echo preg_replace('/: [^:]*(Redis answered \w+ with )?.*WRONGTYPE.*/', ': … WRONGTYPE …', thrown(fn () => $store->read($some, 1))), "\n";
    }
    echo preg_replace('/: [^:]*(Redis answered \w+ with )?.*WRONGTYPE.*/', ': … WRONGTYPE …', thrown(fn () => $store->append('text:journal', [record('x')]))), "\n";
}
$server->stop();
foreach ([1, 2] as $count) {
    check(thrown(fn () => $store->read(array_slice($positions, 0, $count, true), 1), true) !== 'nothing', 'the server is down');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
no options
Bloom\StoreException: … WRONGTYPE …
Bloom\StoreException: … WRONGTYPE …
Bloom\StoreException: … WRONGTYPE …
a prefix
Bloom\StoreException: … WRONGTYPE …
Bloom\StoreException: … WRONGTYPE …
Bloom\StoreException: … WRONGTYPE …
errors as objects
Bloom\StoreException: … WRONGTYPE …
Bloom\StoreException: … WRONGTYPE …
Bloom\StoreException: … WRONGTYPE …
