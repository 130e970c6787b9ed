--TEST--
A Memcached that answers a byte at a time, partially, never or with garbage harms no served filter
--DESCRIPTION--
fault: store-hangs
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_memcached_slow
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/memcached.inc';
require __DIR__ . '/../lib/slow.inc';
require __DIR__ . '/../lib/stores.inc';
with_memcached_extension();
use Bloom\{Filter, MemcachedStore, StoreException};

/** Creates a client with a receive timeout in ms, as the documentation recommends. */
const CLIENT = <<<'PHP'
    function client(string $socket, int $limit = 60_000): Memcached
    {
        $client = new Memcached;
        $client->setOption(Memcached::OPT_POLL_TIMEOUT, $limit);
        $client->addServer($socket, 0);
        return $client;
    }
    PHP;
eval(CLIENT);

$old = chunked(keys('old', 5000), builtAt: 1);
$new = chunked(keys('new', 5000));
$server = new MemcachedServer;
$new->publish(new MemcachedStore(memcached_client($server)), 'booth');
$slow = new SlowServer($server->socket);
foreach (['dribble' => [0], 'silent' => [0, 1, 3000, 6000], 'close' => [0, 1, 3000, 6000], 'garbage' => [0, 1, 3000, 6000]] as $mode => $afters) {
    foreach ($afters as $after) {
        $name = "$mode after $after bytes";
        Filter::drop('booth');
        $booth = Filter::load('booth', $old);
        $files = tree(segment_path());
        $slow->set($mode, $after);
        // The limit is short only where the test expects it to expire, because this machine may be slow as well.
        $store = new MemcachedStore(client($slow->socket, $mode === 'dribble' ? 60_000 : 250));
        $said = thrown(fn () => Filter::sync('booth', $store, 0), raw: true);
        $info = $booth->info();
        if ($mode === 'dribble') {
            check($said === 'nothing' && $booth->candidates(keys('new', 5000)) === keys('new', 5000),
                "$name: the sync succeeds: $said");
            continue;
        }
        // The client's message contains the garbage. info() reduces it to one line of text.
        check($said === "Bloom\StoreException: {$info->lastError}" || $mode === 'garbage' && json_encode($info) !== false, "$name: $said, {$info->lastError}");
        check($booth->candidates(keys('old', 5000)) === keys('old', 5000) && $info->generation === 1,
            "$name: the old version is still served");
        check(tree(segment_path()) === $files, "$name: no staged file is left: " . implode(' ', tree(segment_path())));
        $slow->set('pass');
        // Retry with a worker that keeps its client, and with a worker that connects again.
        foreach ([$store, new MemcachedStore(client($slow->socket))] as $who => $next) {
            $said = thrown(fn () => Filter::sync('booth', $next, 0));
            if ($said === 'nothing') {
                break;
            }
            // The client does not contact a failed server for a while.
            check($who === 0, "$name: the next sync succeeds: $said");
        }
        check($booth->candidates(keys('new', 5000)) === keys('new', 5000) && $booth->info()->syncFailuresInRow === 0,
            "$name: the next sync succeeds");
    }
}

// The server sends bytes so slowly that the client's timeout never expires. One process waits for as long as the
// server takes. The other processes do not wait.
Filter::drop('booth');
$booth = Filter::load('booth', $old);
$slow->set('trickle');
$child = new Child('
    require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
    ' . CLIENT . '
    $store = new ScriptedStore; // reports when the client is called
    $inner = new Bloom\MemcachedStore(client($argv[1]));
    $store->script = function (string $called, array $keys) use ($inner) {
        echo "asks\n";
        return $inner->getMultiple($keys);
    };
    echo thrown(fn () => Bloom\Filter::sync("booth", $store, 0), true), "\n";', [], [$slow->socket]);
check($child->hear() === 'asks', 'the child is elected');
$direct = new MemcachedStore(memcached_client($server));
check(switched(Filter::sync('booth', $direct, 0)) === false, 'other processes do not ask the store');
check($booth->candidates(keys('old', 5000)) === keys('old', 5000), 'lookups keep working');
end_lease('booth');
check(switched(Filter::sync('booth', $direct, 0)) === true && $booth->candidates(keys('new', 5000)) === keys('new', 5000),
    'another process syncs after the lease expires');
$slow->set('close');
echo 'ended by the server: ', $child->end(), "\n";
check($booth->candidates(keys('new', 5000)) === keys('new', 5000), 'the late answer changes nothing');
check(switched(Filter::sync('booth', $direct, 0)) === false && $booth->info()->syncFailuresInRow === 0,
    'the next sync succeeds');
check(!preg_grep('/tmp$/', tree(segment_path())), 'no staged file is left');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ended by the server: Bloom\StoreException
