--TEST--
A Redis that answers a byte at a time, partially, never or with garbage harms no served filter
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../redis.inc';
skip_without_redis();
skip_without_redis(predis: true);
?>
--INI--
bloom.path={TMP}/bloom-store_redis_slow
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../redis.inc';
require __DIR__ . '/../slow.inc';
require __DIR__ . '/../stores.inc';
with_redis_extension();
use Bloom\{Filter, RedisStore, StoreException};

/** A client as one should be made: with a limit on how long it waits for bytes. */
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
    // In the head's answer, which is of some 4,100 bytes, and in that of the chunks.
    // ext-redis does not look at its limit within a value: see below.
    $silences = $kind === 'Redis' ? [0, 1] : [0, 1, 3000, 6000];
    foreach (['dribble' => [0], 'silent' => $silences, 'close' => [0, 1, 3000, 6000], 'garbage' => [0, 1, 3000, 6000]] as $mode => $afters) {
        foreach ($afters as $after) {
            $name = "$kind, $mode after $after bytes";
            Filter::drop('booth');
            $booth = Filter::load('booth', $old);
            $files = tree(segment_path());
            $slow->set('pass');
            // A short limit only where it is to strike: this machine may be slow as well.
            $store = new RedisStore(client($kind, $slow->socket, $mode === 'dribble' ? 60 : 0.25));
            $slow->set($mode, $after);
            $thrown = null;
            try {
                Filter::sync('booth', $store, 0);
            } catch (Bloom\BloomException $thrown) {
            }
            $info = $booth->info();
            if ($mode === 'dribble') {
                check($thrown === null && $booth->candidates(keys('new', 5000)) === keys('new', 5000), "$name: synced");
                continue;
            }
            check($thrown !== null, "$name: refused");
            check($booth->candidates(keys('old', 5000)) === keys('old', 5000) && $info['generation'] === 1, "$name: the old one is served");
            check($info['lastError'] !== null && json_encode($info) !== false && ($mode === 'garbage' || $info['lastError'] === $thrown?->getMessage()), "$name: {$info['lastError']}");
            check($mode === 'garbage' || $thrown instanceof StoreException, "$name: the store failed");
            check(tree(segment_path()) === $files, "$name: nothing is left: " . implode(' ', tree(segment_path())));
            $slow->set('pass');
            // A worker that keeps its client, and one that connects anew.
            foreach ([$store, new RedisStore(client($kind, $slow->socket))] as $who => $next) {
                $said = thrown(fn () => Filter::sync('booth', $next, 0));
                if ($said === 'nothing') {
                    break;
                }
                // What is left over of an answer may be taken for the next one, and is refused; a client may notice only
                // then that its connection is closed; and its limit is a short one.
                check($who === 0, "$name: healed: $said");
            }
            check($booth->candidates(keys('new', 5000)) === keys('new', 5000) && $booth->info()['syncFailuresInRow'] === 0, "$name: healed");
        }
    }
}

// So slow that a client's limit never strikes, or silent where ext-redis has none: one process waits for as long as the
// server likes, and the others for nothing.
foreach (['Redis, trickle' => 0, 'Predis, trickle' => 0, 'Redis, silent' => 3000, 'Redis, silent in the chunks' => 6000] as $name => $after) {
    [$kind, $mode] = preg_split('/\W+/', $name);
    Filter::drop('booth');
    $booth = Filter::load('booth', $old);
    $slow->set($mode, $after);
    $child = new Child('
        require ' . var_export(__DIR__ . '/../stores.inc', true) . ';
        [, $kind, $socket] = $argv;
        ' . CLIENT . '
        $store = new ScriptedStore; // tells when the client is asked
        $inner = new Bloom\RedisStore(client($kind, $socket));
        $store->script = function (string $called, array $keys) use ($inner) {
            echo "asks\n";
            return $inner->getMultiple($keys);
        };
        echo thrown(fn () => Bloom\Filter::sync("booth", $store, 0), true), "\n";', [], [$kind, $slow->socket]);
    check($child->hear() === 'asks', "$name: it is elected");
    check($name !== 'Redis, silent in the chunks' || $child->hear() === 'asks', "$name: it has the head");
    $direct = new RedisStore(redis_client($server));
    check(Filter::sync('booth', $direct, 0) === false, "$name: others do not ask");
    check($booth->candidates(keys('old', 5000)) === keys('old', 5000), "$name: lookups");
    end_lease('booth');
    check(Filter::sync('booth', $direct, 0) === true && $booth->candidates(keys('new', 5000)) === keys('new', 5000), "$name: another one syncs");
    $slow->set('close');
    echo "$name, ended by the server: ", $child->end(), "\n";
    check($booth->candidates(keys('new', 5000)) === keys('new', 5000), "$name: and nothing changes");
    check(Filter::sync('booth', $direct, 0) === false && $booth->info()['syncFailuresInRow'] === 0, "$name: healed");
    check(!preg_grep('/tmp$/', tree(segment_path())), "$name: nothing is left");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Redis, trickle, ended by the server: Bloom\StoreException
Predis, trickle, ended by the server: Bloom\StoreException
Redis, silent, ended by the server: Bloom\StoreException
Redis, silent in the chunks, ended by the server: Bloom\StoreException
