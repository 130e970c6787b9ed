--TEST--
MapBuilder::like() copies the seed and layout of an earlier map, so that few chunks differ
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-map_like
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Layout, MapBuilder};

const KEPT = ['scheme', 'valueBits', 'seed', 'capacity', 'falsePositiveRate', 'shards', 'shardBytes', 'blockBytes', 'probes', 'chunkBytes',
    'source', 'keyedBy', 'digest', 'stripes'];

function differences(MapBuilder $builder, Blob $blob): string
{
    $old = $blob->info();
    $new = $builder->info();
    return implode(' ', array_filter(KEPT, fn (string $field): bool => $old->$field !== $new->$field));
}

$pairs = [];
for ($i = 0; $i < 20_000; $i++) {
    $pairs["key $i"] = $i * 31 % 512;
}
foreach ([
    'default' => [],
    'rate 1' => ['falsePositiveRate' => 1.0],
    'low rate' => ['falsePositiveRate' => 1e-6],
    'small chunks' => ['shardBytes' => 2048, 'chunkBytes' => 2048, 'source' => 'the source'],
    'tight chunks' => ['shardBytes' => 4096, 'chunkBytes' => 4096],
] as $name => $layout) {
    $builder = new MapBuilder(20_000, 9, ...laid_out(['seed' => 7, ...$layout]));
    $builder->setMany($pairs);
    $old = $builder->build();
    $info = $old->info();
    $builder = MapBuilder::like($old);
    check(differences($builder, $old) === '', "$name: " . differences($builder, $old));
    $builder->setMany(array_reverse($pairs, true));
    check($builder->build($info->builtAt)->toString() === $old->toString(), "$name: the same pairs give the same bytes");
    // Passing the map's own values as arguments changes nothing.
    $builder = MapBuilder::like($old, $info->capacity, $info->valueBits, $info->falsePositiveRate, $info->seed,
        new Layout($info->shardBytes, chunkBytes: $info->chunkBytes), $info->source, keyed: false, jobs: 3);
    check(differences($builder, $old) === '', "$name, given: " . differences($builder, $old));
    $builder->setMany($pairs);
    check($builder->build($info->builtAt)->toString() === $old->toString(), "$name: the same bytes");
}

// What changes which chunks.
$builder = new MapBuilder(20_000, 9, seed: 7, layout: new Layout(2048, chunkBytes: 2048));
$builder->setMany($pairs);
$old = $builder->build();
$chunks = chunk_keys($old, 'x');
check(count($chunks) > 15, count($chunks) . ' chunks');
$changed = function (array $next) use ($old, $chunks): int {
    $builder = MapBuilder::like($old);
    $builder->setMany($next);
    $blob = $builder->build();
    foreach ($next as $key => $value) {
        check($blob->get($key) === $value, "value of $key");
    }
    return count(array_diff_assoc(chunk_keys($blob, 'x'), $chunks));
};
for ($i = 0; $i < 10; $i++) {
    check(($count = $changed(["key $i" => 511 - $pairs["key $i"]] + $pairs)) === 1, "a changed value changes $count chunks");
    check(in_array($count = $changed(array_slice($pairs, $i + 1, 1) + array_slice($pairs, 0, $i) + array_slice($pairs, $i + 1)), [1, 2], true), "a removed key changes $count chunks");
    check(in_array($count = $changed(array_slice($pairs, 0, 19_999) + ["new $i" => 3]), [1, 2, 3], true), "a replaced key changes $count chunks");
}
check($changed($pairs) === 0, 'nothing changes');

// Other arguments change the layout, but like() keeps what it can.
foreach ([
    ['capacity' => 40_000], ['valueBits' => 10], ['falsePositiveRate' => 0.001], ['layout' => new Layout(shardBytes: 4096, chunkBytes: 4096)], ['seed' => 8],
    ['source' => 'other'], ['layout' => new Layout(chunkBytes: 65536)],
] as $arguments) {
    $builder = MapBuilder::like($old, ...$arguments);
    echo array_key_first($arguments), ': ', differences($builder, $old), "\n";
    $builder->setMany($pairs);
    check($builder->build()->get('key 5') === $pairs['key 5'], 'it works');
}
// onDuplicate is not a property of a blob.
$builder = MapBuilder::like($old, onDuplicate: 'last');
$builder->setMany($pairs);
$builder->set('key 5', 99);
check($builder->build()->get('key 5') === 99, 'the last');
$builder = MapBuilder::like($old);
$builder->setMany(['a' => 1]);
$builder->setMany(['a' => 2]);
check(str_contains(thrown(fn () => $builder->build()), 'a key was set to two values'), 'refused');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
capacity: capacity shards
valueBits: valueBits shards probes stripes
falsePositiveRate: falsePositiveRate shards probes stripes
layout: shards shardBytes blockBytes chunkBytes stripes
seed: seed
source: source
layout: chunkBytes
