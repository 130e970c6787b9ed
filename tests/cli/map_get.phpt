--TEST--
get prints the values of keys in the order of the keys, and exits with 1 if a key was not printed
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
$cli->write('counts.tsv', "php\t5\nc\t2\nperl\t0\n-\t7\nJosé\t3\n");
$cli->run(['build', '--map', '--value-bits=3', '--rate=1e-9', '--seed=1', 'counts.bloom', 'counts.tsv']);
$cli->run(['load', 'counts', 'counts.bloom']);

$cli->show(['get', 'counts', 'perl', 'php']);
$cli->show(['get', 'counts', 'php', 'none', 'c']);
$cli->show(['get', 'counts'], "c\r\nphp\n-\n");
$cli->show(['get', 'counts', 'c', '-', 'perl'], "php\n\n");
$cli->show(['get', 'counts'], '');
$cli->show(['get', '--quiet', 'counts', 'none']);
$cli->show(['get', '--file=counts.bloom', 'php', 'none', 'perl']);
$cli->show('bloom get --file=- php < counts.bloom');
$cli->show('echo c | bloom get --file=counts.bloom');
$cli->show(['get', '--format=json', 'counts', 'php', 'none', 'c']);

// The bits of 5 are 101, those of 2 are 010.
$cli->show(['get', '--mask=0b100', 'counts', 'php']);
$cli->show(['get', '--mask=0x6', 'counts', 'php', 'c', 'perl']);
$cli->show(['get', '--mask=1', '--format=json', 'counts', 'php', 'c']);

// A batch has 32 KiB, and the keys stay in order.
$cli->shell('seq 20000 | sed "s/.*/&\t&/" > many; seq 20000 > keys; bloom build -q --map --value-bits=15 many.bloom many; bloom load -q many many.bloom');
check($cli->shell('bloom get many < keys | cmp - many')->code === 0, 'all keys of a served map');
check($cli->shell('bloom get --file=many.bloom < keys | cmp - many')->code === 0, 'all keys of a blob');

// Keys are folded as the source says. Only the database knows what equals an emoji.
$cli->run(['build', '--map', '--value-bits=3', '--fold=mysql', '--rate=1e-9', 'folded.bloom', 'counts.tsv']);
$cli->show(['get', '--file=folded.bloom', 'JOSE', 'Php ']);
$cli->show(['get', '--file=folded.bloom', '😀']);
echo $cli->run(['get', '--file=folded.bloom', "\xff"])->errors;

// No value is invented.
$cli->run(['build', 'filter.bloom', 'counts.tsv', '--quiet']);
$cli->run(['load', 'filter', 'filter.bloom']);
foreach (glob(in_segment('many/*.bloom', $cli->segment)) as $file) {
    unlink($file);
}
$cli->shell('bloom publish -q part filter.bloom store; bloom sync -q --on-demand=1M part store');
foreach ([['many', '1'], ['part', '1'], ['none', '1'], ['filter', 'php'], ['--file=filter.bloom', 'php'], ['--file=none.bloom', 'php'], ['--file=counts.tsv', 'php'], [],
    ['a/b', 'php'], ['--file=-'], ['counts', '-', '-'], ['--mask=0', 'counts', 'c'], ['--mask=0b2', 'counts', 'c'], ['--mask=', 'counts', 'c'],
    ['--mask=0x1ffffffffffffffff', 'counts', 'c']] as $wrong) {
    $result = $cli->run(['get', ...$wrong]);
    check($result->output === '', 'no value');
    echo "$result->code ", strtr($result->errors, [$cli->directory => '{dir}']);
}
?>
--EXPECT--
$ bloom get counts perl php
perl	0
php	5
exit 0
$ bloom get counts php none c
php	5
c	2
exit 1
$ bloom get counts
c	2
php	5
-	7
exit 0
$ bloom get counts c - perl
c	2
php	5
perl	0
exit 1
$ bloom get counts
exit 0
$ bloom get --quiet counts none
exit 1
$ bloom get --file=counts.bloom php none perl
php	5
perl	0
exit 1
$ bloom get --file=- php < counts.bloom
php	5
exit 0
$ echo c | bloom get --file=counts.bloom
c	2
exit 0
$ bloom get --format=json counts php none c
{"name":"counts","values":[{"key":"php","value":5},{"key":"c","value":2}],"absent":["none"]}
exit 1
$ bloom get --mask=0b100 counts php
php	5
exit 0
$ bloom get --mask=0x6 counts php c perl
php	5
c	2
exit 1
$ bloom get --mask=1 --format=json counts php c
{"name":"counts","values":[{"key":"php","value":5}],"absent":["c"]}
exit 1
$ bloom get --file=folded.bloom JOSE Php 
JOSE	3
Php 	5
exit 0
$ bloom get --file=folded.bloom 😀
bloom: KEYS: the key "😀" may have several rows with the fold mysql/1, so only the database has its value
exit 65
bloom: KEYS: The key "?" is not UTF-8, so it cannot be folded: read it on a connection, or with a client, whose character set is utf8mb4
73 bloom: {dir}/segment/many: generation file 0000000000000001.bloom is missing: the operating system refused the operation
73 bloom: part: is not a map, so its keys have no values (bloom check looks keys up; bloom build --map builds maps)
66 bloom: {dir}/segment/none: no such filter is loaded (bloom list shows those that are)
73 bloom: filter: is not a map, so its keys have no values (bloom check looks keys up; bloom build --map builds maps)
65 bloom: filter.bloom: is not a map, so its keys have no values (bloom check looks keys up; bloom build --map builds maps)
66 bloom: none.bloom: no such file
65 bloom: counts.tsv: not a blob (bloom build makes one from lists of keys)
64 bloom: NAME is missing: write bloom get NAME [KEYS...], or bloom get --file=BLOB [KEYS...]
64 bloom: NAME: "a/b" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom get (NAME | --file=BLOB) [KEYS...]
64 bloom: --file: standard input (-) can be read only once: give the keys as arguments, or the blob as a file
64 bloom: KEYS: standard input (-) can be read only once
64 bloom: --mask must have a bit that is 1, not "0"
64 bloom: --mask: "0b2" is not a mask of up to 64 bits such as 5, 0x5 or 0b101
64 bloom: --mask is empty: give a value, or leave the option out (is a shell variable not set?)
64 bloom: --mask: 0x1ffffffffffffffff is too large
