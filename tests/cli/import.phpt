--TEST--
bloom import makes a blob from a file of another system, and writes nothing if it denies a key of --check
--DESCRIPTION--
fault: foreign-dump
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
foreach (glob(dirname(__DIR__) . '/vectors/foreign/*.bin') as $file) {
    copy($file, "$cli->files/" . basename($file));
}
$cli->write('keys', implode("\n", array_map(fn (int $i): string => "key:$i", range(0, 999))) . "\n");
mkdir("$cli->files/store");
$at = '--built-at=1700000000';

// Without --check, the command says what it has not verified.
$cli->show(['import', $at, 'redisbloom-dump-1000.bin', 'dump.bloom']);
$cli->show(['import', $at, '--from=guava', 'guava64-1000.bin', 'guava.bloom']);
$prob = ['--from=valkeyprob', '--capacity=1k', '--rate=1%'];
$cli->show(['import', $at, ...$prob, 'valkeyprob-1000.bin', 'prob.bloom']);
check(!file_exists("$cli->files/prob.bloom"), 'a size is not trusted');
$cli->show(['import', $at, ...$prob, '--force', 'valkeyprob-1000.bin', 'prob.bloom']);
$cli->show(['import', $at, '--from=rueidisprob', '--capacity=1k', '--rate=1%', '--check=keys', 'valkeyprob-1000.bin', 'rueidis.bloom']);
check(file_get_contents("$cli->files/prob.bloom") === file_get_contents("$cli->files/rueidis.bloom"), 'rueidisprob is the same format');
$cli->show(['import', $at, '--quiet', '--from=redisbloom', '--check=keys', '--source=tags', 'redisbloom-scandump-1000.bin', 'scandump.bloom']);
$cli->show("cat valkeybloom-dump-1000.bin | bloom import $at --check=keys - - > valkey.bloom");
$result = $cli->run(['import', $at, '--format=json', '--check=keys', '--from=guava', 'guava32-1000.bin', 'guava.bloom'])->json();
echo implode(' ', [$result['output'], $result['checked'], $result['format'], $result['layers'], $result['scheme']]), "\n";

// The other commands know such a blob.
$cli->show(['info', 'scandump.bloom']);
$cli->show(['info', 'guava.bloom']);
$cli->run(['build', '--scheme=redisbloom', 'built.bloom', 'keys']);
check(str_contains($cli->run(['info', 'built.bloom'])->output, "filter           in the format of RedisBloom, 1 layer, hashed with MurmurHash64A\n"), 'a blob that was built');
$cli->show(['check', 'valkey.bloom', 'keys']);
$cli->show(['check', 'valkey.bloom']);
$cli->show("printf 'key:1\\nabsent:1\\n' | bloom check --print=each guava.bloom -");
$cli->show(['publish', 'tags', 'dump.bloom', './store']);
$cli->show(['sync', '--quiet', 'tags', './store']);
$cli->show(['diff', 'tags', './store']);
$cli->show(['check', 'tags', '--served', 'keys']);
$cli->show(['load', '--quiet', 'tags', 'guava.bloom']);
check(str_contains($cli->run(['info', 'tags'])->output, "filter           in the format of Guava, 1 layer, hashed with MurmurHash3 x64_128\n"), 'info NAME');
check(str_contains($cli->run(['metrics'])->output, 'scheme="foreign",digest="MurmurHash3 x64_128"'), 'metrics');
check($cli->run(['list'])->code === 0 && $cli->run(['list', './store'])->code === 0 && $cli->run(['health', 'tags'])->code === 0, 'list and health');

// What it cannot do.
$cli->show(['build', '--like', 'dump.bloom', 'like.bloom', 'keys']);
$cli->show(['check', '--digests', 'dump.bloom', 'keys']);
$cli->show(['sync', '--on-demand=1M', 'large', './store']);
$cli->run(['publish', 'large', 'dump.bloom', './store']);
$cli->show(['sync', '--on-demand=1M', 'large', './store']);
$cli->show(['nightly', '--settle=0', 'large', './store', 'keys']);
check($cli->run(['nightly', '--fresh', '--settle=0', 'large', './store', 'keys'])->code === 0, 'a native build replaces it');
check($cli->run(['mark', 'tags', './store'])->code === 0 && $cli->run(['add', 'tags', './store', 'new'])->code === 0, 'a journal');
$cli->run(['import', '--quiet', '--built-at=1700000001', 'redisbloom-dump-1000.bin', 'next.bloom']);
$cli->show(['publish', 'tags', 'next.bloom', './store']);

// A denied key: nothing is written.
$cli->write('more', "key:1\r\nkey:2\r\n\xff\nnot added\nkey:3\n");
$cli->show(['import', '--check=more', 'redisbloom-dump-1000.bin', 'x.bloom']);
$cli->show(['import', '--check=more', '--from=guava', 'guava64-1000.bin', 'x.bloom']);
$cli->show(['import', '--check=keys', '--from=valkeyprob', '--capacity=1001', '--rate=0.01', 'valkeyprob-1000.bin', 'x.bloom']);
$cli->show(['import', '--check=more', ...$prob, 'valkeyprob-1000.bin', 'x.bloom']);
$cli->write('long', str_repeat("\xff", 1000) . "\n");
$cli->show(['import', '--check=long', 'redisbloom-dump-1000.bin', 'x.bloom']);
$cli->write('long', str_repeat('ねこ', 500) . "\n");
$cli->show(['import', '--check=long', '--from=guava', 'guava64-1000.bin', 'x.bloom']);
$cli->write('empty', '');
$cli->show(['import', '--check=empty', 'redisbloom-dump-1000.bin', 'x.bloom']);

// redis-cli appends a line feed, which is named but not removed.
foreach (['redisbloom-dump-1000.bin', 'redisbloom-scandump-1000.bin', 'valkeyprob-1000.bin'] as $file) {
    $cli->write("lf-$file", file_get_contents("$cli->files/$file") . "\n");
}
$cli->show(['import', 'lf-redisbloom-dump-1000.bin', 'x.bloom']);
$cli->show(['import', '--from=redisbloom', 'lf-redisbloom-scandump-1000.bin', 'x.bloom']);
$cli->show(['import', ...$prob, '--check=keys', 'lf-valkeyprob-1000.bin', 'x.bloom']);
$cli->show("bloom import - x.bloom < lf-redisbloom-dump-1000.bin");
$cli->write('two', file_get_contents("$cli->files/lf-valkeyprob-1000.bin") . "\n");
$cli->show(['import', ...$prob, '--check=keys', 'two', 'x.bloom']);

// Inputs that are no filter, and options that do not fit.
foreach ([
    ['keys', 'x.bloom'], ['missing', 'x.bloom'], ['dump.bloom', 'x.bloom'], ['redisbloom-dump-0.bin', 'x.bloom'],
    ['redisbloom-dump-1000.bin', 'keys'], ['--from=valkeyprob', 'valkeyprob-1000.bin', 'x.bloom'],
    ['--from=valkeyprob', '--capacity=1000', 'valkeyprob-1000.bin', 'x.bloom'],
    ['--from=valkeyprob', '--capacity=1000', '--rate=1', '--force', 'valkeyprob-1000.bin', 'x.bloom'],
    ['--capacity=1000', 'redisbloom-dump-1000.bin', 'x.bloom'], ['--from=guava', '--rate=1%', 'guava64-1000.bin', 'x.bloom'],
    ['--force', 'redisbloom-dump-1000.bin', 'x.bloom'], [...$prob, '--force', '--check=keys', 'valkeyprob-1000.bin', 'x.bloom'],
    ['--from=spark', 'guava64-1000.bin', 'x.bloom'], ['--source=fold=mysql', 'redisbloom-dump-1000.bin', 'x.bloom'],
    ['--format=json', 'redisbloom-dump-1000.bin', '-'], ['redis://127.0.0.1', 'x.bloom'], ['--key=tags', 'keys', 'x.bloom'],
    ['--key=tags', 'memcached://127.0.0.1', 'x.bloom'], ['--scandump', 'redisbloom-dump-1000.bin', 'x.bloom'],
    ['--scandump', '--key=tags', 'redis://127.0.0.1', 'x.bloom'], ['--check=-', '-', 'x.bloom'], ['--check=missing', 'redisbloom-dump-1000.bin', 'x.bloom'],
    ['--sign=../x', 'redisbloom-dump-1000.bin', 'x.bloom'],
] as $arguments) {
    $cli->show(['import', ...$arguments]);
}
check(!file_exists("$cli->files/x.bloom"), 'nothing was written');
?>
--EXPECT--
$ bloom import --built-at=1700000000 redisbloom-dump-1000.bin dump.bloom
dump.bloom: a redisbloom filter, 992 keys, 9 KiB, 0.774 % false positives
bloom: warning: it is not verified that your application writes keys in the same way; use --check with a file of keys that were added
exit 0
$ bloom import --built-at=1700000000 --from=guava guava64-1000.bin guava.bloom
guava.bloom: a guava filter, 996 keys, 6 KiB, 0.976 % false positives
bloom: warning: it is not verified how the writer turns keys into bytes: unless it writes them as UTF-8, the blob denies keys that are in the filter; use --check with a file of keys that were added
exit 0
$ bloom import --built-at=1700000000 --from=valkeyprob --capacity=1k --rate=1% valkeyprob-1000.bin prob.bloom
bloom: --check is required for --from=valkeyprob, because a wrong --capacity or --rate denies nearly all keys that are in the filter: give a file of keys that were added, or --force to write the blob unverified
exit 64
$ bloom import --built-at=1700000000 --from=valkeyprob --capacity=1k --rate=1% --force valkeyprob-1000.bin prob.bloom
prob.bloom: a valkeyprob filter, 997 keys, 6 KiB, 0.987 % false positives
bloom: warning: --capacity and --rate are not verified: if the writer used other ones, the blob denies keys that are in the filter; use --check with a file of keys that were added
exit 0
$ bloom import --built-at=1700000000 --from=rueidisprob --capacity=1k --rate=1% --check=keys valkeyprob-1000.bin rueidis.bloom
rueidis.bloom: a valkeyprob filter, 997 keys, 6 KiB, 0.987 % false positives, 1,000 keys of --check found
exit 0
$ bloom import --built-at=1700000000 --quiet --from=redisbloom --check=keys --source=tags redisbloom-scandump-1000.bin scandump.bloom
exit 0
$ cat valkeybloom-dump-1000.bin | bloom import --built-at=1700000000 --check=keys - - > valkey.bloom
exit 0
guava.bloom 1000 guava 1 foreign
$ bloom info scandump.bloom
source           tags
filter           in the format of RedisBloom, 4 layers, hashed with MurmurHash64A
built            2023-11-14 22:13:20 UTC
keys             992 distinct keys, capacity 1,500
false positives  0.774 % measured, 1.00 % requested
fill             35.0 % of the bits are set
size             9 KiB (9,216 bytes), 74.32 bits per key
layout           5 shards of 1 KiB, up to 11 probes per layer
chunks           1 of 64 KiB
format           version 2, checksum b9b123c83bf03db2
exit 0
$ bloom info guava.bloom
filter           in the format of Guava, 1 layer, hashed with MurmurHash3 x64_128
built            2023-11-14 22:13:20 UTC
keys             1,003 distinct keys, capacity 950 (estimated)
false positives  1.01 % measured, 0.781 % at its capacity (estimated)
fill             51.9 % of the bits are set
size             6 KiB (6,144 bytes), 49.00 bits per key
layout           2 shards of 1 KiB, up to 7 probes per layer
chunks           1 of 64 KiB
format           version 2, checksum 8661da4cf2a28eab
exit 0
$ bloom check valkey.bloom keys
valkey.bloom: valid, a valkey-bloom filter, 991 keys, 9 KiB, 1.89 % false positives
1,000 of 1,000 keys might be contained, 0 are definitely absent
exit 0
$ bloom check valkey.bloom
valkey.bloom: valid, a valkey-bloom filter, 991 keys, 9 KiB, 1.89 % false positives
exit 0
$ printf 'key:1\nabsent:1\n' | bloom check --print=each guava.bloom -
maybe	key:1
absent	absent:1
exit 1
$ bloom publish tags dump.bloom ./store
tags: published, 1 of 1 chunk written, 9 KiB
exit 0
$ bloom sync --quiet tags ./store
exit 0
$ bloom diff tags ./store
tags: this host serves the store's version, 934c7dea37ac7133, built 2023-11-14 22:13:20 UTC (current)
exit 0
$ bloom check tags --served keys
tags: generation 1, a redisbloom filter, 992 keys, 9 KiB, 0.774 % false positives
1,000 of 1,000 keys might be contained, 0 are missing
exit 0
$ bloom load --quiet tags guava.bloom
exit 0
$ bloom build --like dump.bloom like.bloom keys
bloom: --like: dump.bloom is a redisbloom filter, which has no layout to copy: build a new filter with --capacity and --rate, and --scheme if it is for RedisBloom or valkeyprob
exit 64
$ bloom check --digests dump.bloom keys
bloom: --digests: dump.bloom has another seed than 0, is keyed or was imported, so its digests differ: give the keys themselves
exit 64
$ bloom sync --on-demand=1M large ./store
bloom: large: missing from the store (bloom list STORE shows the filters that it has)
exit 75
$ bloom sync --on-demand=1M large ./store
bloom: large: an imported filter cannot be extended, merged or held on demand
exit 73
$ bloom nightly --settle=0 large ./store keys
bloom: large: the published version was imported from another system, so the next one needs a new seed and layout: build it with isFresh, which is bloom nightly --fresh
exit 73
$ bloom publish tags next.bloom ./store
bloom: tags: the filter has a journal, but the blob has no mark, so no host would find the keys that are added (before you read the keys, take (new Journal($name, $store))->mark() and pass it to build(), or the output of bloom mark to bloom build --mark; to end the journal, publish with endJournal or --end-journal)
exit 73
$ bloom import --check=more redisbloom-dump-1000.bin x.bloom
bloom: more, line 3: the key "\xFF" is denied (2 of 5 keys are), so nothing was written: the keys were probably not added, were added after the input was read, or are written differently, such as in another encoding
exit 65
$ bloom import --check=more --from=guava guava64-1000.bin x.bloom
bloom: more, line 3: the key "\xFF" is denied (2 of 5 keys are), so nothing was written: the keys were probably not added, were added after the input was read, or are written differently, such as in another encoding
exit 65
$ bloom import --check=keys --from=valkeyprob --capacity=1001 --rate=0.01 valkeyprob-1000.bin x.bloom
bloom: keys, line 1: the key "key:0" is denied (992 of 1,000 keys are), so nothing was written: --capacity or --rate is probably not the one with which the writer made the filter
exit 65
$ bloom import --check=more --from=valkeyprob --capacity=1k --rate=1% valkeyprob-1000.bin x.bloom
bloom: more, line 3: the key "\xFF" is denied (2 of 5 keys are), so nothing was written: the keys were probably not added, were added after the input was read, or are written differently, such as in another encoding
exit 65
$ bloom import --check=long redisbloom-dump-1000.bin x.bloom
bloom: long, line 1: the key "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"... (1,000 bytes) is denied (1 of 1 key is), so nothing was written: the keys were probably not added, were added after the input was read, or are written differently, such as in another encoding
exit 65
$ bloom import --check=long --from=guava guava64-1000.bin x.bloom
bloom: long, line 1: the key "ねこねこねこねこねこねこねこねこねこねこねこねこねこねこねこねこねこねこねこねこ"... (3,000 bytes) is denied (1 of 1 key is), so nothing was written: the funnel of the writer probably turns keys into other bytes, such as putLong() or putUnencodedChars() instead of putString() with UTF-8
exit 65
$ bloom import --check=empty redisbloom-dump-1000.bin x.bloom
bloom: --check: the file has no keys, so nothing was checked
exit 66
$ bloom import lf-redisbloom-dump-1000.bin x.bloom
bloom: lf-redisbloom-dump-1000.bin: the input ends with a line feed that redis-cli added: use redis-cli -D ''
exit 65
$ bloom import --from=redisbloom lf-redisbloom-scandump-1000.bin x.bloom
bloom: lf-redisbloom-scandump-1000.bin: the input ends with a line feed that redis-cli added: use redis-cli -D ''
exit 65
$ bloom import --from=valkeyprob --capacity=1k --rate=1% --check=keys lf-valkeyprob-1000.bin x.bloom
bloom: lf-valkeyprob-1000.bin: the input ends with a line feed that redis-cli added: use redis-cli -D ''
exit 65
$ bloom import - x.bloom < lf-redisbloom-dump-1000.bin
bloom: standard input: the input ends with a line feed that redis-cli added: use redis-cli -D ''
exit 65
$ bloom import --from=valkeyprob --capacity=1k --rate=1% --check=keys two x.bloom
bloom: two: string of 1201 bytes, but capacity 1000 and rate 0.01 make a filter of 9586 bits: 1196 to 1199 bytes: the length does not fit the capacity and the rate: both must be those with which the filter was created
exit 65
$ bloom import keys x.bloom
bloom: keys: 7890 bytes: the bytes do not show which system wrote them, so you must name the format with --from=redisbloom, valkey-bloom, valkeyprob or guava
exit 65
$ bloom import missing x.bloom
bloom: missing: no such file
exit 66
$ bloom import dump.bloom x.bloom
bloom: INPUT: dump.bloom is a blob of bloom already, so it needs no import
exit 64
$ bloom import redisbloom-dump-0.bin x.bloom
bloom: redisbloom-dump-0.bin: a filter without keys: no bit is set, so the filter would deny every key; the server's key may be missing or reset
exit 65
$ bloom import redisbloom-dump-1000.bin keys
bloom: OUTPUT keys: exists and is not a blob, so it is not replaced: choose another name, or delete the file
exit 64
$ bloom import --from=valkeyprob valkeyprob-1000.bin x.bloom
bloom: --capacity is required for --from=valkeyprob, because the string does not contain it: look up the arguments of NewBloomFilter() in the program that writes it
exit 64
$ bloom import --from=valkeyprob --capacity=1000 valkeyprob-1000.bin x.bloom
bloom: --rate is required for --from=valkeyprob, because the string does not contain it: look up the arguments of NewBloomFilter() in the program that writes it
exit 64
$ bloom import --from=valkeyprob --capacity=1000 --rate=1 --force valkeyprob-1000.bin x.bloom
bloom: --rate must be above 0 and below 1, not "1"
exit 64
$ bloom import --capacity=1000 redisbloom-dump-1000.bin x.bloom
bloom: --capacity is only for --from=valkeyprob: name the system that wrote the filter
exit 64
$ bloom import --from=guava --rate=1% guava64-1000.bin x.bloom
bloom: --rate is only for --from=valkeyprob: filters of other systems contain their size
exit 64
$ bloom import --force redisbloom-dump-1000.bin x.bloom
bloom: --force is only for --from=valkeyprob without --check
exit 64
$ bloom import --from=valkeyprob --capacity=1k --rate=1% --force --check=keys valkeyprob-1000.bin x.bloom
bloom: --force is only for --from=valkeyprob without --check
exit 64
$ bloom import --from=spark guava64-1000.bin x.bloom
bloom: --from: "spark" is not one of valkeyprob, redisbloom, valkey-bloom, guava, rueidisprob
exit 64
$ bloom import --source=fold=mysql redisbloom-dump-1000.bin x.bloom
bloom: --source: "fold=" would make lookups fold their keys, but the keys of an imported filter are as its writer hashed them
exit 64
$ bloom import --format=json redisbloom-dump-1000.bin -
bloom: standard output cannot contain both the blob and the output of --format=json
exit 64
$ bloom import redis://127.0.0.1 x.bloom
bloom: --key is missing: INPUT redis://127.0.0.1 is a server, so give the key of the filter
exit 64
$ bloom import --key=tags keys x.bloom
bloom: --key: INPUT keys is not the URL of a Redis or Valkey server, such as redis://cache.example:6379
exit 64
$ bloom import --key=tags memcached://127.0.0.1 x.bloom
bloom: --key: INPUT memcached://127.0.0.1 is not the URL of a Redis or Valkey server, such as redis://cache.example:6379
exit 64
$ bloom import --scandump redisbloom-dump-1000.bin x.bloom
bloom: --scandump needs --key, the key of the filter on the server
exit 64
$ bloom import --scandump --key=tags redis://127.0.0.1 x.bloom
bloom: --scandump is only for --from=redisbloom, because only RedisBloom has the command BF.SCANDUMP
exit 64
$ bloom import --check=- - x.bloom
bloom: --check: standard input (-) can be read only once
exit 64
$ bloom import --check=missing redisbloom-dump-1000.bin x.bloom
bloom: missing: no such file
exit 66
$ bloom import --sign=../x redisbloom-dump-1000.bin x.bloom
bloom: --sign: "../x" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
exit 64
