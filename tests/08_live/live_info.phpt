--TEST--
info() and shards() report each kind and how full it is
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_info
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;

$before = microtime(true);
foreach (KINDS as $kind) {
    $filter = made($kind, 1000, 0.01, name: 'x');
    foreach (keys('k', 500) as $key) {
        put($filter, $key);
    }
    $info = $filter->info();
    $files = 0;
    foreach (glob(in_segment('x/*')) as $file) {
        clearstatcache();
        $files += filesize($file);
    }
    $show = function (Bloom\Info $info, string $indent = '') use (&$show, $before, $files, $kind) {
        foreach ($info as $name => $value) {
            $shown = match (true) {
                in_array($name, ['created', 'loadedAt', 'verifiedAt'], true) => abs($value - $before) < 60 ? 'now' : 'other',
                $name === 'rotatesAt' && $value !== null => abs($value - $before - 5e5) < 60 ? 'in half its window' : $value,
                $name === 'seed' => is_int($value) ? 'a number' : 'other',
                $name === 'segment' => $value === segment_path() ? '{segment}' : $value,
                $name === 'segmentBytes' => $value === $files ? 'its files' : "$value instead of $files",
                // Values that depend on a random seed.
                $name === 'layers' => count($value) . ' of them',
                is_float($value) => sprintf('%.4g', $value),
                $value instanceof BackedEnum => var_export($value->value, true),
                $value instanceof Bloom\CountersInfo => "$value->lookups lookups",
                $value instanceof Bloom\Info => '',
                default => var_export($value, true),
            };
            echo $indent, rtrim(str_pad((string) $name, 27) . $shown), "\n";
            foreach ($name === 'layers' ? $value : [] as $layer) {
                echo '  ', json_encode(array_map(fn ($number) => is_float($number) ? sprintf('%.4g', $number) : $number, $layer)), "\n";
            }
            if ($value instanceof Bloom\Info && !$value instanceof Bloom\CountersInfo) {
                $show($value, '  ');
            }
        }
    };
    $show($info);
    $shards = $filter->shards();
    check(count($shards) === ($info->kind->value === 'scalable' ? array_sum(array_column($info->layers, 'shards')) : $info->shards), "$kind: shards");
    check(array_sum(array_column($shards, 'setBits')) === $info->setBits, "$kind: shards() has all bits");
    foreach ($shards as $shard) {
        check(array_keys($shard) === ['setBits', 'fill', 'estimatedKeys', 'measuredFalsePositiveRate'], "$kind: a shard");
        check($shard['fill'] >= 0 && $shard['fill'] <= 1 && $shard['measuredFalsePositiveRate'] <= 1 && $shard['estimatedKeys'] >= 0, "$kind: " . json_encode($shard));
    }
    check(abs(array_sum(array_column($shards, 'estimatedKeys')) - $info->estimatedKeys) < 2 + 0.02 * $info->estimatedKeys, "$kind: estimated keys");
    printf("%o\n\n", fileperms(in_segment('x/0000000000000001.bloom')) & 07777);
    Filter::drop('x');
    check(str_contains(thrown($filter->info(...)), 'NotFoundException') && str_contains(thrown($filter->shards(...)), 'NotFoundException'), "$kind: dropped");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
name                       'x'
kind                       'live'
generation                 1
keys                       500
estimatedKeys              502
capacity                   1000
falsePositiveRate          0.01
measuredFalsePositiveRate  0.0007937
predictedFalsePositiveRate 0.0007912
fill                       0.08765
setBits                    1436
bytes                      8192
bitsPerKey                 65.54
shards                     2
shardBytes                 1024
blockBytes                 64
probes                     3
seed                       a number
digest                     'XXH3-64'
keyedBy                    NULL
groups                     NULL
fanOut                     NULL
levels                     NULL
expectedWrongGroups        NULL
warning                    NULL
loadedAt                   now
loads                      1
segment                    {segment}
segmentBytes               its files
memoryLimit                0
mapFailures                0
counters                   0 lookups
created                    now
expiresAt                  NULL
bounded                    false
growth                     NULL
tightening                 NULL
growthFailures             NULL
layers                     0 of them
window                     NULL
rotatesAt                  NULL
nextFill                   NULL
600

name                       'x'
kind                       'counting'
generation                 1
keys                       500
estimatedKeys              502
capacity                   1000
falsePositiveRate          0.01
measuredFalsePositiveRate  0.0007937
predictedFalsePositiveRate 0.0007912
fill                       0.08765
setBits                    1436
bytes                      32768
bitsPerKey                 262.1
shards                     2
shardBytes                 1024
blockBytes                 64
probes                     3
seed                       a number
digest                     'XXH3-64'
keyedBy                    NULL
groups                     NULL
fanOut                     NULL
levels                     NULL
expectedWrongGroups        NULL
warning                    NULL
loadedAt                   now
loads                      1
segment                    {segment}
segmentBytes               its files
memoryLimit                0
mapFailures                0
counters                   0 lookups
created                    now
expiresAt                  NULL
bounded                    false
growth                     NULL
tightening                 NULL
growthFailures             NULL
layers                     0 of them
window                     NULL
rotatesAt                  NULL
nextFill                   NULL
600

name                       'x'
kind                       'scalable'
generation                 1
keys                       500
estimatedKeys              496
capacity                   700
falsePositiveRate          0.01
measuredFalsePositiveRate  0.0009566
predictedFalsePositiveRate 0.0009763
fill                       0.06913
setBits                    1699
bytes                      16384
bitsPerKey                 187.2
shards                     3
shardBytes                 1024
blockBytes                 256
probes                     5
seed                       a number
digest                     'XXH3-64'
keyedBy                    NULL
groups                     NULL
fanOut                     NULL
levels                     NULL
expectedWrongGroups        NULL
warning                    NULL
loadedAt                   now
loads                      1
segment                    {segment}
segmentBytes               its files
memoryLimit                0
mapFailures                0
counters                   0 lookups
created                    now
expiresAt                  NULL
bounded                    false
growth                     2
tightening                 0.9
growthFailures             0
layers                     3 of them
  {"capacity":100,"keys":100,"falsePositiveRate":"0.001","measuredFalsePositiveRate":"0.0005912","fill":"0.02417","shards":1,"probes":2}
  {"capacity":200,"keys":200,"falsePositiveRate":"0.0009","measuredFalsePositiveRate":"0.0003454","fill":"0.07007","shards":1,"probes":3}
  {"capacity":400,"keys":200,"falsePositiveRate":"0.00081","measuredFalsePositiveRate":"2.025e-5","fill":"0.1132","shards":1,"probes":5}
window                     NULL
rotatesAt                  NULL
nextFill                   NULL
600

name                       'x'
kind                       'sliding'
generation                 1
keys                       500
estimatedKeys              502
capacity                   1000
falsePositiveRate          0.01
measuredFalsePositiveRate  0.0007937
predictedFalsePositiveRate 0.0007912
fill                       0.08765
setBits                    1436
bytes                      16384
bitsPerKey                 131.1
shards                     2
shardBytes                 1024
blockBytes                 64
probes                     3
seed                       a number
digest                     'XXH3-64'
keyedBy                    NULL
groups                     NULL
fanOut                     NULL
levels                     NULL
expectedWrongGroups        NULL
warning                    NULL
loadedAt                   now
loads                      1
segment                    {segment}
segmentBytes               its files
memoryLimit                0
mapFailures                0
counters                   0 lookups
created                    now
expiresAt                  NULL
bounded                    false
growth                     NULL
tightening                 NULL
growthFailures             NULL
layers                     0 of them
window                     1.0e+6
rotatesAt                  in half its window
nextFill                   0.08765
600

name                       'x'
kind                       'reverse'
generation                 1
keys                       1000
estimatedKeys              1002
capacity                   1000
falsePositiveRate          0.01
measuredFalsePositiveRate  0.0008021
predictedFalsePositiveRate 0.0007888
fill                       0.08749
setBits                    2867
bytes                      8192
bitsPerKey                 65.54
shards                     1
shardBytes                 4096
blockBytes                 4096
probes                     3
seed                       a number
digest                     'XXH3-64'
keyedBy                    NULL
groups                     500
fanOut                     64
levels                     2
expectedWrongGroups        0.04961
warning                    NULL
loadedAt                   now
loads                      1
segment                    {segment}
segmentBytes               its files
memoryLimit                0
mapFailures                0
counters                   0 lookups
created                    now
expiresAt                  NULL
bounded                    false
growth                     NULL
tightening                 NULL
growthFailures             NULL
layers                     0 of them
window                     NULL
rotatesAt                  NULL
nextFill                   NULL
600
