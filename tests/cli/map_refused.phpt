--TEST--
build --map refuses options of filters, values that do not fit and a key with several values, and names the line
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
$cli->write('keys', "a\nb\n");
$cli->write('counts', "a\t1\nb\t2\n");
$cli->write('later', "c\t3\na\t4\n");
$cli->run(['build', 'filter.bloom', 'keys', '--seed=1']);
$cli->run(['build', '--map', '--value-bits=3', '--seed=1', 'map.bloom', 'counts']);
$show = static function (string|array $command, string $input = '') use ($cli): void {
    $result = is_array($command) ? $cli->run(['build', ...$command], $input) : $cli->shell($command, $input);
    echo "$result->code $result->errors";
};

foreach (['--scheme=ribbon', '--bits-per-key=8', '--block-bytes=64', '--probes=3', '--max-rate=0.1', '--mark=x', '--field=1', '--delimiter=:'] as $option) {
    $show(['--map', '--value-bits=3', $option, 'x.bloom', 'counts']);
}
foreach ([['--map'], ['--value-bits=3'], ['--on-duplicate=last'], ['--map', '--value-bits=65'], ['--map', '--value-bits=3', '--rate=0.6'],
    ['--map', '--value-bits=3', '--on-duplicate=first'], ['--map', '--like=filter.bloom'], ['--like=map.bloom'],
    ['--map', '--value-bits=3', '--shard-bytes=3K'], ['--map', '--value-bits=3', '--digests', '--seed=3']] as $options) {
    $show([...$options, 'x.bloom', 'counts']);
}

$one = ['--map', '--value-bits=1', '--capacity=9', 'x.bloom', 'counts'];
$show($one);
$show([...$one, '--fold=mysql']);
foreach (["a\t1\nb", "a\t", "a 1", "a\t-1", "a\t1.0", "a\t1 ", "a\t18446744073709551616"] as $bytes) {
    foreach ([[], ['--digests']] as $also) {
        $result = $cli->run(['build', '--map', '--value-bits=3', '--capacity=9', ...$also, 'x.bloom', '-'], strtr($bytes, ['a' => '7', 'b' => '8']));
        $line = substr_count($bytes, "\n") + 1;
        check($result->code === 65 && preg_match("/standard input: line $line: (no value from 0 to 7: )?a line must be a key, a TAB and a value/", $result->errors) === 1, "$bytes: $result->errors");
    }
}

$both = ['--map', '--value-bits=3', '--seed=1', 'x.bloom', 'counts', 'later'];
$show($both);
$show([...$both, '--fold=mysql']);
$show('cat counts later | bloom build --map --value-bits=3 --seed=1 --capacity=9 x.bloom');
$show([...$both, '--on-duplicate=last']);
check(Bloom\Blob::open("$cli->files/x.bloom")->get('a') === 4, 'the last value');
// A line that is repeated with its value is no mistake, and the map is sized for the distinct keys.
$cli->show(['build', '--map', '--value-bits=3', '--seed=1', 'x.bloom', 'counts', 'counts']);

$cli->shell('seq 5000 | sed "s/$/\t1/" > many');
$show(['--map', '--like=map.bloom', 'x.bloom', 'many']);
?>
--EXPECT--
64 bloom: --scheme: a map has a scheme of its own, so leave it out with --map
64 bloom: --bits-per-key: the size of a map follows from --value-bits and --rate, so leave it out with --map
64 bloom: --block-bytes: a map has no blocks, so leave it out with --map
64 bloom: --probes: a map has no probes, so leave it out with --map
64 bloom: --max-rate: the rate of a map does not depend on the number of its keys, so leave it out with --map
64 bloom: --mark: a map follows no journal, because it is replaced as a whole, so leave it out with --map
64 bloom: --field: each line of a map is a key, a tab and a value, so leave it out with --map
64 bloom: --delimiter: each line of a map is a key, a tab and a value, so leave it out with --map
64 bloom: --value-bits is missing: --map needs the number of bits of the largest value, such as --value-bits=20 for values up to 1048575
64 bloom: --value-bits is an option of maps: add --map, whose lines are a key, a tab and a value
64 bloom: --on-duplicate is an option of maps: add --map, whose lines are a key, a tab and a value
64 bloom: --value-bits must be between 1 and 64, not "65"
64 bloom: --rate must be between 0.000000001 and 0.5, or 1 for a map without check bits, not "0.6"
64 bloom: --on-duplicate: "first" is not one of refuse, last
64 bloom: --like: filter.bloom is not a map: leave out --map, or give the --capacity and --value-bits of a new map
64 bloom: --like: map.bloom is a map: add --map, whose lines are a key, a tab and a value
64 bloom: --shard-bytes must be a power of two from 1024 to 65536, not "3K"
64 bloom: --digests: the digests of the keys have seed 0 and no secret, so leave out --seed and --keyed
65 bloom: counts: line 2: no value from 0 to 1: a line must be a key, a TAB and a value that fits into the value bits
65 bloom: counts: line 2: no value from 0 to 1: a line must be a key, a TAB and a value that fits into the value bits
65 bloom: later: line 2: the key "a" has the value 4, but in line 1 of counts the value 1 (--on-duplicate=last keeps the last value)
65 bloom: later: line 2: the key "a" has the value 4, but in line 1 of counts the value 1 (--on-duplicate=last keeps the last value)
65 bloom: 1 and 4, for the key with the digest d2f6d0996f37a720: a key was set to two values (pass onDuplicate: 'last', or --on-duplicate=last, to keep the last value)
0 bloom: warning: 4 lines have 3 distinct keys, so the capacity is 3 (use --capacity to choose a different one)
$ bloom build --map --value-bits=3 --seed=1 x.bloom counts counts
x.bloom: a map of 3-bit values, 2 keys, 5 KiB, 0.635 % false positives, 4 lines added
bloom: warning: 4 lines have 2 distinct keys, so the capacity is 2 (use --capacity to choose a different one)
exit 0
78 bloom: 5000 of 5000 keys do not fit: the map has no room for all keys (build it for a larger capacity or, if there are not more keys than that, with another seed)
