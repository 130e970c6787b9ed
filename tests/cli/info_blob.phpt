--TEST--
info shows a blob as text and as JSON, from a file and from standard input
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
$blob = (new Bloom\Builder(80_000, seed: 42, source: "tags\e[31m\nof <info>the</info> shop"))->build(builtAt: 1_700_000_000);
$blob->save("$cli->files/empty.bloom");

$cli->show(['info', 'empty.bloom']);
$json = $cli->run(['info', '--format=json', 'empty.bloom']);
check($json->json() === fields($blob->info()), 'the fields of info()');
check($cli->shell('bloom info --format json - < empty.bloom')->output === $json->output, 'the same output for standard input');
check($cli->run(['info', '--format=json', 'file://' . "$cli->files/empty.bloom"])->output === $json->output, 'by URL');

// The source of a blob may contain bytes that are not UTF-8.
(new Bloom\Builder(1, source: "\xff"))->build()->save("$cli->files/latin.bloom");
echo $cli->run(['info', '--format=json', 'latin.bloom'])->json()['source'], "\n";

$cli->show(['info']);
$cli->show(['info', 'empty.bloom', '--filter=tags']);
$cli->show(['info', 'missing']);
?>
--EXPECTF--
$ bloom info empty.bloom
source           tags\x1B[31m of <info>the</info> shop
built            2023-11-14 22:13:20 UTC
keys             0 distinct keys, capacity 80,000
false positives  %s % measured, %s % predicted, %s % requested
fill             %s % of the bits are set
size             101 KiB (103,424 bytes)
layout           97 shards of 1 KiB, blocks of 64 bytes, 6 probes
chunks           2 of 64 KiB
seed             42
format           version 2, checksum %s
exit 0
�
$ bloom info
bloom: give either a BLOB, or the NAME of a filter on this host
exit 64
$ bloom info empty.bloom --filter=tags
bloom: give either a BLOB, or the NAME of a filter on this host
exit 64
$ bloom info missing
bloom: missing: neither a file nor a filter on this host
exit 66
