--TEST--
If a store forks a process, the child takes no chunk and no claim from its parent
--DESCRIPTION--
fault: store-forks
--EXTENSIONS--
bloom
pcntl
--INI--
bloom.path={TMP}/bloom-ondemand_fork
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

Clock::own();
Clock::stop(); // no claim ends because the machine is busy

$blob = chunked(keys('k', 8000));
$chunks = count(chunk_keys($blob, 'large'));
$key = key_of_each_chunk($blob, 'k');
foreach ([
    'ends' => fn () => exit,
    'answers' => fn () => null,
    'throws' => fn () => throw new RuntimeException('in the child'),
    'is killed' => function () {
        kill_process(getmypid());
        sleep(600);
    },
] as $text => $inside) {
    foreach (['chunk', 'batch'] as $where) {
        Filter::drop('large');
        $store = store_of($blob);
        $large = Filter::attach('large', $store, 1 << 20);
        $parent = getmypid();
        $seen = null;
        $store->script = function () use ($inside, $text, $where, $large, $parent, &$seen, $key) {
            if (getmypid() !== $parent) {
                return; // later calls in the child
            }
            $pid = pcntl_fork();
            if ($pid === 0) {
                $inside();
                return;
            }
            pcntl_waitpid($pid, $status);
            check($status === ($text === 'is killed' ? SIGKILL : 0), "$text, $where: the child ends, with maybe, with wait status $status");
            $info = $large->info();
            $seen = [$info->fetchFailures, $info->lastError];
            // The parent still holds the claim, so no other process fetches the chunk.
            $other = new ScriptedStore;
            $other->script = fn () => print("fetched by another\n");
            $here = $info->chunksHere;
            check($here > 0 || Filter::attach('large', $other, 1 << 20)->mightContain($key[0]), 'maybe');
        };
        $found = $where === 'chunk' ? $large->mightContain($key[0]) : $large->candidates($key) === $key;
        if (getmypid() !== $parent) {
            // In the child, the lookup has returned an answer. The child exits before the rest of the test.
            exit($found ? 0 : 1);
        }
        check($found, "$text, $where: no key is missing");
        check($seen === [0, null], "$text, $where: a child's end is no failure: " . json_encode($seen));
        $info = $large->info();
        check($info->fetchFailures === 0 && $info->fetchPause === 0.0, "$text, $where: the store is not left alone");
        check($info->chunksHere === ($where === 'chunk' ? 1 : $chunks), "$text, $where: what was fetched is here");
        $store->script = null;
        check($large->candidates(keys('k', 8000)) === keys('k', 8000) && $large->info()->fetched === $chunks, "$text, $where: and goes on");
    }
}

// A child that was forked earlier uses its parent's mapping, with its own lock and store.
Filter::drop('large');
$store = store_of($blob);
$large = Filter::attach('large', $store, 1 << 20);
$large->mightContain($key[0]);
$pid = pcntl_fork();
if ($pid === 0) {
    exit($large->candidates($key) === $key && $large->info()->chunksHere === $chunks ? 0 : 1);
}
pcntl_waitpid($pid, $status);
var_dump($status);
check($large->candidates($key) === $key && count($store->log) === 2, 'what the child fetched is the parent\'s too');
echo $store->takeLog(), ', ', counters($large, 'untold', 'fetchFailures'), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
int(0)
get 2, get 1, untold 0, fetchFailures 0
