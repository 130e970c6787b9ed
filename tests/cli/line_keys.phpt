--TEST--
build, check and add take the key from a field of each line, or from its digest, and warn about a line with a key and a value
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
$keys = implode("\n", ['one', 'two', 'three', 'four', '']);

// A file with a value for each key builds, but lookups of its keys would be denied.
$cli->write('values', "one\t1\r\ntwo\t2\nthree\t3\nfour\t4\t44");
$cli->write('counts', implode("\n", array_map(static fn (string $key): string => strtoupper(sha1($key)) . ':12', ['one', 'two'])) . "\n");
$cli->write('colons', "1::one:x\r\n2:y:two\n3::three\r\n4::four\r");
$cli->show(['build', '--quiet', 'values.bloom', 'values']);
$cli->show(['build', '--quiet', 'counts.bloom', 'counts']);
$cli->show(['build', '--quiet', '--field=1', 'warned.bloom', 'colons']);

// The line ending belongs to no field, and --print prints the whole lines.
$cli->show(['build', '--quiet', '--seed=1', '--field=1', '--capacity=100', 'values.bloom', 'values']);
$cli->show(['build', '--quiet', '--field=3', '--delimiter=:', '--capacity=100', 'colons.bloom', 'colons']);
foreach (['values', 'colons'] as $name) {
    check($cli->run(['check', '--print=absent', "$name.bloom", '-'], $keys)->output === '', "$name: all keys");
}
echo json_encode($cli->run(['check', '--field=1', '--print=candidates', 'values.bloom', 'values', '-'], "five\t5\none\t6")->output), "\n";

// A line without the field would be a lost key. The number of the line is right after many lines.
$cli->write('short', str_repeat("a\tb\n", 20_000) . "c\n" . "d\te\n");
$cli->show(['build', '--field=2', 'short.bloom', 'short']);
$cli->show(['check', '--field=2', 'values.bloom', 'short']);
foreach ([['--field=0'], ['--field=x'], ['--delimiter=:'], ['--field=1', '--delimiter=::'], ['--field=1', "--delimiter=\n"]] as $options) {
    $result = $cli->run(['build', ...$options, 'never.bloom', 'values']);
    echo "$result->code $result->errors";
}

// Digests as ClickHouse and StarRocks print them in their manuals, and the ends of the range.
$digests = ['18009318874338624809', '-7685981735718036227', '0x' . hash('xxh3', 'one'), '0', '-1', '-9223372036854775808', '9223372036854775808'];
$cli->write('digests', implode("\r\n", $digests));
$cli->show(['build', '--quiet', '--digests', '--capacity=100', 'digests.bloom', 'digests']);
$cli->show(['check', '--print=each', 'digests.bloom', '-'], "ClickHouse\nhello\none\ntwo");
$cli->show(['check', '--digests', '--print=each', 'digests.bloom', '-'], "0x0\n18446744073709551615\n0x8000000000000000\n1");
foreach (['18446744073709551616', '-9223372036854775809', '007', '1e5', '', 'NULL'] as $wrong) {
    $result = $cli->run(['check', '--digests', 'digests.bloom', '-'], "1\n$wrong\n");
    echo "$result->code $result->errors";
}

// The digests of a filter with another seed or a secret are different ones.
$cli->run(['build', '--seed=1', '--capacity=100', 'other.bloom', '-'], $keys);
foreach ([['build', '--seed=1', 'never.bloom', 'digests'], ['build', '--keyed', 'never.bloom', 'digests'],
    ['build', '--like=other.bloom', 'never.bloom', 'digests'], ['check', 'other.bloom', 'digests']] as $call) {
    $result = $cli->run([...$call, '--digests']);
    echo "$result->code $result->errors";
}
$cli->show(['build', '--quiet', '--digests', '--like=digests.bloom', '--seed=0', 'digests.bloom', 'digests']);

mkdir("$cli->files/store");
$cli->show(['add', '--digests', 'tags', './store'], '1');
$cli->show(['add', '--field=2', 'tags', './store'], "1\ttag\n2\ttag two");
check(str_contains(file_get_contents("$cli->files/store/tags:journal"), "tag two"), 'the second field');

// nightly reads the output of a command.
mkdir("$cli->files/nights");
$cli->show('bloom nightly --quiet --settle=0 --field=2 tags ./nights -- cat values');
$cli->run(['sync', 'tags', './nights']);
$cli->show(['check', 'tags', '--served', '--print=each', '-'], "4\n");
$cli->show('bloom nightly --quiet --settle=0 other ./nights -- cat values');
$cli->show(['nightly', '--digests', 'tags', './nights', 'digests']);
echo $cli->names(), "\n";
?>
--EXPECT--
$ bloom build --quiet values.bloom values
bloom: warning: values: has a tab in each line, which becomes part of the key; if the key is one of the fields: use --field=N
exit 0
$ bloom build --quiet counts.bloom counts
bloom: warning: counts: has a hash and a count in each line, which together become the key; if lookups have only the hash: use --field=1 --delimiter=:
exit 0
$ bloom build --quiet --field=1 warned.bloom colons
bloom: warning: colons: has no delimiter in its first lines, so that these lines are the keys: use --delimiter=C if another character separates the fields
exit 0
$ bloom build --quiet --seed=1 --field=1 --capacity=100 values.bloom values
exit 0
$ bloom build --quiet --field=3 --delimiter=: --capacity=100 colons.bloom colons
exit 0
"one\t1\r\ntwo\t2\nthree\t3\nfour\t4\t44\none\t6\n"
$ bloom build --field=2 short.bloom short
bloom: short: line 20001: no field 2: each line must have the field that is the key (fields count from 1, and the delimiter is a tab by default)
exit 65
$ bloom check --field=2 values.bloom short
bloom: short: line 20001: no field 2: each line must have the field that is the key (fields count from 1, and the delimiter is a tab by default)
exit 65
64 bloom: --field must be between 1 and 1,000, not 0
64 bloom: --field: "x" is not a whole number such as 8
64 bloom: --delimiter needs --field: write --field=1 for the first field of a line
64 bloom: --delimiter must be one byte, such as : or ; or \t, not "::"
64 bloom: --delimiter must be one byte, such as : or ; or \t, not " "
$ bloom build --quiet --digests --capacity=100 digests.bloom digests
exit 0
$ bloom check --print=each digests.bloom -
maybe	ClickHouse
maybe	hello
maybe	one
absent	two
exit 1
$ bloom check --digests --print=each digests.bloom -
maybe	0x0
maybe	18446744073709551615
maybe	0x8000000000000000
absent	1
exit 1
65 bloom: standard input: line 2: "18446744073709551616" is not a digest of 8 bytes (a whole number from -2^63 to 2^64 - 1, or 0x and up to 16 hexadecimal digits)
65 bloom: standard input: line 2: "-9223372036854775809" is not a digest of 8 bytes (a whole number from -2^63 to 2^64 - 1, or 0x and up to 16 hexadecimal digits)
65 bloom: standard input: line 2: "007" is not a digest of 8 bytes (a whole number from -2^63 to 2^64 - 1, or 0x and up to 16 hexadecimal digits)
65 bloom: standard input: line 2: "1e5" is not a digest of 8 bytes (a whole number from -2^63 to 2^64 - 1, or 0x and up to 16 hexadecimal digits)
65 bloom: standard input: line 2: "" is not a digest of 8 bytes (a whole number from -2^63 to 2^64 - 1, or 0x and up to 16 hexadecimal digits)
65 bloom: standard input: line 2: "NULL" is not a digest of 8 bytes (a whole number from -2^63 to 2^64 - 1, or 0x and up to 16 hexadecimal digits)
64 bloom: --digests: the digests of the keys have seed 0 and no secret, so leave out --seed and --keyed
64 bloom: --digests: the digests of the keys have seed 0 and no secret, so leave out --seed and --keyed
64 bloom: --like: other.bloom has another seed, or is keyed, but --digests needs seed 0 and no secret
64 bloom: --digests: other.bloom has another seed than 0, is keyed or was imported, so its digests differ: give the keys themselves
$ bloom build --quiet --digests --like=digests.bloom --seed=0 digests.bloom digests
exit 0
$ bloom add --digests tags ./store
bloom: --digests: a journal has keys, because the next version of the filter may have another seed: add the keys
exit 64
$ bloom add --field=2 tags ./store
tags: added 2 keys to its journal
bloom: warning: tags: nothing is published under this name yet, so no host finds the keys until a version with a mark is published (is NAME misspelled?)
exit 0
$ bloom nightly --quiet --settle=0 --field=2 tags ./nights -- cat values
exit 0
$ bloom check tags --served --print=each -
maybe	4
exit 0
$ bloom nightly --quiet --settle=0 other ./nights -- cat values
bloom: warning: the output of COMMAND has a tab in each line, which becomes part of the key; if the key is one of the fields: use --field=N
exit 0
$ bloom nightly --digests tags ./nights digests
bloom: --digests: nightly keeps the seed of the published version, and digests have seed 0: write bloom build --digests
exit 64
colons colons.bloom counts counts.bloom digests digests.bloom nights other.bloom short store values values.bloom warned.bloom
