--TEST--
publish rewrites damaged values in a store, and with --force all values
--DESCRIPTION--
fault: store-changes-bytes
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
$builder = new Bloom\Builder(100_000, seed: 1, layout: new Bloom\Layout(chunkBytes: 65536));
$builder->addMany(range(1, 50_000));
$builder->build()->save("$cli->files/tags.bloom");
$cli->show(['publish', 'tags', 'tags.bloom', 'store']);

$chunks = glob("$cli->files/store/tags:chunks/*/*");
$bytes = file_get_contents($chunks[0]);
$bytes[100] = ~$bytes[100];
file_put_contents($chunks[0], $bytes);
$sync = function () use ($cli, $chunks): void {
    $result = $cli->run(['sync', 'tags', 'store']);
    echo str_replace(basename($chunks[0]), '{chunk}', $result->errors), "exit $result->code\n";
};
$sync();

$cli->show(['publish', 'tags', 'tags.bloom', 'store']);
$sync();
$cli->show(['publish', 'tags', 'tags.bloom', 'store', '--force']);
$cli->show(['sync', 'tags', 'store', '--quiet']);
$cli->show(['publish', 'tags', 'tags.bloom', 'store', '--force', '--format=json']);
?>
--EXPECT--
$ bloom publish tags tags.bloom store
tags: published, 2 of 2 chunks written, 126 KiB
exit 0
bloom: tags in the store: tags:{chunk}: the chunk's bytes do not match its digest
exit 65
$ bloom publish tags tags.bloom store
tags: published, 1 of 2 chunks written, 58 KiB
exit 0
exit 0
$ bloom publish tags tags.bloom store --force
tags: published, 2 of 2 chunks written, 122 KiB
exit 0
$ bloom sync tags store --quiet
exit 0
$ bloom publish tags tags.bloom store --force --format=json
{"name":"tags","chunks":2,"chunksWritten":2,"bytesWritten":124928,"warning":null}
exit 0
