--TEST--
build warns about gzip data and byte order marks but still adds all lines unchanged
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
$cli->write('gzip', "\x1f\x8b\x08 and so on\n");
$cli->write('marked', "\xef\xbb\xbfねこ\nとり\n");
$cli->write('short', "\xef");
$cli->write('wide', "\xff\xfea\0\r\0\n\0");
$cli->write('plain', "ねこ\nとり\n");
$cli->write('empty', '');
foreach (['gzip', 'marked', 'short', 'plain', 'marked plain gzip'] as $names) {
    $cli->show("bloom build --seed=1 a.bloom $names");
    $cli->show("cat $names | bloom build --seed=1 --capacity=10 b.bloom -q");
    // The blobs contain all keys of the files.
    $cli->show("bloom check -q a.bloom $names && cat $names | bloom check b.bloom - | tail -n 1");
}
$cli->show('cat empty | bloom build --seed=1 --capacity=10 --allow-empty b.bloom');
$cli->show('bloom build --seed=1 a.bloom wide');
// The input is a pipe that delivers single bytes, and then a pipe that delivers 200,000 lines.
$cli->show('(printf "\357"; sleep 0.1; printf "\273"; sleep 0.1; printf "\277x\n") | bloom build --capacity=10 c.bloom');
$cli->show('seq 1 200000 | bloom build --seed=1 --capacity=200000 -q c.bloom && seq 1 200000 | bloom check c.bloom - | tail -n 1');
?>
--EXPECT--
$ bloom build --seed=1 a.bloom gzip
a.bloom: 1 key, 5 KiB, 0.0122 % false positives, 1 line added
bloom: warning: gzip begins with gzip data (1f 8b), which is read as keys without decompression: use zcat or compress.zlib://FILE
exit 0
$ cat gzip | bloom build --seed=1 --capacity=10 b.bloom -q
bloom: warning: standard input begins with gzip data (1f 8b), which is read as keys without decompression: use zcat or compress.zlib://FILE
exit 0
$ bloom check -q a.bloom gzip && cat gzip | bloom check b.bloom - | tail -n 1
1 of 1 key might be contained, 0 are certainly absent
exit 0
$ bloom build --seed=1 a.bloom marked
a.bloom: 2 keys, 5 KiB, 0.0244 % false positives, 2 lines added
bloom: warning: marked begins with a byte order mark (ef bb bf), which becomes part of the first key
exit 0
$ cat marked | bloom build --seed=1 --capacity=10 b.bloom -q
bloom: warning: standard input begins with a byte order mark (ef bb bf), which becomes part of the first key
exit 0
$ bloom check -q a.bloom marked && cat marked | bloom check b.bloom - | tail -n 1
2 of 2 keys might be contained, 0 are certainly absent
exit 0
$ bloom build --seed=1 a.bloom short
a.bloom: 1 key, 5 KiB, 0.0122 % false positives, 1 line added
exit 0
$ cat short | bloom build --seed=1 --capacity=10 b.bloom -q
exit 0
$ bloom check -q a.bloom short && cat short | bloom check b.bloom - | tail -n 1
1 of 1 key might be contained, 0 are certainly absent
exit 0
$ bloom build --seed=1 a.bloom plain
a.bloom: 2 keys, 5 KiB, 0.0244 % false positives, 2 lines added
exit 0
$ cat plain | bloom build --seed=1 --capacity=10 b.bloom -q
exit 0
$ bloom check -q a.bloom plain && cat plain | bloom check b.bloom - | tail -n 1
2 of 2 keys might be contained, 0 are certainly absent
exit 0
$ bloom build --seed=1 a.bloom marked plain gzip
a.bloom: 4 keys, 5 KiB, 0.0488 % false positives, 5 lines added
bloom: warning: marked begins with a byte order mark (ef bb bf), which becomes part of the first key
bloom: warning: gzip begins with gzip data (1f 8b), which is read as keys without decompression: use zcat or compress.zlib://FILE
exit 0
$ cat marked plain gzip | bloom build --seed=1 --capacity=10 b.bloom -q
bloom: warning: standard input begins with a byte order mark (ef bb bf), which becomes part of the first key
exit 0
$ bloom check -q a.bloom marked plain gzip && cat marked plain gzip | bloom check b.bloom - | tail -n 1
5 of 5 keys might be contained, 0 are certainly absent
exit 0
$ cat empty | bloom build --seed=1 --capacity=10 --allow-empty b.bloom
b.bloom: 0 keys, 5 KiB, 0 % false positives, 0 lines added
exit 0
$ bloom build --seed=1 a.bloom wide
a.bloom: 2 keys, 5 KiB, 0.0244 % false positives, 2 lines added
bloom: warning: wide begins with a UTF-16 byte order mark, but is read as keys without conversion: convert the file to UTF-8
exit 0
$ (printf "\357"; sleep 0.1; printf "\273"; sleep 0.1; printf "\277x\n") | bloom build --capacity=10 c.bloom
c.bloom: 1 key, 5 KiB, 0.0122 % false positives, 1 line added
bloom: warning: standard input begins with a byte order mark (ef bb bf), which becomes part of the first key
exit 0
$ seq 1 200000 | bloom build --seed=1 --capacity=200000 -q c.bloom && seq 1 200000 | bloom check c.bloom - | tail -n 1
200,000 of 200,000 keys might be contained, 0 are certainly absent
exit 0
