--TEST--
On-demand filters are listed, shown, synced and dropped
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
use Bloom\{Builder, DirectoryStore, Filter};

$build = function (int $keys, float $builtAt) {
    $builder = new Builder(20000, seed: 1, layout: new Bloom\Layout(shardBytes: 1024, chunkBytes: 1024));
    $builder->addMany(range(1, $keys));
    return $builder->build(builtAt: $builtAt);
};
mkdir('store');
$store = new DirectoryStore('store');
$build(20000, 1_700_000_000)->publish($store, 'large');
$large = Filter::attach('large', $store, 16384);
$large->candidates(range(1, 100)); // needs more chunks than fit in the memory
$large->mightContain(20001);
$build(20001, 1_700_000_100)->publish($store, 'large');
PHP);
$cli->install('bloom-make', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/make.php", ['bloom']);
check($cli->shell('bloom-make list -q')->errors === '', 'made');

$cli->show(['list']);
$cli->show(['info', '--filter', 'large']);
$info = $cli->run(['info', '--filter=large', '--format=json'])->json();
check($cli->run(['list', '--format=json'])->json()[0]['kind'] === 'on-demand', 'list');
check($info['memory'] <= 16384 && $info['memoryAsked'] === 16384, "$info[memory] bytes");
$cli->show(['health', 'large']);
$cli->show(['sync', 'large', 'store']);
$cli->show(['sync', 'large', 'store']);
$cli->show(['export', 'large', 'large.bloom']);
$cli->show(['drop', 'large']);
?>
--EXPECTF--
$ bloom list
NAME   KIND       GENERATION    KEYS    SIZE    FILL  FALSE POSITIVES  BUILT                    AGE
large  on-demand           1  20,001  16 KiB  38.5 %          0.970 %  %s UTC  %s
exit 0
$ bloom info --filter large
name             large (on-demand)
generation       1, loaded %d-%d-%d %d:%d:%d UTC, 1 load in all
segment          {dir}/segment, 24 KiB
syncs            0 done, 0 failed
verified         %d-%d-%d %d:%d:%d UTC, 0 % of the next pass
memory           4 of 25 chunks, room for 4 in 16 KiB; 101 lookups missed, 82 of them answered "maybe"
fetching         5 chunks fetched, 1 evicted; 0 failures
built            2023-11-14 22:13:20 UTC
keys             about 20,001 distinct keys (19,969 were definitely new when they were added), capacity 20,000
false positives  0.970 % measured, 0.957 % predicted, 1.00 % requested
fill             38.5 % of the bits are set
size             29 KiB (29,696 bytes), 11.90 bits per key
layout           25 shards of 1 KiB, blocks of 64 bytes, 5 probes
chunks           25 of 1 KiB
seed             1
format           version 2, checksum f763086be5be4a42
exit 0
$ bloom health large
large: OK: on-demand, generation 1, built %s ago
exit 0
$ bloom sync large store
large: switched to generation 2, about 20,002 keys, 29 KiB, 0.970 % false positives, in {dir}/segment
exit 0
$ bloom sync large store
large: no change, still generation 2, about 20,002 keys, 29 KiB, 0.970 % false positives, in {dir}/segment
exit 0
$ bloom export large large.bloom
bloom: large: filters of the kind on-demand cannot be exported: keep the blob that it was loaded from
exit 73
$ bloom drop large
large: dropped
exit 0
