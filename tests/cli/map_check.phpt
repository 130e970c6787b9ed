--TEST--
check compares the values of a blob or a served map with lines, and a wrong value counts like an absent key
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
$cli->write('counts.tsv', "php\t5\nc\t2\nperl\t0\ngo\t1\n");
$cli->write('other.tsv', "php\t5\nc\t3\r\nnone\t1\nperl\t900\ngo\t001");
$cli->run(['build', '--map', '--value-bits=3', '--rate=1e-9', '--seed=1', 'counts.bloom', 'counts.tsv']);
$cli->run(['load', 'counts', 'counts.bloom']);
$cli->show(['check', 'counts.bloom']);
foreach ([['counts.bloom'], ['counts', '--served']] as $what) {
    $cli->show(['check', ...$what, 'counts.tsv']);
    $cli->show(['check', ...$what, 'other.tsv']);
    foreach (['candidates', 'absent', 'each'] as $print) {
        $cli->show(['check', ...$what, "--print=$print", 'other.tsv']);
    }
    $json = $cli->run(['check', '--format=json', ...$what, 'other.tsv'])->json();
    echo json_encode(array_intersect_key($json, array_flip(['checked', 'candidates', 'absent', 'wrong', 'missing', 'different']))), "\n";
}
$cli->show(['check', 'counts', '--served', '--limit=1', 'other.tsv', 'other.tsv']);
$cli->show(['check', 'counts', '--served', '--quiet', '-'], "php\t5\n");

// With a rate of 1, every key has a value, so an absent key has a wrong one.
$cli->shell('seq 5000 | sed "s/.*/&\t&/" | bloom build --quiet --map --value-bits=20 --rate=1 --seed=7 --capacity=5k all.bloom');
$result = $cli->run(['check', '--format=json', 'all.bloom', '-'], "none\t1\n7\t7\n")->json();
echo "$result[candidates] $result[absent] $result[wrong]\n";

// Keys are folded, and several texts are one key.
$cli->run(['build', '--map', '--value-bits=3', '--fold=mysql', 'folded.bloom', 'counts.tsv']);
$cli->show(['check', '--print=each', 'folded.bloom', '-'], "PHP\t5\nphp \t4\n");

foreach ([['counts.bloom', 'plain'], ['counts.bloom', '--field=1', 'counts.tsv'], ['counts.bloom', '--digests', 'counts.tsv'],
    ['counts', '--served', '--repair=./store', 'counts.tsv']] as $wrong) {
    $cli->write('plain', "php\t5\nphp\n");
    $result = $cli->run(['check', ...$wrong]);
    echo "$result->code $result->errors";
}
$cli->show("(cat counts.tsv; seq 9000 | sed 's/$/\t1/'; bloom load --quiet counts counts.bloom) | bloom check counts --served --quiet -");
?>
--EXPECT--
$ bloom check counts.bloom
counts.bloom: valid, a map of 3-bit values, 4 keys, 12 KiB, 4.66e-8 % false positives
exit 0
$ bloom check counts.bloom counts.tsv
counts.bloom: valid, a map of 3-bit values, 4 keys, 12 KiB, 4.66e-8 % false positives
4 of 4 keys have their value, 0 have another one, 0 are definitely absent
exit 0
$ bloom check counts.bloom other.tsv
counts.bloom: valid, a map of 3-bit values, 4 keys, 12 KiB, 4.66e-8 % false positives
2 of 5 keys have their value, 2 have another one, 1 is definitely absent
wrong: c: expected 3, found 2
wrong: perl: expected 900, found 0
missing: none
exit 1
$ bloom check counts.bloom --print=candidates other.tsv
php	5
go	001
exit 1
$ bloom check counts.bloom --print=absent other.tsv
c	3
none	1
perl	900
exit 1
$ bloom check counts.bloom --print=each other.tsv
maybe	php	5
wrong	c	3
absent	none	1
wrong	perl	900
maybe	go	001
exit 1
{"checked":5,"candidates":4,"absent":1,"wrong":2,"missing":["none"],"different":[{"key":"c","expected":3,"found":2},{"key":"perl","expected":900,"found":0}]}
$ bloom check counts --served counts.tsv
counts: generation 1, a map of 3-bit values, 4 keys, 12 KiB, 4.66e-8 % false positives
4 of 4 keys have their value, 0 have another one, 0 are definitely absent
exit 0
$ bloom check counts --served other.tsv
counts: generation 1, a map of 3-bit values, 4 keys, 12 KiB, 4.66e-8 % false positives
2 of 5 keys have their value, 2 have another one, 1 is definitely absent
wrong: c: expected 3, found 2
wrong: perl: expected 900, found 0
missing: none
exit 1
$ bloom check counts --served --print=candidates other.tsv
php	5
go	001
exit 1
$ bloom check counts --served --print=absent other.tsv
c	3
none	1
perl	900
exit 1
$ bloom check counts --served --print=each other.tsv
maybe	php	5
wrong	c	3
absent	none	1
wrong	perl	900
maybe	go	001
exit 1
{"checked":5,"candidates":4,"absent":1,"wrong":2,"missing":["none"],"different":[{"key":"c","expected":3,"found":2},{"key":"perl","expected":900,"found":0}]}
$ bloom check counts --served --limit=1 other.tsv other.tsv
counts: generation 1, a map of 3-bit values, 4 keys, 12 KiB, 4.66e-8 % false positives
4 of 10 keys have their value, 4 have another one, 2 are definitely absent
wrong: c: expected 3, found 2
missing: none
4 more (--print=absent prints all lines)
exit 1
$ bloom check counts --served --quiet -
exit 0
2 0 1
$ bloom check --print=each folded.bloom -
maybe	PHP	5
wrong	php 	4
exit 1
65 bloom: plain: line 2: a line must be a key, a TAB and a value that fits into the value bits
64 bloom: --field: each line of a map is a key, a tab and a value, so leave out --field and --delimiter
64 bloom: --digests: counts.bloom has another seed than 0, is keyed or was imported, so its digests differ: give the keys themselves
73 bloom: --repair: counts follows no journal, so no host would find the keys: it is a map, so build and publish it again with all keys
$ (cat counts.tsv; seq 9000 | sed 's/$/	1/'; bloom load --quiet counts counts.bloom) | bloom check counts --served --quiet -
bloom: counts: generation 2 replaced generation 1 during the check, so run the command again
exit 75
