--TEST--
build --map sets each key of a file to its value, by the rules of MapBuilder, and keeps its layout with --like
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
$cli->write('counts.tsv', implode('', array_map(static fn (int $i): string => "tag$i\t" . 7 * $i . "\n", range(1, 5000))));
$cli->shell('gzip -k counts.tsv');
$blob = static fn (string $name): Bloom\Blob => Bloom\Blob::open("$cli->files/$name");
$build = ['build', '--map', '--value-bits=20', '--seed=7', '--built-at=1700000000'];

// The capacity is the number of lines, and the bits are those of a MapBuilder.
$cli->show([...$build, 'counts.bloom', 'counts.tsv']);
$builder = new Bloom\MapBuilder(5000, 20, seed: 7);
$builder->addFile("$cli->files/counts.tsv");
check($builder->build(1700000000)->toString() === file_get_contents("$cli->files/counts.bloom"), 'the same blob');
check($blob('counts.bloom')->get('tag5000') === 35000, 'the last value');
$cli->show('bloom info counts.bloom | grep -e scheme -e keys -e layout');
$result = $cli->run([...$build, '--format=json', 'counts.bloom', 'counts.tsv'])->json();
echo "$result[scheme] $result[valueBits] $result[lines] $result[keys] $result[capacity]\n";

// Standard input and compressed files need --capacity, and --jobs changes no bit.
$cli->show([...$build, 'x.bloom', 'counts.tsv.gz']);
foreach (['--capacity=5k --seed=7 --value-bits=20 --jobs=3 {out} compress.zlib://counts.tsv.gz', '--like=counts.bloom {out} - < counts.tsv'] as $line) {
    $result = $cli->shell('bloom build --map --quiet --built-at=1700000000 ' . strtr($line, ['{out}' => 'same.bloom']));
    check($result->code === 0 && file_get_contents("$cli->files/same.bloom") === file_get_contents("$cli->files/counts.bloom"), "$line: $result->errors");
}

// A rate of 1 stores no check bits. Options of the layout apply.
$cli->run([...$build, '--rate=100%', 'all.bloom', 'counts.tsv']);
check(filesize("$cli->files/all.bloom") < filesize("$cli->files/counts.bloom") && $blob('all.bloom')->get('tag9') === 63, 'no check bits');
$cli->run([...$build, '--shard-bytes=8K', '--chunk-bytes=16K', 'small.bloom', 'counts.tsv']);
$info = $blob('small.bloom')->info();
echo "$info->shardBytes $info->chunkBytes\n";

// A key may contain tabs, and lines may end with CR LF. With 64 bits, values have a sign.
$cli->write('odd.tsv', "a\tb\t007\r\n\t0\nmost\t9223372036854775807\nleast\t-9223372036854775808");
$cli->run(['build', '--map', '--value-bits=64', 'odd.bloom', 'odd.tsv']);
$odd = $blob('odd.bloom');
var_dump([$odd->get("a\tb"), $odd->get(''), $odd->get('most'), $odd->get('least')] === [7, 0, PHP_INT_MAX, PHP_INT_MIN]);
$cli->show([...$build, 'empty.bloom', '/dev/null', '--capacity=10']);
$cli->show([...$build, '--quiet', '--allow-empty', 'empty.bloom', '/dev/null', '--capacity=10']);

// The fold and the digests apply to the keys.
$cli->write('users.tsv', "José\t1\nStraße\t2\n");
$cli->show(['build', '--map', '--value-bits=2', '--fold=mysql', 'users.bloom', 'users.tsv', '--rate=1e-9']);
check([$blob('users.bloom')->get('jose'), $blob('users.bloom')->get('José')] === [1, null], 'folded');
$cli->write('digests.tsv', "18009318874338624809\t3\n-5\t2\n");
$cli->run(['build', '--map', '--value-bits=2', '--digests', 'digests.bloom', 'digests.tsv']);
check($blob('digests.bloom')->get('ClickHouse') === 3, 'digests');
?>
--EXPECT--
$ bloom build --map --value-bits=20 --seed=7 --built-at=1700000000 counts.bloom counts.tsv
counts.bloom: a map of 20-bit values, 5,000 keys, 28 KiB, 0.336 % false positives, 5,000 lines added
exit 0
$ bloom info counts.bloom | grep -e scheme -e keys -e layout
scheme           map, with values of 20 bits: 0 to 1,048,575
keys             5,000 distinct keys, capacity 5,000
layout           6 shards of 4 KiB, each with 18 ribbon stripes of 20 + 8 or 9 bits per key
exit 0
map 20 5000 5000 5000
$ bloom build --map --value-bits=20 --seed=7 --built-at=1700000000 x.bloom counts.tsv.gz
bloom: counts.tsv.gz: is compressed (gzip), so its lines are not keys: use gzip -dc counts.tsv.gz | bloom build --capacity N --map --value-bits N OUTPUT (--force reads it as it is)
exit 65
8192 16384
bool(true)
$ bloom build --map --value-bits=20 --seed=7 --built-at=1700000000 empty.bloom /dev/null --capacity=10
bloom: no keys (use --allow-empty to build an empty filter)
exit 66
$ bloom build --map --value-bits=20 --seed=7 --built-at=1700000000 --quiet --allow-empty empty.bloom /dev/null --capacity=10
exit 0
$ bloom build --map --value-bits=2 --fold=mysql users.bloom users.tsv --rate=1e-9
users.bloom: a map of 2-bit values, 2 keys, 12 KiB, 9.65e-8 % false positives, 2 lines added
exit 0
