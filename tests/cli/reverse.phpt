--TEST--
The blob of a reverse index is shown, published, synced and loaded as a reverse index, and build --like rejects it
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
$index = new Bloom\ReverseIndexBuilder(groups: 1000, capacity: 100, seed: 1);
$index->add(17, 'lamp');
$index->build()->save("$cli->files/shops.bloom");
$cli->write('keys', "lamp\n");

echo implode("\n", preg_grep('/^reverse/', explode("\n", $cli->run(['info', 'shops.bloom'])->output))), "\n";
$cli->show(['check', 'shops.bloom']);
$cli->show(['load', 'shops', 'shops.bloom']);
$cli->show(['drop', 'shops']);
$cli->show(['publish', 'shops', 'shops.bloom', 'store']);
$cli->show(['sync', 'shops', 'store']);
echo implode("\n", preg_grep('/^reverse/', explode("\n", $cli->run(['info', '--filter=shops'])->output))), "\n";
$cli->show(['build', '--like=shops.bloom', 'a.bloom', 'keys']);
$cli->show(['build', '--like=shops.bloom', '--capacity=5', 'a.bloom', 'keys']);
?>
--EXPECT--
reverse index    1,000 groups, 256 children per node, 2 levels, 3.0e-5 wrong groups per answer
$ bloom check shops.bloom
shops.bloom: valid, a reverse index of 1,000 groups, 2 keys, 20 KiB, 1.19e-5 % false positives
exit 0
$ bloom load shops shops.bloom
shops: loaded generation 1, a reverse index of 1,000 groups, 2 keys, 20 KiB, 1.19e-5 % false positives, in {dir}/segment
exit 0
$ bloom drop shops
shops: dropped
exit 0
$ bloom publish shops shops.bloom store
shops: published, 1 of 1 chunk written, 20 KiB
exit 0
$ bloom sync shops store
shops: switched to generation 1, a reverse index of 1,000 groups, 2 keys, 20 KiB, 1.19e-5 % false positives, in {dir}/segment
exit 0
reverse index    1,000 groups, 256 children per node, 2 levels, 3.0e-5 wrong groups per answer
$ bloom build --like=shops.bloom a.bloom keys
bloom: --like: the blob is a reverse index; build it with ReverseIndexBuilder in PHP
exit 64
$ bloom build --like=shops.bloom --capacity=5 a.bloom keys
bloom: --like: the blob is a reverse index; build it with ReverseIndexBuilder in PHP
exit 64
