--TEST--
Each option of build affects the blob, and an invalid value is a usage error
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
$cli->writeKeys('keys', 1, 100);

$info = $cli->run(['build', '--format=json', '--capacity=1_000', '--rate=0.001', '--seed=-5',
    '--shard-bytes=2K', '--block-bytes=128', '--probes=7', '--chunk-bytes=16KiB', '--source=some keys',
    'blob', 'keys'])->json();
foreach (['capacity', 'falsePositiveRate', 'seed', 'shardBytes', 'blockBytes', 'probes', 'chunkBytes', 'source'] as $field) {
    echo "$field ", json_encode($info[$field]), "\n";
}
$info = $cli->run(['build', '--format=json', '--bits-per-key=20', '--capacity=100000', '--seed=0xFFFFFFFFFFFFFFFE',
    '--max-rate=1e-3', 'blob', 'keys'])->json();
echo $info['seed'], ' ', ceil($info['shards'] * $info['shardBytes'] * 8 / 100000), "\n";
foreach ([['100k', '1%'], ['1.5M', '0.1 %'], ['2G', '1e-3%']] as [$keys, $rate]) {
    $info = $cli->run(['plan', '--format=json', "--keys=$keys", "--rate=$rate"])->json();
    echo "$keys $info[capacity] $info[falsePositiveRate]\n";
}
$cli->writeKeys('many', 1, 30_000);
$same = [];
foreach (['1', '3'] as $jobs) {
    $cli->run(['build', '--seed=1', "--jobs=$jobs", "$jobs.bloom", 'many']);
    $same[] = $cli->run(['info', '--format=json', "$jobs.bloom"])->json();
    unlink("$cli->files/$jobs.bloom");
}
unlink("$cli->files/many");
check($same[0]['keys'] > 29_000 && $same[0]['keys'] === $same[1]['keys'] && $same[0]['setBits'] === $same[1]['setBits'], '--jobs');
unlink("$cli->files/blob");

foreach ([
    ['capacity', '0'], ['capacity', 'many'], ['capacity', '1.5'], ['capacity', '99999999999999999999'],
    ['rate', '0.7'], ['rate', 'low'], ['rate', ''], ['max-rate', '2'], ['seed', '0xfffffffffffffffff'],
    ['shard-bytes', '3000'], ['shard-bytes', '9999999999G'], ['block-bytes', '4'], ['probes', '33'],
    ['probes', '0'], ['bits-per-key', '0.5'], ['chunk-bytes', '1000'], ['source', str_repeat('x', 129)],
    ['jobs', '0'], ['built-at', 'may'], ['built-at', '2026-13-01'], ['format', 'xml'], ['nonsense', '1'],
] as [$option, $value]) {
    $result = $cli->run(['build', '--capacity=100', "--$option=$value", 'blob', 'keys']);
    echo $result->output, $result->code, ' ', $result->errors;
}
// A date without a zone is in the user's.
foreach ([['Asia/Tokyo', '2026-07-01 12:00'], [':Asia/Tokyo', '2026-07-01 12:00:00.5'], ['/usr/share/zoneinfo/Europe/Berlin', '2026-07-01'],
    ['Asia/Tokyo', '2026-07-01T12:00Z'], ['Asia/Tokyo', '2026-07-01 12:00 +0200'], ['', '2026-07-01 12:00'], ['JST-9', '2026-07-01 12:00'],
    ['JST-9', '2026-07-01 12:00 UTC'], ['JST-9', '1782874800']] as [$zone, $time]) {
    $result = $cli->shell("TZ=$zone bloom build --format=json --capacity=100 --built-at='$time' blob keys");
    echo "$zone, $time: ", $result->code === 0 ? $result->json()['builtAt'] : $result->errors, "\n";
}
$result = $cli->shell("unset TZ; bloom build --format=json --capacity=100 --built-at='2026-07-01 12:00' blob keys");
check($result->json()['builtAt'] == trim(shell_exec("unset TZ; date -d '2026-07-01 12:00' +%s")), "without TZ: $result->output$result->errors");
unlink("$cli->files/blob");
$cli->show(['build']);
$cli->show(['build', '-', '--format=json'], "key\n");
$cli->show(['build', 'blob'], "key\n");
$cli->show(['build', 'blob', '-', 'keys', '-', '--capacity=1'], "key\n");
$cli->show(['build', '--like=-', 'blob'], "key\n");
$cli->show(['build', '--bits-per-key=8', '--rate=0.0001', 'blob', 'keys']);
echo $cli->names(), "\n";
?>
--EXPECT--
capacity 1000
falsePositiveRate 0.001
seed "-5"
shardBytes 2048
blockBytes 128
probes 7
chunkBytes 16384
source "some keys"
-2 21
100k 100000 0.01
1.5M 1500000 0.001
2G 2000000000 1.0E-5
64 bloom: --capacity must be between 1 and 1,000,000,000,000 keys, not "0"
64 bloom: --capacity: "many" is not a number of keys such as 80000, 80k or 50M
64 bloom: --capacity: "1.5" is not a number of keys such as 80000, 80k or 50M
64 bloom: --capacity: 99999999999999999999 is too large
64 bloom: --rate: "0.7" is more than 0.5; for 0.7 percent write 0.7% or 0.007
64 bloom: --rate: "low" is not a rate such as 0.01 or 1%
64 bloom: --rate is empty: give a value, or leave the option out (is a shell variable not set?)
64 bloom: --max-rate: "2" is more than 1; for 2 percent write 2% or 0.02
64 bloom: --seed: 0xfffffffffffffffff is too large
64 bloom: --shard-bytes must be a power of two from 1024 to 65536, not "3000"
64 bloom: --shard-bytes: 9999999999G is too large
64 bloom: --block-bytes must be a power of two from 8 to the shard bytes, not "4"
64 bloom: --probes must be between 1 and 32, not "33"
64 bloom: --probes must be between 1 and 32, not "0"
64 bloom: --bits-per-key must be between 1 and 1024, not "0.5"
64 bloom: --chunk-bytes must be a multiple of the shard bytes, up to 1 GiB, not "1000"
64 bloom: --source must be at most 128 bytes
64 bloom: --jobs must be between 1 and 64, not "0"
64 bloom: --built-at: "may" is neither a Unix time nor a date such as 2026-11-22T02:00:00Z
64 bloom: --built-at: "2026-13-01" is neither a Unix time nor a date such as 2026-11-22T02:00:00Z
64 bloom: --format: "xml" is not one of text, json
64 bloom: build has no option --nonsense: bloom build --help lists the options
Asia/Tokyo, 2026-07-01 12:00: 1782874800
:Asia/Tokyo, 2026-07-01 12:00:00.5: 1782874800.5
/usr/share/zoneinfo/Europe/Berlin, 2026-07-01: 1782856800
Asia/Tokyo, 2026-07-01T12:00Z: 1782907200
Asia/Tokyo, 2026-07-01 12:00 +0200: 1782900000
, 2026-07-01 12:00: 1782907200
JST-9, 2026-07-01 12:00: bloom: --built-at: "2026-07-01 12:00" has no time zone, and PHP does not know the local one: append Z for UTC or an offset such as +01:00, or set TZ to a name such as Europe/Berlin

JST-9, 2026-07-01 12:00 UTC: 1782907200
JST-9, 1782874800: 1782874800
$ bloom build
bloom: OUTPUT is missing: write bloom build OUTPUT [KEYS...]
exit 64
$ bloom build - --format=json
bloom: standard output cannot contain both the blob and the output of --format=json
exit 64
$ bloom build blob
bloom: --capacity is required, such as 80000, 80k or 50M, unless all keys are in regular files, whose lines can be counted in advance
exit 64
$ bloom build blob - keys - --capacity=1
bloom: standard input (-) can be read only once
exit 64
$ bloom build --like=- blob
bloom: standard input (-) can be read only once
exit 64
$ bloom build --bits-per-key=8 --rate=0.0001 blob keys
bloom: give either --rate or --bits-per-key: each of them determines the size
exit 64
keys
