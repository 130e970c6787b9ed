--TEST--
info() returns the chosen parameters and the number of added keys
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$builder = new Bloom\Builder(80_000, 0.01, seed: -5, source: 'tags of the day');
$builder->addMany(['a', 'b', 'b']);
foreach ((array) $builder->info() as $name => $value) {
    echo str_pad($name, 27), is_float($value) ? sprintf('%.6g', $value) : var_export($value instanceof UnitEnum ? $value->value : $value, true), "\n";
}
echo "\n";
foreach ($builder->build(builtAt: 1_700_000_000.25)->info() as $name => $value) {
    echo str_pad($name, 27), is_float($value) ? sprintf('%.6g', $value) : var_export($value instanceof UnitEnum ? $value->value : $value, true), "\n";
}
$small = (new Bloom\Builder(10))->info();
check($small->shardBytes === 1024 && $small->shards === 1, 'a small filter has a small shard');
?>
--EXPECT--
scheme                     'bloom'
stripes                    NULL
valueBits                  NULL
format                     NULL
capacity                   80000
falsePositiveRate          0.01
predictedFalsePositiveRate 0.00993761
keys                       2
added                      3
bytes                      103424
bitsPerKey                 10.3424
shards                     97
shardBytes                 1024
blockBytes                 64
probes                     6
seed                       -5
digest                     'XXH3-64'
keyedBy                    NULL
groups                     NULL
fanOut                     NULL
levels                     NULL
expectedWrongGroups        NULL
chunkBytes                 65536
source                     'tags of the day'

scheme                     'bloom'
stripes                    NULL
valueBits                  NULL
format                     NULL
layers                     NULL
keys                       2
estimatedKeys              2
capacity                   80000
falsePositiveRate          0.01
measuredFalsePositiveRate  3.0e-15
predictedFalsePositiveRate 3.34392e-15
fill                       1.51015e-5
setBits                    12
bytes                      103424
bitsPerKey                 413696
shards                     97
shardBytes                 1024
blockBytes                 64
probes                     6
seed                       -5
digest                     'XXH3-64'
keyedBy                    NULL
groups                     NULL
fanOut                     NULL
levels                     NULL
expectedWrongGroups        NULL
chunks                     2
chunkBytes                 65536
source                     'tags of the day'
builtAt                    1.7e+9
formatVersion              2
checksum                   '29c2fa34e0616d1a'
signedBy                   NULL
mark                       NULL
