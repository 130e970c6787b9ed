--TEST--
If many lines are repeated, build warns and sizes the filter for the distinct keys, unless --capacity is given
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
$cli->writeKeys('once', 1, 20_000);
$cli->shell('cat once once once once once once once once once once > ten-times; (cat once; head -n 1000 once) > some-twice');
$capacity = fn (string $blob): int => $cli->run(['info', '--format=json', $blob])->json()['capacity'];
$cli->show(['build', '--seed=1', 'once.bloom', 'once']);
$cli->show(['build', '--seed=1', 'ten.bloom', 'ten-times']);
echo $capacity('once.bloom'), ' ', $capacity('ten.bloom'), "\n";
$cli->show('bloom check ten.bloom once | tail -n 1');
$cli->show(['build', '--seed=1', '--scheme=ribbon', '-q', 'ribbon.bloom', 'ten-times']);
// A tenth of the lines may be repeated, because no list of keys is perfect.
$cli->show(['build', '--seed=1', '-q', 'some.bloom', 'some-twice']);
$cli->show(['build', '--seed=1', '-q', '--capacity=200k', 'told.bloom', 'ten-times']);
echo $capacity('told.bloom'), "\n";
$cli->show(['build', '--like=once.bloom', '-q', 'like.bloom', 'ten-times']);
echo $capacity('some.bloom'), ' ', $capacity('like.bloom'), "\n";
?>
--EXPECTF--
$ bloom build --seed=1 once.bloom once
once.bloom: about 20,0%d keys, 29 KiB, %s % false positives, 20,000 lines added
exit 0
$ bloom build --seed=1 ten.bloom ten-times
ten.bloom: about %s keys, %d KiB, %s % false positives, 200,000 lines added
bloom: warning: 200,000 lines have about %s distinct keys, so the capacity is 20,4%d (use --capacity to choose a different one)
exit 0
20000 204%d
$ bloom check ten.bloom once | tail -n 1
20,000 of 20,000 keys might be contained, 0 are definitely absent
exit 0
$ bloom build --seed=1 --scheme=ribbon -q ribbon.bloom ten-times
bloom: warning: 200,000 lines have about 20,000 distinct keys, so the capacity is 20,401 (use --capacity to choose a different one)
exit 0
$ bloom build --seed=1 -q some.bloom some-twice
exit 0
$ bloom build --seed=1 -q --capacity=200k told.bloom ten-times
exit 0
200000
$ bloom build --like=once.bloom -q like.bloom ten-times
exit 0
21000 20000
