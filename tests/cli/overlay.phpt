--TEST--
load and sync create an overlay if there is none and keep an existing overlay
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-overlay
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

use Bloom\{Builder, DirectoryStore, Filter, ReverseIndexBuilder};

$segment = ini_get('bloom.path');
$cli = new Cli();
$cli->install('bloom', "-d bloom.path=$segment", ['bloom']);
mkdir("$cli->files/store");
$store = new DirectoryStore("$cli->files/store");
foreach ([1 => 'first', 'second'] as $number => $name) {
    $builder = new Builder(1000, seed: 1);
    $builder->addMany(range(1, 100 * $number));
    $blob = $builder->build(builtAt: $number);
    $blob->save("$cli->files/$name.bloom");
    $number === 1 && $blob->publish($store, 'tags');
}
$overlay = static fn (): string => json_encode(array_intersect_key((array) (
    Filter::open('tags')->info()->overlay ?? []), ['window' => 1, 'capacity' => 1, 'keys' => 1]));

$cli->show(['load', 'tags', 'first.bloom']);
echo $overlay(), "\n";
$cli->show(['load', '--overlay-window=2d', '--overlay-capacity=1_000', 'tags', 'first.bloom']);
Filter::open('tags')->add('new');
$cli->show(['load', 'tags', 'second.bloom']);
echo $overlay(), "\n";
$cli->show(['load', '--overlay-window=1d', '--overlay-capacity=1000', 'tags', 'first.bloom']);
$cli->show(['drop', 'tags']);

// The first sync loads the filter with an overlay, as it would after a reboot. The second sync does not reload it.
$sync = ['sync', '--overlay-window=2d', '--overlay-capacity=1000', 'tags', 'store'];
$cli->show($sync);
Filter::open('tags')->add('new');
$cli->show($sync);
echo $overlay(), "\n";
$cli->run(['publish', 'tags', 'second.bloom', 'store']);
$cli->show($sync);
echo $overlay(), Filter::open('tags')->mightContain('new') ? " found\n" : " lost\n";
$cli->show(['sync', '--overlay-window=1d', '--overlay-capacity=1000', 'tags', 'store']);
echo $overlay(), "\n";

// A sync adds an overlay to a filter that has none by loading the filter again. It loads an older version only with --force.
Filter::drop('tags');
$cli->show(['sync', 'tags', 'store']);
$cli->run(['publish', 'tags', 'first.bloom', 'store']);
$cli->show([...$sync, '--ttl=1000']);
$cli->show([...$sync, '--force']);
echo $overlay(), "\n";

// A reverse index cannot have an overlay, and each of the two options requires the other.
$index = new ReverseIndexBuilder(groups: 4, capacity: 10, seed: 1);
$index->add(3, 'lamp');
$index->build()->publish($store, 'shops');
$cli->show(['sync', 'shops', 'store']);
$cli->show(['sync', '--overlay-window=1d', '--overlay-capacity=1000', 'shops', 'store']);
$cli->show(['load', '--overlay-window=1d', 'tags', 'first.bloom']);
$cli->show(['sync', '--overlay-capacity=5', 'tags', 'store']);
$cli->show(['sync', '--overlay-window=soon', '--overlay-capacity=5', 'tags', 'store']);
$cli->show(['load', '--overlay-window=1', '--overlay-capacity=0', 'tags', 'first.bloom']);
foreach (Filter::list() as $name) {
    Filter::drop($name);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECTF--
$ bloom load tags first.bloom
tags: loaded generation 1, 100 keys, 6 KiB, 0.00129 % false positives, in %s/bloom-overlay
exit 0
[]
$ bloom load --overlay-window=2d --overlay-capacity=1_000 tags first.bloom
tags: loaded generation 2, 100 keys, 6 KiB, 0.00129 % false positives, in %s/bloom-overlay
exit 0
$ bloom load tags second.bloom
tags: loaded generation 3, about 200 keys, 6 KiB, 0.00650 % false positives, in %s
exit 0
{"keys":1,"capacity":1000,"window":172800}
$ bloom load --overlay-window=1d --overlay-capacity=1000 tags first.bloom
bloom: tags: its window is 172800, but 86400 was requested: a filter with that name already exists (drop it first, or use it as it is)
exit 73
$ bloom drop tags
tags: dropped
exit 0
$ bloom sync --overlay-window=2d --overlay-capacity=1000 tags store
tags: switched to generation 1, 100 keys, 6 KiB, 0.00129 % false positives, in %s
exit 0
$ bloom sync --overlay-window=2d --overlay-capacity=1000 tags store
tags: no change, still generation 1, 100 keys, 6 KiB, 0.00129 % false positives, in %s
exit 0
{"keys":1,"capacity":1000,"window":172800}
$ bloom sync --overlay-window=2d --overlay-capacity=1000 tags store
tags: switched to generation 2, about 200 keys, 6 KiB, 0.00650 % false positives, in %s
exit 0
{"keys":1,"capacity":1000,"window":172800} found
$ bloom sync --overlay-window=1d --overlay-capacity=1000 tags store
tags: no change, still generation 2, about 200 keys, 6 KiB, 0.00650 % false positives, in %s
bloom: tags: the overlay for 1000 keys in 172800 s is kept; drop the filter to apply the options
exit 0
{"keys":1,"capacity":1000,"window":172800}
$ bloom sync tags store
tags: switched to generation 1, about 200 keys, 6 KiB, 0.00650 % false positives, in %s
exit 0
$ bloom sync --overlay-window=2d --overlay-capacity=1000 tags store --ttl=1000
tags: no change, still generation 1, about 200 keys, 6 KiB, 0.00650 % false positives, in %s
exit 0
$ bloom sync --overlay-window=2d --overlay-capacity=1000 tags store --force
tags: switched to generation 2, 100 keys, 6 KiB, 0.00129 % false positives, in %s
exit 0
{"keys":0,"capacity":1000,"window":172800}
$ bloom sync shops store
shops: switched to generation 1, a reverse index of 4 groups, 1 key, 20 KiB, 0.000763 % false positives, in %s
exit 0
$ bloom sync --overlay-window=1d --overlay-capacity=1000 shops store
shops: no change, still generation 1, a reverse index of 4 groups, 1 key, 20 KiB, 0.000763 % false positives, in %s
bloom: shops: the reverse index, which cannot have an overlay, is kept; drop the filter to apply the options
exit 0
$ bloom load --overlay-window=1d tags first.bloom
bloom: --overlay-window and --overlay-capacity must be given together
exit 64
$ bloom sync --overlay-capacity=5 tags store
bloom: --overlay-window and --overlay-capacity must be given together
exit 64
$ bloom sync --overlay-window=soon --overlay-capacity=5 tags store
bloom: --overlay-window: "soon" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom load --overlay-window=1 --overlay-capacity=0 tags first.bloom
bloom: --overlay-capacity must be at least 1 key
exit 64
