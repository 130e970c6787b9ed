--TEST--
A program that a script starts inherits no file descriptor of a filter, even during a sync or load
--DESCRIPTION--
fault: fork
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (!is_dir('/proc/self/fd')) {
    echo 'skip there is no /proc/self/fd';
}
?>
--INI--
bloom.path={TMP}/bloom-process_descriptors
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

/** Returns how many of the segment's files this process has open, and how many of them a child process inherits. */
function open_files(): array
{
    $own = array_filter(array_map(fn ($fd) => @readlink("/proc/self/fd/$fd"), scandir('/proc/self/fd')), fn ($path) => str_starts_with((string) $path, segment_path()));
    $process = proc_open(['ls', '-l', '/proc/self/fd'], [1 => ['pipe', 'w']], $pipes);
    $theirs = substr_count(stream_get_contents($pipes[1]), segment_path());
    proc_close($process);
    return [count($own), $theirs];
}

check(open_files() === [0, 0], 'no file is open at first');
$held = array_map(fn ($kind) => made($kind), KINDS);
foreach ($held as $filter) {
    put($filter, 'a');
    held($filter, 'a');
}
$store = new ScriptedStore;
chunked(keys('k', 3000))->publish($store, 'demand');
$demand = Filter::attach('demand', $store, 1 << 20);
$store->script = function () use (&$fetching) {
    $fetching = open_files();
};
$demand->mightContain('k1');
[$own, $theirs] = open_files();
check($own > 0 && $own <= 8, "only the most recently locked files are open: $own");
check($theirs === 0, "a child has none of them: $theirs");
check($fetching[0] > 0 && $fetching[1] === 0, 'a child has none while a chunk is fetched: ' . json_encode($fetching));

chunked(keys('k', 3000))->publish($store, 'synced');
$store->script = function () use (&$syncing) {
    $syncing[] = open_files();
};
check(switched(Filter::sync('synced', $store, 0)), 'the sync loads the filter');
check(count($syncing) > 1 && max(array_column($syncing, 0)) > $own && max(array_column($syncing, 1)) === 0,
    'a child has none while a sync calls the store: ' . json_encode($syncing));
Filter::load('loaded', chunked(keys('k', 3000)), progress: function () use (&$loading) {
    $loading = open_files();
});
check($loading[0] > $own && $loading[1] === 0, 'a child has none in the middle of a load: ' . json_encode($loading));
unset($held, $demand, $filter);
array_map([Filter::class, 'drop'], Filter::list()); // PHP 8.6.0RC3 resolves Filter::drop(...) in the global namespace here
check(open_files()[1] === 0, 'a child has none afterwards');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
