--TEST--
A host syncs a blob from a directory once, and again after a new version has been published
--DESCRIPTION--
fault: publisher-clock
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
foreach ([1 => 'first', 'second', 'third'] as $number => $name) {
    $builder = new Bloom\Builder(100_000, seed: 1, source: $name, layout: new Bloom\Layout(chunkBytes: 65536));
    $builder->addMany(range(1, 50_000 + $number));
    $builder->build(builtAt: 1_700_000_000 + $number)->save("$cli->files/$name.bloom");
}
$cli->show(['sync', 'tags', 'store']);
$cli->show(['publish', 'tags', 'first.bloom', 'store']);
$cli->show(['publish', 'tags', 'first.bloom', 'dir:store']);
$cli->show(['sync', 'tags', 'store']);
$cli->show(['sync', 'tags', "file://$cli->files/store"]);
$cli->show(['publish', 'tags', 'second.bloom', './store', '--format=json']);
$cli->show(['sync', 'tags', 'store', '--ttl=3600']);
$sync = $cli->run(['sync', 'tags', 'store', '--format=json'])->json();
echo json_encode(array_slice($sync, 0, 5)), " {$sync['source']} {$sync['syncs']}\n";
check(array_keys($sync) === ['switched', 'result', ...array_keys($cli->run(['info', '-f', 'tags', '--format=json'])->json())], 'fields');

// An older version is loaded only with --force.
$cli->show('bloom publish tags - store < first.bloom');
$cli->show(['sync', 'tags', 'store']);
$cli->show(['sync', 'tags', 'store', '--force', '--quiet']);
$json = $cli->run(['info', '--filter=tags', '--format=json'])->json();
echo $json['source'], ' ', $json['generation'], ' ', $json['syncFailures'], "\n";

// A damaged store does not affect the served filter.
$cli->run(['publish', 'tags', 'third.bloom', 'store']);
$cli->write('store/tags', str_repeat('x', 8192));
$cli->show(['sync', 'tags', 'store']);
echo $cli->run(['info', '--filter=tags', '--format=json'])->json()['source'], "\n";

$cli->show(['publish', 'tags', 'first.bloom']);
$cli->show(['publish', 'tags', 'missing', 'store']);
$cli->show(['publish', 'no/name', 'first.bloom', 'store']);
$cli->show(['publish', 'tags', 'first.bloom', 'missing']);
$cli->show(['sync', 'tags', 'store', '--ttl=-1']);
$cli->show(['sync', 'tags', 'store', '--timeout=0']);
?>
--EXPECTF--
$ bloom sync tags store
bloom: tags: missing from the store (bloom list STORE shows the filters that it has)
exit 75
$ bloom publish tags first.bloom store
tags: published, 2 of 2 chunks written, 126 KiB
exit 0
$ bloom publish tags first.bloom dir:store
tags: published, 0 of 2 chunks written, 0 bytes
exit 0
$ bloom sync tags store
tags: switched to generation 1, about 49,996 keys, 126 KiB, %s % false positives, in {dir}/segment
exit 0
$ bloom sync tags file://{dir}/files/store
tags: no change, still generation 1, about 49,996 keys, 126 KiB, %s % false positives, in {dir}/segment
exit 0
$ bloom publish tags second.bloom ./store --format=json
{"name":"tags","chunks":2,"chunksWritten":1,"bytesWritten":69632,"warning":null}
exit 0
$ bloom sync tags store --ttl=3600
tags: no change, still generation 1, about 49,996 keys, 126 KiB, %s % false positives, in {dir}/segment
exit 0
{"switched":true,"result":"switched","name":"tags","kind":"loaded","generation":2} second 3
$ bloom publish tags - store < first.bloom
tags: published, 0 of 2 chunks written, 4 KiB
exit 0
$ bloom sync tags store
bloom: tags: the store's version is older than the one served
exit 75
$ bloom sync tags store --force --quiet
exit 0
first 3 1
$ bloom sync tags store
bloom: tags in the store: blob: this is not a bloom blob: the magic bytes do not match
exit 65
first
$ bloom publish tags first.bloom
bloom: STORE is missing: write bloom publish NAME BLOB STORE
exit 64
$ bloom publish tags missing store
bloom: missing: no such file
exit 66
$ bloom publish no/name first.bloom store
bloom: NAME: "no/name" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom publish NAME BLOB STORE
exit 64
$ bloom publish tags first.bloom missing
bloom: the store missing does not exist: create the directory, or mount the file system that contains it
exit 66
$ bloom sync tags store --ttl=-1
bloom: --ttl: "-1" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom sync tags store --timeout=0
bloom: --timeout must be between 0.001 and 86,400 seconds, not "0"
exit 64
