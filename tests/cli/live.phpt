--TEST--
Live filters are listed, shown, exported and dropped, and no blob can be loaded under their names
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
$cli->write('make.php', <<<'PHP'
<?php
use Bloom\{Builder, CountingFilter, DirectoryStore, Filter, LiveFilter, ReverseIndex, ReverseIndexBuilder, ScalableFilter, SlidingFilter};

$builder = new Builder(1000, seed: 1);
$builder->addMany(range(1, 1000));
$blob = $builder->build(builtAt: 1_700_000_000);
$blob->save('tags.bloom');
mkdir('store');
$blob->publish(new DirectoryStore('store'), 'live');
Filter::load('plain', $blob);
LiveFilter::create('live', 1000, seed: 1)->addMany(range(1, 2000));
CountingFilter::create('counting', 1000, seed: 1)->addMany(range(1, 500));
ScalableFilter::create('scalable', 1000, seed: 1)->addMany(range(1, 5000));
SlidingFilter::create('sliding', 1000, 0.01, 86400, seed: 1)->addMany(range(1, 500));
ReverseIndex::create('index', 1000, 100, seed: 1)->add(7, 'value');
$builder = new ReverseIndexBuilder(1000, 100, seed: 1);
$builder->add(7, 'value');
Filter::load('loaded-index', $builder->build());
PHP);
$cli->install('bloom-make', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/make.php", ['bloom']);
check($cli->shell('bloom-make list -q')->errors === '', 'made');

$cli->show(['list']);
$cli->show(['list', '--quiet']);
$list = $cli->run(['list', '--format=json']);
check($list->errors === '', 'no notes with JSON');
foreach ($list->json() as $info) {
    $same = $cli->run(['info', "--filter={$info['name']}", '--format=json'])->json();
    check(array_keys($same) === array_keys($info), "info of {$info['name']}");
    echo "{$info['name']}: {$info['kind']}, ", $info['warning'] === null ? 'fine' : 'over its rate', "\n";
}
foreach (['live', 'counting', 'scalable', 'sliding', 'index', 'plain', 'loaded-index'] as $name) {
    $cli->show(['info', '--filter', $name]);
}

echo "\n";
foreach (['live', 'counting', 'sliding', 'index'] as $name) {
    $cli->show(['export', $name, "$name.bloom", '--source', "of $name"]);
    $cli->show(['load', $name, 'tags.bloom']);
}
$cli->show(['check', 'sliding.bloom', '-'], "1\n500\n");
$cli->show(['load', 'from-index', 'index.bloom']);
echo $cli->run(['export', 'live', 'live.bloom', '--format=json'])->json()['output'], "\n";
$cli->show('bloom export live - | bloom info - | grep capacity');
$cli->show(['export', 'live', '-', '--format=json']);
$cli->show(['export', 'live', 'none/live.bloom']);
$cli->show(['export', 'live', 'live.bloom', '--source', str_repeat('x', 129)]);
foreach (['scalable', 'plain', 'none'] as $name) {
    $cli->show(['export', $name, 'no.bloom']);
}
$cli->show(['sync', 'live', 'store']);
$cli->show(['load', 'plain', 'tags.bloom']);
echo $cli->names(), "\n";

$cli->show(['drop', 'live', 'counting', 'scalable', 'sliding', 'index', 'plain', 'loaded-index', 'from-index']);
$cli->show(['load', 'live', 'tags.bloom']);
?>
--EXPECTF--
$ bloom list
NAME          KIND             GENERATION   KEYS    SIZE       FILL  FALSE POSITIVES  BUILT                    AGE
counting      counting                  1    496  32 KiB     8.66 %         0.0753 %  %s UTC  %s
index         reverse                   1      2  20 KiB  0.00305 %        1.19e-5 %  %s UTC  %s
live          live                      1  2,019   8 KiB     30.9 %           3.00 %  %s UTC  %s
loaded-index  loaded, reverse           1      2  20 KiB  0.00305 %        1.19e-5 %  %s UTC  %s
plain         loaded                    1  1,000   6 KiB     16.7 %          0.508 %  %s UTC  %s
scalable      scalable                  1  4,998  20 KiB     24.1 %          0.173 %  %s UTC  %s
sliding       sliding                   1    496  16 KiB     8.66 %         0.0753 %  %s UTC  %s
live: the false-positive rate is 3 %, over the requested 1 %
exit 0
$ bloom list --quiet
exit 0
counting: counting, fine
index: reverse, fine
live: live, over its rate
loaded-index: loaded, fine
plain: loaded, fine
scalable: scalable, fine
sliding: sliding, fine
$ bloom info --filter live
name             live (live)
warning          the false-positive rate is 3 %, over the requested 1 %
created          %s UTC
segment          {dir}/segment, %d KiB
keys             about 2,019 distinct keys (1,982 were definitely new when they were added), capacity 1,000
false positives  3.00 % measured, 3.04 % predicted, 1.00 % requested
fill             30.9 % of the bits are set
size             8 KiB (8,192 bytes), 65.54 bits per key at capacity
layout           2 shards of 1 KiB, blocks of 64 bytes, 3 probes
seed             1
exit 0
$ bloom info --filter counting
name             counting (counting)
created          %s UTC
segment          {dir}/segment, %d KiB
keys             about 496 distinct keys, capacity 1,000
false positives  0.0753 % measured, 0.0766 % predicted, 1.00 % requested
fill             8.66 % of the bits are set
size             32 KiB (32,768 bytes), 262.14 bits per key at capacity
layout           2 shards of 1 KiB, blocks of 64 bytes, 3 probes
seed             1
exit 0
$ bloom info --filter scalable
name             scalable (scalable)
created          %s UTC
segment          {dir}/segment, %d KiB
keys             about 4,998 distinct keys, capacity 7,000
false positives  0.173 % measured, 0.180 % predicted, 1.00 % requested
fill             24.1 % of the bits are set
size             20 KiB (20,480 bytes), 23.41 bits per key at capacity
layout           14 shards of 1 KiB, blocks of 256 bytes, 7 probes
growth           each layer has 2 times the capacity and 0.9 of the rate of the previous one, 0 failures
seed             1
layer 0          1,000 of 1,000 keys, 0.0865 % measured, 0.100 % allowed
layer 1          2,000 of 2,000 keys, 0.0858 % measured, 0.0900 % allowed
layer 2          1,998 of 4,000 keys, 0.00114 % measured, 0.0810 % allowed
exit 0
$ bloom info --filter sliding
name             sliding (sliding)
created          %s UTC
segment          {dir}/segment, %d KiB
keys             about 496 distinct keys, capacity 1,000
false positives  0.0753 % measured, 0.0766 % predicted, 1.00 % requested
fill             8.66 % of the bits are set
size             16 KiB (16,384 bytes), 131.07 bits per key at capacity
layout           2 shards of 1 KiB, blocks of 64 bytes, 3 probes
window           24 h 0 min, next half begins %s UTC with 8.66 % of the bits set
seed             1
exit 0
$ bloom info --filter index
name             index (reverse)
created          %s UTC
segment          {dir}/segment, %d KiB
keys             2 distinct keys, one per value and level, capacity 100 values
false positives  1.19e-5 % measured, 1.19e-5 % predicted, 0.100 % requested
fill             0.00305 % of the bits are set
size             20 KiB (20,480 bytes), 1,638.40 bits per key at capacity
layout           1 shard of 16 KiB, blocks of 16 KiB, 2 probes
reverse index    1,000 groups, 256 children per node, 2 levels, 3.0e-5 wrong groups per answer
seed             1
exit 0
$ bloom info --filter plain
name             plain (loaded)
generation       1, loaded %s UTC, 1 load in all
segment          {dir}/segment, %d KiB
syncs            0 done, 0 failed
verified         %s UTC, 0 % of the next pass
built            2023-11-14 22:13:20 UTC
keys             about 1,000 distinct keys (998 were definitely new when they were added), capacity 1,000
false positives  0.508 % measured, 0.503 % predicted, 1.00 % requested
fill             16.7 % of the bits are set
size             6 KiB (6,144 bytes), 49.25 bits per key
layout           2 shards of 1 KiB, blocks of 64 bytes, 3 probes
chunks           1 of 64 KiB
seed             1
format           version 2, checksum %s
exit 0
$ bloom info --filter loaded-index
name             loaded-index (loaded, reverse)
generation       1, loaded %s UTC, 1 load in all
segment          {dir}/segment, %d KiB
syncs            0 done, 0 failed
verified         %s UTC, 0 % of the next pass
built            %s UTC
keys             2 distinct keys, one per value and level, capacity 100 values
false positives  1.19e-5 % measured, 1.19e-5 % predicted, 0.100 % requested
fill             0.00305 % of the bits are set
size             20 KiB (20,480 bytes), 81,920.00 bits per key
layout           1 shard of 16 KiB, blocks of 16 KiB, 2 probes
reverse index    1,000 groups, 256 children per node, 2 levels, 3.0e-5 wrong groups per answer
chunks           1 of 64 KiB
seed             1
format           version 2, checksum %s
exit 0

$ bloom export live live.bloom --source of live
live.bloom: 2,019 keys, 6 KiB, 3.00 % false positives, of live
exit 0
$ bloom load live tags.bloom
bloom: {dir}/segment/live: expected a loaded filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
exit 73
$ bloom export counting counting.bloom --source of counting
counting.bloom: 496 keys, 6 KiB, 0.0753 % false positives, of counting
exit 0
$ bloom load counting tags.bloom
bloom: {dir}/segment/counting: expected a loaded filter, found a counting filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
exit 73
$ bloom export sliding sliding.bloom --source of sliding
sliding.bloom: 496 keys, 6 KiB, 0.0753 % false positives, of sliding
exit 0
$ bloom load sliding tags.bloom
bloom: {dir}/segment/sliding: expected a loaded filter, found a sliding filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
exit 73
$ bloom export index index.bloom --source of index
index.bloom: a reverse index of 1,000 groups, 2 keys, 20 KiB, 1.19e-5 % false positives, of index
exit 0
$ bloom load index tags.bloom
bloom: {dir}/segment/index: expected a loaded filter, found a live reverse index: that name is taken by a filter of a different kind (drop it first, or choose another name)
exit 73
$ bloom check sliding.bloom -
sliding.bloom: valid, 496 keys, 6 KiB, 0.0753 % false positives
2 of 2 keys might be contained, 0 are definitely absent
exit 0
$ bloom load from-index index.bloom
from-index: loaded generation 1, a reverse index of 1,000 groups, 2 keys, 20 KiB, 1.19e-5 % false positives, in {dir}/segment
exit 0
live.bloom
$ bloom export live - | bloom info - | grep capacity
keys             2,019 distinct keys, capacity 1,000
exit 0
$ bloom export live - --format=json
bloom: standard output cannot contain both the blob and the output of --format=json
exit 64
$ bloom export live none/live.bloom
bloom: none/live.bloom: its directory does not exist or is not accessible
exit 73
$ bloom export live live.bloom --source %s
bloom: --source must be at most 128 bytes
exit 64
$ bloom export scalable no.bloom
bloom: scalable: filters of the kind scalable cannot be exported: bloom snapshot saves it
exit 73
$ bloom export plain no.bloom
bloom: plain: filters of the kind loaded cannot be exported: keep the blob that it was loaded from
exit 73
$ bloom export none no.bloom
bloom: {dir}/segment/none: no such filter is loaded (bloom list shows those that are)
exit 66
$ bloom sync live store
bloom: live: expected a loaded filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
exit 73
$ bloom load plain tags.bloom
plain: loaded generation 2, about 1,000 keys, 6 KiB, 0.508 % false positives, in {dir}/segment
exit 0
counting.bloom index.bloom live.bloom make.php sliding.bloom store tags.bloom
$ bloom drop live counting scalable sliding index plain loaded-index from-index
live: dropped
counting: dropped
scalable: dropped
sliding: dropped
index: dropped
plain: dropped
loaded-index: dropped
from-index: dropped
exit 0
$ bloom load live tags.bloom
live: loaded generation 1, about 1,000 keys, 6 KiB, 0.508 % false positives, in {dir}/segment
exit 0
