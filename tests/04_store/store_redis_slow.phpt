--TEST--
A Redis that answers a byte at a time, partially, never or with garbage harms no served filter
--DESCRIPTION--
fault: store-hangs
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
skip_without_redis(predis: true);
?>
--INI--
bloom.path={TMP}/bloom-store_redis_slow
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/slow.inc';
require __DIR__ . '/../lib/stores.inc';
with_redis_extension();
use Bloom\{Filter, RedisStore, StoreException};

/** Creates a client with a read timeout, as the documentation recommends. */
const CLIENT = <<<'PHP'
    function client(string $kind, string $socket, float $timeout = 60): object
    {
        if ($kind === 'Predis') {
            require_once '/usr/share/php/Predis/autoload.php';
            return new Predis\Client(['scheme' => 'unix', 'path' => $socket, 'timeout' => $timeout, 'read_write_timeout' => $timeout]);
        }
        $client = new Redis;
        $client->connect($socket, -1, $timeout, null, 0, $timeout);
        return $client;
    }
    PHP;
eval(CLIENT);

$old = chunked(keys('old', 5000), builtAt: 1);
$new = chunked(keys('new', 5000));
$server = new RedisServer;
$new->publish(new RedisStore(redis_client($server)), 'booth');
$slow = new SlowServer($server->socket);
foreach (['Redis', 'Predis'] as $kind) {
    // Offsets up to about 4,100 bytes are in the reply with the head. Larger ones are in the reply with the chunks.
    // ext-redis does not apply its timeout within a value; the last part of this test covers that.
    $silences = $kind === 'Redis' ? [0, 1] : [0, 1, 3000, 6000];
    foreach (['dribble' => [0], 'silent' => $silences, 'close' => [0, 1, 3000, 6000], 'garbage' => [0, 1, 3000, 6000]] as $mode => $afters) {
        foreach ($afters as $after) {
            $name = "$kind, $mode after $after bytes";
            Filter::drop('booth');
            $booth = Filter::load('booth', $old);
            $files = tree(segment_path());
            $slow->set('pass');
            // The limit is short only where the test expects it to expire, because this machine may be slow as well.
            $store = new RedisStore(client($kind, $slow->socket, $mode === 'dribble' ? 60 : 0.25));
            $slow->set($mode, $after);
            $thrown = null;
            try {
                Filter::sync('booth', $store, 0);
            } catch (Bloom\BloomException $thrown) {
            }
            $info = $booth->info();
            if ($mode === 'dribble') {
                check($thrown === null && $booth->candidates(keys('new', 5000)) === keys('new', 5000),
                    "$name: the sync succeeds");
                continue;
            }
            check($thrown !== null, "$name: the sync throws");
            check($booth->candidates(keys('old', 5000)) === keys('old', 5000) && $info->generation === 1,
                "$name: the old version is still served");
            check($info->lastError !== null && json_encode($info) !== false && ($mode === 'garbage' || $info->lastError === $thrown?->getMessage()), "$name: {$info->lastError}");
            check($mode === 'garbage' || $thrown instanceof StoreException, "$name: a StoreException is thrown");
            check(tree(segment_path()) === $files,
                "$name: no staged file is left: " . implode(' ', tree(segment_path())));
            $slow->set('pass');
            // Retry with a worker that keeps its client, and with a worker that connects again.
            foreach ([$store, new RedisStore(client($kind, $slow->socket))] as $who => $next) {
                $said = thrown(fn () => Filter::sync('booth', $next, 0));
                if ($said === 'nothing') {
                    break;
                }
                // A client may mistake the rest of an old reply for the next reply, which the sync refuses. It may
                // also notice only now that its connection is closed. And its short timeout may expire again.
                check($who === 0, "$name: the next sync succeeds: $said");
            }
            check($booth->candidates(keys('new', 5000)) === keys('new', 5000) && $booth->info()->syncFailuresInRow === 0,
                "$name: the next sync succeeds");
        }
    }
}

// The server is so slow that the timeout never expires, or silent where ext-redis applies none. One process waits for
// as long as the server takes. The other processes do not wait.
foreach (['Redis, trickle' => 0, 'Predis, trickle' => 0, 'Redis, silent' => 3000, 'Redis, silent in the chunks' => 6000] as $name => $after) {
    [$kind, $mode] = preg_split('/\W+/', $name);
    Filter::drop('booth');
    $booth = Filter::load('booth', $old);
    $slow->set($mode, $after);
    $child = new Child('
        require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
        [, $kind, $socket] = $argv;
        ' . CLIENT . '
        $store = new ScriptedStore; // reports when the client is called
        $inner = new Bloom\RedisStore(client($kind, $socket));
        $store->script = function (string $called, array $keys) use ($inner) {
            echo "asks\n";
            return $inner->getMultiple($keys);
        };
        echo thrown(fn () => Bloom\Filter::sync("booth", $store, 0), true), "\n";', [], [$kind, $slow->socket]);
    check($child->hear() === 'asks', "$name: the child is elected");
    check($name !== 'Redis, silent in the chunks' || $child->hear() === 'asks', "$name: the child has read the head");
    $direct = new RedisStore(redis_client($server));
    check(switched(Filter::sync('booth', $direct, 0)) === false, "$name: other processes do not ask the store");
    check($booth->candidates(keys('old', 5000)) === keys('old', 5000), "$name: lookups keep working");
    end_lease('booth');
    check(switched(Filter::sync('booth', $direct, 0)) === true && $booth->candidates(keys('new', 5000)) === keys('new', 5000),
        "$name: another process syncs after the lease expires");
    $slow->set('close');
    echo "$name, ended by the server: ", $child->end(), "\n";
    check($booth->candidates(keys('new', 5000)) === keys('new', 5000), "$name: the late answer changes nothing");
    check(switched(Filter::sync('booth', $direct, 0)) === false && $booth->info()->syncFailuresInRow === 0,
        "$name: the next sync succeeds");
    check(!preg_grep('/tmp$/', tree(segment_path())), "$name: nothing is left");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Redis, trickle, ended by the server: Bloom\StoreException
Predis, trickle, ended by the server: Bloom\StoreException
Redis, silent, ended by the server: Bloom\StoreException
Redis, silent in the chunks, ended by the server: Bloom\StoreException
