--TEST--
like() copies the seed and layout of an earlier blob, so that only shards with changed keys differ
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-builder_like
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Builder, ReverseIndexBuilder};

const KEPT = ['scheme', 'seed', 'capacity', 'falsePositiveRate', 'shards', 'shardBytes', 'blockBytes', 'probes', 'chunkBytes',
    'source', 'keyedBy', 'digest', 'stripes'];

/** Returns the names of the chunks. */
function chunk_names(Blob $blob): array
{
    return chunk_keys($blob, 'x');
}

/** Returns the names of the parameters that differ between the builder and the earlier blob. */
function differences(Builder|ReverseIndexBuilder $builder, Blob $blob, array $fields = KEPT): string
{
    $old = $blob->info();
    $new = $builder->info();
    return implode(' ', array_filter($fields, fn (string $field): bool => $old->$field !== $new->$field));
}

// Without an argument, seeds are random.
check((new Builder(10))->info()->seed !== (new Builder(10))->info()->seed, 'random');

$keys = keys('key', 20_000);
$layouts = [
    'default' => [],
    'another rate' => ['falsePositiveRate' => 0.001],
    'bits per key' => ['bitsPerKey' => 12.0],
    'small chunks' => ['shardBytes' => 1024, 'chunkBytes' => 1024],
    'probes and blocks' => ['probes' => 3, 'blockBytes' => 1024],
    'classic' => ['shardBytes' => 8192, 'blockBytes' => 8192, 'source' => 'the source'],
    'ribbon' => ['scheme' => Bloom\Scheme::Ribbon, 'chunkBytes' => 16384],
    'ribbon with bits' => ['scheme' => Bloom\Scheme::Ribbon, 'bitsPerKey' => 9.0],
];
foreach ($layouts as $name => $layout) {
    $builder = new Builder(20_000, ...laid_out(['seed' => 7, ...$layout]));
    $builder->addMany($keys);
    $old = $builder->build(0.5);
    $builder = Builder::like($old);
    check(differences($builder, $old) === '', "$name: " . differences($builder, $old));
    $builder->addMany($keys);
    $same = $builder->build(0.5, $old->info()->builtAt);
    check($same->toString() === $old->toString(), "$name: the same keys give the same bytes");
    $builder = Builder::like($old, layout: new Bloom\Layout(chunkBytes: 65536));
    $builder->addMany([...array_slice($keys, 1), 'new']);
    $next = $builder->build(0.5);
    check($next->info()->seed === $old->info()->seed && $next->mightContain('new'), "$name: the next");
    // Passing the blob's own values as arguments changes nothing.
    $info = $old->info();
    $builder = Builder::like($old, $info->capacity, $info->falsePositiveRate, $info->seed,
        new Bloom\Layout($info->shardBytes, chunkBytes: $info->chunkBytes), scheme: $info->scheme, source: $info->source, keyed: false, jobs: 2);
    check(differences($builder, $old) === '', "$name, said again: " . differences($builder, $old));
}

// One new key changes few chunks.
$builder = new Builder(20_000, seed: 1, layout: new Bloom\Layout(chunkBytes: 1024, shardBytes: 1024));
$builder->addMany($keys);
$old = $builder->build();
$builder = Builder::like($old);
$builder->addMany([...$keys, 'new']);
$new = $builder->build();
echo count(array_diff_assoc(chunk_names($new), chunk_names($old))), ' of ', $new->info()->chunks, " chunks changed\n";

// Arguments override the blob's values.
$builder = Builder::like($old, capacity: 5_000_000);
echo 'capacity: ', differences($builder, $old), ', ', $builder->info()->chunkBytes, "\n";
echo 'rate: ', differences(Builder::like($old, falsePositiveRate: 0.1), $old), "\n";
echo 'seed: ', differences(Builder::like($old, seed: $old->info()->seed + 1), $old), "\n";
echo 'source: ', differences(Builder::like($old, source: 'else'), $old), "\n";
echo 'chunks: ', differences(Builder::like($old, layout: new Bloom\Layout(chunkBytes: 4096)), $old), "\n";
echo 'scheme: ', differences(Builder::like($old, scheme: Bloom\Scheme::Ribbon), $old), "\n";
// With a new capacity, the builder has the same shards as a newly constructed builder of that capacity.
$large = blob_of(['a'], 1000);
check(differences(Builder::like($large, capacity: 1_000_000), (new Builder(1_000_000, seed: 1))->build()) === '', 'as if by the constructor');
check(Builder::like(blob_of([], scheme: Bloom\Scheme::Ribbon), capacity: 5000)->info()->scheme->value === 'ribbon', 'the scheme stays');
check(Builder::like(blob_of([], 20_000, bitsPerKey: 1.0, probes: 1), capacity: 50_000)->info()->falsePositiveRate === 0.5, 'a rate that can be asked for');

// Reverse indexes.
$builder = new ReverseIndexBuilder(1000, 5000, seed: 1, source: 'shops');
$builder->addMany(7, $keys = keys('value', 100));
$index = $builder->build();
$reverse = ['seed', 'groups', 'fanOut', 'capacity', 'falsePositiveRate', 'shards', 'shardBytes', 'blockBytes', 'probes', 'chunkBytes', 'source', 'levels'];
$builder = ReverseIndexBuilder::like($index);
check(differences($builder, $index, $reverse) === '', 'a reverse index');
$builder->addMany(7, $keys);
check($builder->build(builtAt: $index->info()->builtAt)->toString() === $index->toString(), 'the same bytes');
$builder = ReverseIndexBuilder::like($index, groups: 60_000);
echo 'groups: ', differences($builder, $index, $reverse), "\n";
$builder->addMany(7, $keys);
check(chunk_names($grown = $builder->build()) === chunk_names($index), 'the same chunks');
check($grown->groups('value5') === [7], 'found');
echo 'levels: ', differences(ReverseIndexBuilder::like($index, groups: 70_000), $index, $reverse), "\n";
echo 'fan-out: ', differences(ReverseIndexBuilder::like($index, fanOut: 64), $index, $reverse), "\n";
echo 'capacity: ', differences(ReverseIndexBuilder::like($index, capacity: 50_000), $index, $reverse), "\n";

foreach ([
    fn () => Builder::like($index),
    fn () => ReverseIndexBuilder::like($old),
    fn () => Builder::like($old, capacity: 0),
    fn () => Builder::like($old, falsePositiveRate: NAN),
    fn () => Builder::like($old, layout: new Bloom\Layout(shardBytes: 1000)),
    fn () => Builder::like($old, layout: new Bloom\Layout(blockBytes: 4)),
    fn () => Builder::like($old, layout: new Bloom\Layout(probes: 99)),
    fn () => Builder::like($old, bitsPerKey: 0.0),
    fn () => Builder::like($old, layout: new Bloom\Layout(chunkBytes: 1000)),
    fn () => Builder::like($old, source: str_repeat('s', 129)),
    fn () => Builder::like($old, scheme: Bloom\Scheme::Reverse),
    fn () => Builder::like(blob_of([], scheme: Bloom\Scheme::Ribbon), layout: new Bloom\Layout(probes: 3)),
    fn () => Builder::like($old, jobs: 0),
    fn () => ReverseIndexBuilder::like($index, groups: 0),
    fn () => ReverseIndexBuilder::like($index, groups: PHP_INT_MAX),
    fn () => ReverseIndexBuilder::like($index, capacity: -1),
    fn () => ReverseIndexBuilder::like($index, fanOut: 100),
    fn () => ReverseIndexBuilder::like($index, source: str_repeat('s', 129)),
] as $call) {
    echo thrown($call), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
1 of 25 chunks changed
capacity: capacity shards probes, 1024
rate: falsePositiveRate shards probes
seed: seed
source: source
chunks: chunkBytes
scheme: scheme shards blockBytes probes stripes
groups: groups
levels: groups probes levels
fan-out: fanOut shards shardBytes blockBytes probes
capacity: capacity shards probes
ValueError: Bloom\Builder::like(): Argument #1 ($previous) must be neither a reverse index nor a map (for a reverse index use Bloom\ReverseIndexBuilder::like())
ValueError: Bloom\ReverseIndexBuilder::like(): Argument #1 ($previous) must be a reverse index (for other blobs use Bloom\Builder::like())
ValueError: Bloom\Builder::like(): Argument #2 ($capacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\Builder::like(): Argument #3 ($falsePositiveRate) must be between 0.000000001 and 0.5
ValueError: Bloom\Builder::like(): Argument #5 ($layout) has an invalid shardBytes: it must be a power of two from 1024 to 65536
ValueError: Bloom\Builder::like(): Argument #5 ($layout) has an invalid blockBytes: it must be a power of two from 8 to the shard bytes
ValueError: Bloom\Builder::like(): Argument #5 ($layout) has an invalid probes: it must be between 1 and 32
ValueError: Bloom\Builder::like(): Argument #6 ($bitsPerKey) must be between 1 and 1024
ValueError: Bloom\Builder::like(): Argument #5 ($layout) has an invalid chunkBytes: it must be a multiple of the shard bytes, up to 1 GiB
ValueError: Bloom\Builder::like(): Argument #7 ($source) must be at most 128 bytes
ValueError: Bloom\Builder::like(): Argument #10 ($scheme) must not be Bloom\Scheme::Reverse: ReverseIndexBuilder builds reverse indexes
ValueError: Bloom\Builder::like(): Argument #10 ($scheme) must be bloom if block bytes, probes or groups are given
ValueError: Bloom\Builder::like(): Argument #11 ($jobs) must be between 1 and 64
ValueError: Bloom\ReverseIndexBuilder::like(): Argument #2 ($groups) must be between 1 and 4,294,967,296
ValueError: Bloom\ReverseIndexBuilder::like(): Argument #2 ($groups) must be between 1 and 4,294,967,296
ValueError: Bloom\ReverseIndexBuilder::like(): Argument #3 ($capacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\ReverseIndexBuilder::like(): Argument #5 ($fanOut) must be a power of two from 64 to 1024
ValueError: Bloom\ReverseIndexBuilder::like(): Argument #7 ($source) must be at most 128 bytes
