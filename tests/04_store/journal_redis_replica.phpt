--TEST--
Journals are not read from a replica or from a master without its replicas, so a host never takes an old end for the current one
--DESCRIPTION--
fault: journal-replica
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-journal_redis_replica
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
with_redis_extension();
use Bloom\{Builder, Filter, Journal, RedisStore};

// Replication has delays of a second.
$server = new RedisServer(rate: 10);
$other = new RedisServer('replica.sock', rate: 10);
$master = redis_client($server);
$port = listen_on_a_free_port($master);
$replica = redis_client($other);
$replica->config('SET', 'repl-diskless-sync-delay', '0');
$master->config('SET', 'repl-diskless-sync-delay', '0');
$replica->rawCommand('REPLICAOF', '127.0.0.1', (string) $port);

$store = new RedisStore($master);
$journal = new Journal('tags', $store);
$mark = $journal->mark();
$builder = new Builder(1000, seed: 1);
$builder->add('old');
$builder->build(mark: $mark)->publish($store, 'tags');
$journal->add('first');
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');
check($tags->candidates(['old', 'first', 'absent']) === ['old', 'first'], 'the host follows the master');
await_copy($master, $replica);

// A replica that has everything at the moment is refused, too: the script cannot know.
$copy = new RedisStore($replica);
$positions = ['tags:journal' => $mark, 'none:journal' => $mark];
echo thrown(fn () => $copy->read(array_slice($positions, 0, 1), 1)), "\n";
echo thrown(fn () => $copy->read($positions, 1)), "\n";
echo thrown(fn () => $copy->append('tags:journal', [record('x')])), "\n";
echo thrown(fn () => $copy->trim('tags:journal', $mark)), "\n";
check($copy->last('tags:journal') === $store->last('tags:journal'), 'an older mark is safe: the host reads more records');
if (is_file('/usr/share/php/Predis/autoload.php')) {
    error_reporting(E_ALL & ~E_DEPRECATED);
    $copies = new RedisStore(predis_client($other));
    check(str_contains(thrown(fn () => $copies->read($positions, 1)), 'ERR this server is a replica'), 'Predis, in a pipeline');
    check(str_contains(thrown(fn () => $copies->read(array_slice($positions, 0, 1), 1)), 'ERR this server is a replica'), 'Predis');
}

// A host whose syncs read from a replica becomes useless, but never wrong. A lookup notices a shorter lag within a
// quarter of a second.
Filter::sync('tags', $store, 0, maxLag: 0.05);
check(str_contains(thrown(fn () => Filter::sync('tags', $copy, 0, maxLag: 0.05)), 'ERR this server is a replica'), 'the sync says why');
usleep(300_000);
check($tags->mightContain('added later') && !$tags->info()->journal->isComplete, 'all lookups answer maybe');
Filter::drop('tags'); // and with it the lag, which a busy machine exceeds
Filter::sync('tags', $store, 0);

// A master that has lost the replicas that it must have. Its replica was promoted, and other hosts add keys there.
$master->config('SET', 'min-replicas-to-write', '1');
for ($i = 0; $i < 1000 && !str_contains($master->rawCommand('INFO', 'replication'), 'min_slaves_good_slaves:1'); $i++) {
    usleep(10_000);
}
check(is_array($store->read($positions, 1)['tags:journal']), 'the master has its replica');
$master->config('SET', 'min-replicas-to-write', '0');
$journal->add('second');
await_copy($master, $replica);
$replica->rawCommand('REPLICAOF', 'NO', 'ONE');
$end = $store->append('tags:journal', [record('lost')]); // a record that never arrived at the replica
$master->config('SET', 'min-replicas-to-write', '1');
echo thrown(fn () => $store->read(array_slice($positions, 0, 1), 1)), "\n";
echo thrown(fn () => $store->read($positions, 1)), "\n";
$added = (new Child('require ' . var_export(dirname(__DIR__) . '/lib/redis.inc', true) . '; $client = new Redis;
    $client->connect(' . var_export($other->socket, true) . ');
    (new Bloom\Journal("tags", new Bloom\RedisStore($client)))->add(["third", "fourth"]);', ['bloom.path' => own_file('host2')]))->end();
check($added === '', $added);

// The promoted server continues the journal. The host that has read the lost record is told so.
check(explode('-', $copy->last('tags:journal')[0])[1] === explode('-', $end)[1], 'another record has the offset of the lost one');
check($copy->read(['tags:journal' => $end], 1) === ['tags:journal' => null], 'the journal does not continue after a lost record');
Filter::sync('tags', $copy, 0);
check($tags->candidates(['old', 'first', 'second', 'third', 'fourth', 'absent']) === ['old', 'first', 'second', 'third', 'fourth'], 'the host follows the new master');

// An orderly failover: the address leads to the new master, and the old one goes on answering, as a replica.
symlink($other->socket, $address = own_file('master.sock'));
$connect = function () use ($address): Redis {
    $client = new Redis;
    $client->connect($address);
    return $client;
};
$stores = [new RedisStore($connect), new RedisStore($connect())];
array_map(fn (RedisStore $store) => $store->append('moved:journal', [record('before')]), $stores);
$master->config('SET', 'min-replicas-to-write', '0');
unlink($address);
symlink($server->socket, $address);
$replica->rawCommand('REPLICAOF', '127.0.0.1', (string) $port);
foreach ($stores as $store) {
    echo thrown(fn () => $store->append('moved:journal', [record('after')])), "\n";
    check(is_string($store->append('moved:journal', [record('after')])), 'the next call connects to the new master');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
Bloom\StoreException: the store failed: Redis answered XRANGE with ERR this server is a replica, which may lack the newest records: read journals from the master
Bloom\StoreException: the store failed: Redis answered XRANGE with ERR this server is a replica, which may lack the newest records: read journals from the master
Bloom\StoreException: the store failed: Redis answered XADD with READONLY You can't write against a read only replica.
Bloom\StoreException: the store failed: Redis answered XTRIM with READONLY You can't write against a read only replica.
Bloom\StoreException: the store failed: Redis answered XRANGE with ERR this server has no replicas, although min-replicas-to-write is set, so another server may be the master
Bloom\StoreException: the store failed: Redis answered XRANGE with ERR this server has no replicas, although min-replicas-to-write is set, so another server may be the master
Bloom\StoreException: the store failed: Redis answered XADD with READONLY You can't write against a read only replica.
Bloom\StoreException: the store failed: Redis answered XADD with READONLY You can't write against a read only replica.
