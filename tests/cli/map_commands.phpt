--TEST--
Commands that a map cannot follow say so, and the others publish, sync, compare and list it like a filter
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
mkdir("$cli->files/store");
$cli->write('counts.tsv', implode('', array_map(static fn (int $i): string => "tag$i\t$i\n", range(1, 50000))));
$cli->shell('sed "s/^tag7\t.*/tag7\t9/" counts.tsv > later.tsv');
$build = ['build', '--quiet', '--map', '--value-bits=16', '--shard-bytes=8K', '--chunk-bytes=8K', '--seed=1'];
$cli->run([...$build, '--built-at=1700000000', 'counts.bloom', 'counts.tsv']);
$cli->run(['build', '--quiet', '--map', '--like=counts.bloom', '--built-at=1700000100', 'later.bloom', 'later.tsv']);
$cli->run(['build', '--quiet', '--seed=1', 'filter.bloom', 'counts.tsv']);

$cli->run(['publish', 'counts', 'counts.bloom', 'store']);
$cli->show(['sync', 'counts', 'store']);
$cli->show(['publish', 'counts', 'later.bloom', 'store']); // one value changed, so one chunk did
$diff = $cli->run(['diff', '--format=json', 'counts', 'store'])->json();
check($diff['fetchChunks'] === 1 && $diff['here']['chunks'] > 10, 'a changed value changes one chunk');
$cli->run(['sync', 'counts', 'store']);
$cli->show(['get', 'counts', 'tag6', 'tag7']);
$cli->run(['rollback', 'counts', 'store']);
$cli->run(['sync', 'counts', 'store']);
$cli->show(['get', 'counts', 'tag7']);
$cli->show('bloom health counts | cut -d , -f 1');
$cli->show('bloom list | tail -n 1 | cut -c 1-11');
$cli->show('bloom info counts | grep -e name -e scheme');
check(str_contains($cli->run(['metrics'])->output, 'kind="map",scheme="map"'), 'metrics');

foreach ([['mark', 'counts', 'store'], ['add', 'counts', 'store', 'tag0'], ['add', '--fold=mysql', 'counts', 'store', 'tag0'], ['nightly', 'counts', 'store', 'later.tsv'],
    ['sync', '--on-demand=1M', 'other', 'store'], ['export', 'counts', 'x.bloom'], ['export', '--to=redis', '--key=x', 'counts.bloom', 'x'],
    ['snapshot', 'counts', 'saved'], ['load', 'counts', 'filter.bloom'], ['load', '--journal=store', 'counts', 'counts.bloom']] as $command) {
    if ($command[0] === 'sync') {
        $cli->run(['publish', 'other', 'counts.bloom', 'store']);
    }
    $cli->show($command);
}
check(glob("$cli->files/store/counts*journal*") === [], 'no journal');
// A filter with a journal does not become a map by mistake.
$cli->run(['mark', 'pages', 'store']);
$cli->show(['publish', 'pages', 'counts.bloom', 'store']);

// No sync turns a map into a filter, or a filter into a map.
$cli->run(['publish', 'counts', 'filter.bloom', 'store']);
$cli->show('bloom diff counts store | grep "^a sync"');
$cli->show(['sync', 'counts', 'store']);
$cli->run(['load', 'other', 'filter.bloom']);
$cli->show('COLUMNS=200 bloom diff other store | grep "^a sync"');
?>
--EXPECT--
$ bloom sync counts store
counts: switched to generation 1, a map of 16-bit values, 50,000 keys, 156 KiB, 0.697 % false positives, in {dir}/segment
exit 0
$ bloom publish counts later.bloom store
counts: published, 1 of 19 chunks written, 12 KiB
exit 0
$ bloom get counts tag6 tag7
tag6	6
tag7	9
exit 0
$ bloom get counts tag7
tag7	7
exit 0
$ bloom health counts | cut -d , -f 1
counts: OK: map
exit 0
$ bloom list | tail -n 1 | cut -c 1-11
counts  map
exit 0
$ bloom info counts | grep -e name -e scheme
name             counts (map)
scheme           map, with values of 16 bits: 0 to 65,535
exit 0
$ bloom mark counts store
bloom: counts: the published version is a map, which follows no journal: build it again with all keys, and publish it
exit 73
$ bloom add counts store tag0
bloom: counts: the published version is a map, which follows no journal: build it again with all keys, and publish it
exit 73
$ bloom add --fold=mysql counts store tag0
bloom: counts: the published version is a map, which follows no journal: build it again with all keys, and publish it
exit 73
$ bloom nightly counts store later.tsv
bloom: counts: the published version is a map, which MapBuilder builds: write bloom build --map --like and bloom publish
exit 73
$ bloom sync --on-demand=1M other store
bloom: other: a map cannot be held on demand (load it with Filter::load() or Filter::sync())
exit 73
$ bloom export counts x.bloom
bloom: counts: filters of the kind map cannot be exported: keep the blob that it was loaded from
exit 73
$ bloom export --to=redis --key=x counts.bloom x
bloom: counts.bloom: blob: only filters in the format of RedisBloom or valkeyprob can be exported (build one from the keys with Builder(format:), or bloom build --scheme)
exit 65
$ bloom snapshot counts saved
bloom: counts: a filter of the kind map cannot be saved: after a reboot, load or sync it again
exit 73
$ bloom load counts filter.bloom
bloom: {dir}/segment/counts: expected a loaded filter, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
exit 73
$ bloom load --journal=store counts counts.bloom
bloom: --journal: the blob is a map, which follows no journal, so leave it out
exit 64
$ bloom publish pages counts.bloom store
bloom: pages: the filter in the store has a journal, but a map follows none: publish the map under another name, or stop adding keys and publish once with --end-journal
exit 73
$ bloom diff counts store | grep "^a sync"
a sync           fails, because this host has a map of this name, but the store a filter: run bloom drop counts first, or publish under another name
exit 0
$ bloom sync counts store
bloom: counts: expected a loaded filter, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
exit 73
$ COLUMNS=200 bloom diff other store | grep "^a sync"
a sync           fails, because this host has a filter of this name, but the store a map: run bloom drop other first, or publish under another name
exit 0
