--TEST--
/dev/stdin and /dev/fd, which a shell's process substitution uses, are read like "-"
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
echo shell_exec('command -v bash') === null ? 'skip bash is not installed' : '';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$cli->writeKeys('keys', 1, 1000);
$bash = static fn (string $line) => $cli->show("bash -c '$line'");

$cli->show('cat keys | bloom build --capacity=1000 --seed=1 a.bloom /dev/stdin');
$bash('bloom build --capacity=1000 --seed=1 b.bloom <(head -n 500 keys) <(tail -n 500 keys)');
$bash('bloom check <(cat b.bloom) <(cat keys) | tail -n 1');
$bash('bloom build --like <(cat a.bloom) c.bloom keys && bloom check c.bloom - < keys | tail -n 1');
$bash('bloom load tags <(cat a.bloom)');
$bash('bloom check /proc/self/fd/7 7< <(cat a.bloom)');
$bash('cp a.bloom gone; exec 9< gone; rm gone; bloom check /dev/fd/9');
// If /dev/stdin is a regular file, it can be read twice, so build counts its lines.
$cli->show('bloom build --seed=1 d.bloom /dev/stdin < keys && bloom check d.bloom keys | tail -n 1');
$bash('bloom build d.bloom <(cat keys)');
$cli->show('bloom check /dev/fd/77 keys');
$cli->show('cat keys | bloom check /dev/stdin -');
$cli->show('cat keys | bloom build e.bloom --capacity=5 - /dev/fd/0');
$cli->show('cat a.bloom | bloom sign tags /dev/stdin');
?>
--EXPECT--
$ cat keys | bloom build --capacity=1000 --seed=1 a.bloom /dev/stdin
a.bloom: about 1,000 keys, 6 KiB, 0.508 % false positives, 1,000 lines added
exit 0
$ bash -c 'bloom build --capacity=1000 --seed=1 b.bloom <(head -n 500 keys) <(tail -n 500 keys)'
b.bloom: about 1,000 keys, 6 KiB, 0.508 % false positives, 1,000 lines added
exit 0
$ bash -c 'bloom check <(cat b.bloom) <(cat keys) | tail -n 1'
1,000 of 1,000 keys might be contained, 0 are definitely absent
exit 0
$ bash -c 'bloom build --like <(cat a.bloom) c.bloom keys && bloom check c.bloom - < keys | tail -n 1'
c.bloom: about 1,000 keys, 6 KiB, 0.508 % false positives, 1,000 lines added
1,000 of 1,000 keys might be contained, 0 are definitely absent
exit 0
$ bash -c 'bloom load tags <(cat a.bloom)'
tags: loaded generation 1, about 1,000 keys, 6 KiB, 0.508 % false positives, in {dir}/segment
exit 0
$ bash -c 'bloom check /proc/self/fd/7 7< <(cat a.bloom)'
/proc/self/fd/7: valid, about 1,000 keys, 6 KiB, 0.508 % false positives
exit 0
$ bash -c 'cp a.bloom gone; exec 9< gone; rm gone; bloom check /dev/fd/9'
/dev/fd/9: valid, about 1,000 keys, 6 KiB, 0.508 % false positives
exit 0
$ bloom build --seed=1 d.bloom /dev/stdin < keys && bloom check d.bloom keys | tail -n 1
d.bloom: about 1,000 keys, 6 KiB, 0.508 % false positives, 1,000 lines added
1,000 of 1,000 keys might be contained, 0 are definitely absent
exit 0
$ bash -c 'bloom build d.bloom <(cat keys)'
bloom: --capacity is required, such as 80000, 80k or 50M, unless all keys are in regular files, whose lines can be counted in advance
exit 64
$ bloom check /dev/fd/77 keys
bloom: /dev/fd/77: no such file
exit 66
$ cat keys | bloom check /dev/stdin -
bloom: standard input (-) can be read only once
exit 64
$ cat keys | bloom build e.bloom --capacity=5 - /dev/fd/0
bloom: standard input (-) can be read only once
exit 64
$ cat a.bloom | bloom sign tags /dev/stdin
bloom: /dev/stdin: is not a regular file (use - for standard output)
exit 73
