--TEST--
sync --on-demand attaches a filter if nothing is loaded, as after a reboot, and does not change existing filters
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_on_demand
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

use Bloom\{Builder, DirectoryStore, Filter};

$segment = ini_get('bloom.path');
$cli = new Cli();
$cli->install('bloom', "-d bloom.path=$segment", ['bloom']);
mkdir("$cli->files/store");
$store = new DirectoryStore("$cli->files/store");
$publish = static function (string $name, int $keys, float $built_at) use ($store): void {
    $builder = new Builder(20000, seed: 1, layout: new Bloom\Layout(shardBytes: 1024, chunkBytes: 1024));
    $builder->addMany(range(1, $keys));
    $builder->build(builtAt: $built_at)->publish($store, $name);
};
$publish('large', 20000, 1_700_000_000);
$kind = static fn (string $name): string => json_encode(array_intersect_key(
    fields(Filter::open($name)->info()), ['kind' => 1, 'memoryAsked' => 1, 'generation' => 1]));

$cli->show(['sync', '--on-demand=16K', 'large', 'store']);
echo $kind('large'), "\n";
$page = Filter::attach('large', $store, 16384);
check($page->mightContain(17), 'a page attaches to the filter');
$cli->show(['sync', '--on-demand=16K', 'large', 'store']);
$cli->show(['health', '--max-sync-age=1h', 'large']);
$publish('large', 19999, 1_700_000_100);
$cli->show(['sync', '--on-demand=16K', 'large', 'store']);
echo $kind('large'), "\n";
// If the existing filter has a different kind or amount of memory, the sync keeps it and prints a warning.
$cli->show(['sync', '--on-demand=20K', 'large', 'store']);
$cli->show(['drop', 'large']);
$cli->show(['sync', 'large', 'store']);
$cli->show(['sync', '--on-demand=16K', 'large', 'store']);
echo $kind('large'), "\n";
try {
    Filter::attach('large', $store, 16384);
} catch (Bloom\KindException) {
    echo "a page cannot attach\n";
}
// After a drop, a sync with --on-demand makes the filter an on-demand filter again.
$cli->show('bloom drop large && bloom sync --on-demand=16K large store');
Filter::attach('large', $store, 16384);
Filter::drop('large');

// If the memory is too small for one filter, the sync continues with the other names.
$publish('small', 10, 1);
$cli->show(['sync', '--on-demand=4K', 'large', 'missing', 'store']);
$cli->show(['sync', '--on-demand=16K', 'missing', 'small', 'large', 'store']);
echo $kind('small'), $kind('large'), "\n";
Filter::drop('small');
$cli->show(['sync', '--on-demand=0', 'small', 'store']);
$cli->show(['sync', '--on-demand=much', 'small', 'store']);

// A running sync --every attaches the filter again after each drop.
$process = $cli->start(["$cli->directory/bin/bloom", 'sync', '--every=0.05', '--on-demand=16K', 'small', 'store'], '');
register_shutdown_function(static fn () => is_resource($process) && proc_terminate($process, SIGKILL));
for ($round = 0; $round < 2; $round++) {
    while (!Filter::find('small')) {
        usleep(10_000);
    }
    echo Filter::find('small')->info()->kind->value, "\n";
    Filter::drop('small');
}
proc_terminate($process, SIGTERM);
$cli->wait($process);
foreach (Filter::list() as $name) {
    Filter::drop($name);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
$ bloom sync --on-demand=16K large store
large: switched to generation 1, about 20,001 keys, 29 KiB, 0.970 % false positives, in %s
exit 0
{"kind":"on-demand","generation":1,"memoryAsked":16384}
$ bloom sync --on-demand=16K large store
large: no change, still generation 1, about 20,001 keys, 29 KiB, 0.970 % false positives, in %s
exit 0
$ bloom health --max-sync-age=1h large
large: OK: on-demand, generation 1, built %s ago, synced %s ago
exit 0
$ bloom sync --on-demand=16K large store
large: switched to generation 2, about 20,000 keys, 29 KiB, 0.970 % false positives, in %s
exit 0
{"kind":"on-demand","generation":2,"memoryAsked":16384}
$ bloom sync --on-demand=20K large store
large: no change, still generation 2, about 20,000 keys, 29 KiB, 0.970 % false positives, in %s
bloom: large: the memory of 16 KiB (16,384 bytes) is kept; drop the filter to apply --on-demand
exit 0
$ bloom drop large
large: dropped
exit 0
$ bloom sync large store
large: switched to generation 1, about 20,000 keys, 29 KiB, 0.970 % false positives, in %s
exit 0
$ bloom sync --on-demand=16K large store
large: no change, still generation 1, about 20,000 keys, 29 KiB, 0.970 % false positives, in %s
bloom: large: the loaded filter is kept; drop the filter to apply --on-demand
exit 0
{"kind":"loaded","generation":1}
a page cannot attach
$ bloom drop large && bloom sync --on-demand=16K large store
large: dropped
large: switched to generation 1, about 20,000 keys, 29 KiB, 0.970 % false positives, in %s
exit 0
$ bloom sync --on-demand=4K large missing store
bloom: large: 4096 bytes requested, 13312 needed: the memory must be large enough for the filter's head and one chunk
bloom: missing: missing from the store (bloom list STORE shows the filters that it has)
exit 73
$ bloom sync --on-demand=16K missing small large store
small: switched to generation 1, 10 keys, 29 KiB, 2.07e-10 % false positives, in %s
large: switched to generation 1, about 20,000 keys, 29 KiB, 0.970 % false positives, in %s
bloom: missing: missing from the store (bloom list STORE shows the filters that it has)
exit 75
{"kind":"on-demand","generation":1,"memoryAsked":16384}{"kind":"on-demand","generation":1,"memoryAsked":16384}
$ bloom sync --on-demand=0 small store
bloom: --on-demand must be at least 1 byte
exit 64
$ bloom sync --on-demand=much small store
bloom: --on-demand: "much" is not a number of bytes such as 65536, 64K, 64M or 2G (powers of 1,024)
exit 64
on-demand
on-demand
