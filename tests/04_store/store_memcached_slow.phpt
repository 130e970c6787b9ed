--TEST--
A Memcached that answers a byte at a time, partially, never or with garbage harms no served filter
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_memcached_slow
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../memcached.inc';
require __DIR__ . '/../slow.inc';
require __DIR__ . '/../stores.inc';
with_memcached_extension();
use Bloom\{Filter, MemcachedStore, StoreException};

/** A client as one should be made: with a limit on how long it waits for bytes, in ms. */
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
        // A short limit only where it is to strike: this machine may be slow as well.
        $store = new MemcachedStore(client($slow->socket, $mode === 'dribble' ? 60_000 : 250));
        $said = thrown(fn () => Filter::sync('booth', $store, 0), raw: true);
        $info = $booth->info();
        if ($mode === 'dribble') {
            check($said === 'nothing' && $booth->candidates(keys('new', 5000)) === keys('new', 5000), "$name: synced: $said");
            continue;
        }
        // Garbage is part of what the client says; info() has a line of text of it.
        check($said === "Bloom\StoreException: {$info['lastError']}" || $mode === 'garbage' && json_encode($info) !== false, "$name: $said, {$info['lastError']}");
        check($booth->candidates(keys('old', 5000)) === keys('old', 5000) && $info['generation'] === 1, "$name: the old one is served");
        check(tree(segment_path()) === $files, "$name: nothing is left: " . implode(' ', tree(segment_path())));
        $slow->set('pass');
        // A worker that keeps its client, and one that connects anew.
        foreach ([$store, new MemcachedStore(client($slow->socket))] as $who => $next) {
            $said = thrown(fn () => Filter::sync('booth', $next, 0));
            if ($said === 'nothing') {
                break;
            }
            // The client leaves a server that failed alone for a while.
            check($who === 0, "$name: healed: $said");
        }
        check($booth->candidates(keys('new', 5000)) === keys('new', 5000) && $booth->info()['syncFailuresInRow'] === 0, "$name: healed");
    }
}

// So slow that the client's limit never strikes: one process waits for as long as the server likes, and the others for
// nothing.
Filter::drop('booth');
$booth = Filter::load('booth', $old);
$slow->set('trickle');
$child = new Child('
    require ' . var_export(__DIR__ . '/../stores.inc', true) . ';
    ' . CLIENT . '
    $store = new ScriptedStore; // tells when the client is asked
    $inner = new Bloom\MemcachedStore(client($argv[1]));
    $store->script = function (string $called, array $keys) use ($inner) {
        echo "asks\n";
        return $inner->getMultiple($keys);
    };
    echo thrown(fn () => Bloom\Filter::sync("booth", $store, 0), true), "\n";', [], [$slow->socket]);
check($child->hear() === 'asks', 'it is elected');
$direct = new MemcachedStore(memcached_client($server));
check(Filter::sync('booth', $direct, 0) === false, 'others do not ask');
check($booth->candidates(keys('old', 5000)) === keys('old', 5000), 'lookups');
end_lease('booth');
check(Filter::sync('booth', $direct, 0) === true && $booth->candidates(keys('new', 5000)) === keys('new', 5000), 'another one syncs');
$slow->set('close');
echo 'ended by the server: ', $child->end(), "\n";
check($booth->candidates(keys('new', 5000)) === keys('new', 5000), 'and nothing changes');
check(Filter::sync('booth', $direct, 0) === false && $booth->info()['syncFailuresInRow'] === 0, 'healed');
check(!preg_grep('/tmp$/', tree(segment_path())), 'nothing is left');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
ended by the server: Bloom\StoreException
