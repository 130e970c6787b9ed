--TEST--
A blob is loaded, shown, listed, reloaded and dropped
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--INI--
bloom.path={TMP}/bloom-load_list_drop
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
foreach (['a', 'b'] as $source) {
    $builder = new Bloom\Builder(1000, seed: 1, source: $source);
    $builder->addMany(range(1, 1000));
    $builder->build(builtAt: 1_700_000_000)->save("$cli->files/$source.bloom");
}
$cli->show(['list']);
check($cli->run(['list'])->output === '', 'an empty list is empty');
mkdir("$cli->segment/no name@1", 0700, true);
check($cli->run(['list'])->code === 0, 'a directory that is no filter is ignored');
rmdir("$cli->segment/no name@1");
$cli->show(['list', '--quiet']);
$cli->show(['list', '--format=json']);
$cli->show(['load', 'tags', 'a.bloom']);
$cli->show('bloom load tags - < b.bloom');
$json = $cli->run(['load', 'other-tags', 'a.bloom', '--format=json'])->json();
echo $json['name'], ' ', $json['generation'], ' ', $json['source'], ' ', $json['keys'], "\n";

$cli->show(['list']);
$list = $cli->run(['list', '--format=json'])->json();
check(array_is_list($list), 'a list');
echo implode(' ', array_column($list, 'name')), "\n";
$info = $cli->run(['info', '-f', 'tags', '--format=json'])->json();
check(array_keys($info) === array_keys($list[1]) && $info['source'] === 'b', 'the same fields');
check(array_keys($info) === array_keys(fields(Bloom\Filter::load('x', Bloom\Blob::open("$cli->files/a.bloom"))->info())), 'of Filter::info()');
$cli->show(['info', '--filter', 'tags']);

$cli->show(['drop', 'tags', 'none', 'tags']);
$cli->show(['drop', 'other-tags', '--format=json']);
$cli->show(['drop', 'other-tags', '--format=json']);
$cli->show(['drop']);
$cli->show(['list', '--format=json']);
$cli->show(['info', '--filter=tags']);
$cli->show(['drop', '../tags']);
$cli->show(['load', '.tags', 'a.bloom']);
$cli->show(['load', 'tags', 'missing']);
$cli->show(['load', 'tags']);

// The record of a failed sync is not listed as a filter, but drop deletes it.
mkdir("$cli->files/store");
$cli->write('store/tags', 'damaged');
$cli->show(['sync', 'tags', 'store']);
echo preg_replace('/@\d+/', '', implode(' ', array_diff(scandir($cli->segment), ['.', '..', '.bloom']))), "\n";
$cli->show(['list']);
$cli->show(['drop', 'tags']);
echo preg_replace('/@\d+/', '', implode(' ', array_diff(scandir($cli->segment), ['.', '..', '.bloom']))), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
$ bloom list
no filters in {dir}/segment
exit 0
$ bloom list --quiet
exit 0
$ bloom list --format=json
[]
exit 0
$ bloom load tags a.bloom
tags: loaded generation 1, about 1,000 keys, 6 KiB, %s % false positives, in {dir}/segment
exit 0
$ bloom load tags - < b.bloom
tags: loaded generation 2, about 1,000 keys, 6 KiB, %s % false positives, in {dir}/segment
exit 0
other-tags 1 a 998
$ bloom list
NAME        KIND    GENERATION   KEYS   SIZE    FILL  FALSE POSITIVES  BUILT                    AGE
other-tags  loaded           1  1,000  6 KiB  16.7 %          0.508 %  %s UTC  %s
tags        loaded           2  1,000  6 KiB  16.7 %          0.508 %  %s UTC  %s
exit 0
other-tags tags
$ bloom info --filter tags
name             tags (loaded)
generation       2, loaded %s UTC, 2 loads in all
segment          {dir}/segment, 28 KiB
syncs            0 done, 0 failed
verified         %s UTC, 0 % of the next pass
source           b
built            2023-11-14 22:13:20 UTC
keys             about 1,000 distinct keys (998 were definitely new when they were added), capacity 1,000
false positives  %s % measured, %s % predicted, %s % requested
fill             %s % of the bits are set
size             6 KiB (6,144 bytes), 49.25 bits per key
layout           2 shards of 1 KiB, blocks of 64 bytes, 3 probes
chunks           1 of 64 KiB
seed             1
format           version 2, checksum %s
exit 0
$ bloom drop tags none tags
tags: dropped
none: no filter of that name was loaded
exit 1
$ bloom drop other-tags --format=json
{"dropped":["other-tags"],"missing":[],"failed":[]}
exit 0
$ bloom drop other-tags --format=json
{"dropped":[],"missing":["other-tags"],"failed":[]}
exit 1
$ bloom drop
bloom: NAME is missing: write bloom drop NAME...
exit 64
$ bloom list --format=json
[]
exit 0
$ bloom info --filter=tags
bloom: {dir}/segment/tags: no such filter is loaded (bloom list shows those that are)
exit 66
$ bloom drop ../tags
bloom: NAME: "../tags" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom drop NAME...
exit 64
$ bloom load .tags a.bloom
bloom: NAME: ".tags" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom load NAME BLOB
exit 64
$ bloom load tags missing
bloom: missing: no such file
exit 66
$ bloom load tags
bloom: BLOB is missing: write bloom load NAME BLOB
exit 64
$ bloom sync tags store
bloom: tags in the store: 7 bytes: too short to be a blob
exit 65
tags
$ bloom list
no filters in {dir}/segment
exit 0
$ bloom drop tags
tags: no filter of that name was loaded
exit 1
