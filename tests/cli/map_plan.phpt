--TEST--
plan --map predicts the size of a map for its value bits, and does not recommend to hold it on demand
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
$cli->show('bloom plan --keys=1e6 --map --value-bits=20 --changed=10');
$plan = $cli->run(['plan', '--keys=20k', '--map', '--value-bits=20', '--format=json'])->json();
$cli->shell('seq 20000 | sed "s/.*/&\t&/" | bloom build --quiet --map --value-bits=20 --seed=1 --capacity=20k map.bloom');
check($plan['bytes'] === filesize("$cli->files/map.bloom"), 'the size of the blob');
check($plan['onDemand'] === null && $plan['ribbon'] === null && $plan['valueBits'] === 20, 'no other form');
$all = $cli->run(['plan', '--keys=20k', '--map', '--value-bits=20', '--rate=1', '--format=json'])->json();
check($all['bytes'] < $plan['bytes'], 'no check bits');
echo $cli->shell('bloom plan --keys=1e6 --map --value-bits=20 --memory=1M | tail -n 1')->output;
foreach ([['--map'], ['--value-bits=3'], ['--map', '--value-bits=3', '--scheme=ribbon'], ['--map', '--value-bits=0'], ['--map', '--value-bits=3', '--rate=2']] as $wrong) {
    $result = $cli->run(['plan', '--keys=1000', ...$wrong]);
    echo "$result->code $result->errors";
}
?>
--EXPECT--
$ bloom plan --keys=1e6 --map --value-bits=20 --changed=10
layout           52 shards of 64 KiB, each with 306 ribbon stripes of 20 + 6 or 7 bits per key
false positives  0.981 % predicted, 1.00 % requested
size             3.3 MiB (3,411,968 bytes), 27.30 bits per key, head 4 KiB
chunks           52 of 64 KiB
each host        3.3 MiB, during a reload 6.5 MiB
store            3.8 MiB for two versions that differ by 10 keys, at most 6.5 MiB
full transfer    273 ms at 100 Mbit/s

Expected transfer to each host after 10 keys changed:
CHUNK SIZE  CHUNKS   HEAD  CHANGED   TRANSFER    TIME
    64 KiB      52  4 KiB      9.2  591.4 KiB   48 ms
   256 KiB      13  4 KiB      7.2    1.8 MiB  151 ms
     1 MiB       4  4 KiB      3.5    3.1 MiB  257 ms

The plain form, with --shard-bytes=8K --chunk-bytes=8K: 95.2 KiB are transferred instead of 591.4 KiB, but the filter needs 28.57 instead of 27.30 bits per key.
exit 0
The map does not fit into the memory: allow a higher --rate or fewer --value-bits, or give at least 6.5 MiB.
64 bloom: --value-bits is missing: --map needs the bits of a value, such as --value-bits=20
64 bloom: --value-bits is an option of maps: add --map
64 bloom: --scheme: a map has a scheme of its own, so leave it out with --map
64 bloom: --value-bits must be between 1 and 64, not "0"
64 bloom: --rate: "2" is more than 1; for 2 percent write 2% or 0.02
