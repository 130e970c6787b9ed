--TEST--
Every argument of MapBuilder that is out of range throws a ValueError that names the argument
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Builder, Layout, MapBuilder, ReverseIndexBuilder};

$cases = [
    'capacity' => [0, -1, PHP_INT_MIN, 1_000_000_000_001, PHP_INT_MAX],
    'valueBits' => [0, -1, 65, PHP_INT_MIN, PHP_INT_MAX, 4294967296 + 8],
    'falsePositiveRate' => [0.0, -0.01, 0.51, 0.99, 1.01, 1e-10, NAN, INF, -INF],
    'shardBytes' => [0, -1, 1023, 3000, 131072, PHP_INT_MAX, 4294967296 + 8192],
    'blockBytes' => [64, 8192],
    'probes' => [1, 7],
    'chunkBytes' => [0, -1, 100, 2_147_483_648],
    'onDuplicate' => ['', 'first', 'Last', str_repeat('x', 100)],
    'jobs' => [0, -1, 65, PHP_INT_MAX],
    'source' => [str_repeat('s', 129)],
];
foreach ($cases as $name => $values) {
    $texts = [];
    foreach ($values as $value) {
        $shown = is_string($value) ? strlen($value) . ' bytes' : var_export($value, true);
        $texts[thrown(fn () => new MapBuilder(...laid_out([$name => $value] + ['capacity' => 10000, 'valueBits' => 8])))][] = $shown;
    }
    foreach ($texts as $text => $shown) {
        echo implode(', ', $shown), "\n  $text\n";
    }
}
check(thrown(fn () => new MapBuilder(10, 8, onDuplicate: "last\0"), class: true) === ValueError::class, 'the whole text counts');
// These depend on each other.
echo thrown(fn () => new MapBuilder(1_000_000_000_000, 8, 1e-9)), "\n";
echo thrown(fn () => new MapBuilder(1_000_000_000_000, 64)), "\n";
check(str_contains(thrown(fn () => new MapBuilder(1000, 64, layout: new Layout(shardBytes: 1024))), '($layout) has an invalid shardBytes: it must be larger'),
    'too small for such values');
check(str_contains(thrown(fn () => new MapBuilder(1000, 8, layout: new Layout(shardBytes: 8192, chunkBytes: 4096))), '($layout) has an invalid chunkBytes'),
    'smaller than a shard');
foreach ([[], [10], ['ten', 8], [10, 'x'], [10, null], [10, 8, 'x']] as $arguments) {
    check(in_array(thrown(fn () => @new MapBuilder(...$arguments), class: true), [ArgumentCountError::class, TypeError::class, ValueError::class], true),
        json_encode($arguments) . ' is refused');
}

// The limits themselves are valid, and the blob has them.
foreach ([
    ['capacity' => 1], ['valueBits' => 1], ['valueBits' => 64], ['falsePositiveRate' => 1.0], ['falsePositiveRate' => 0.5],
    ['falsePositiveRate' => 1e-9], ['shardBytes' => 2048], ['shardBytes' => 65536], ['chunkBytes' => 65536], ['chunkBytes' => 1 << 30],
    ['seed' => PHP_INT_MIN], ['seed' => PHP_INT_MAX], ['seed' => -1], ['source' => str_repeat('s', 128)], ['source' => "any \xff\0 bytes"],
    ['valueBits' => 64, 'falsePositiveRate' => 1e-9], ['valueBits' => 1, 'falsePositiveRate' => 1.0, 'shardBytes' => 1024],
] as $arguments) {
    $builder = new MapBuilder(...laid_out($arguments + ['capacity' => 100, 'valueBits' => 8]));
    $builder->set('a', 1);
    $blob = $builder->build();
    foreach ($arguments as $name => $value) {
        check($blob->info()->$name === $value, "$name is in the blob: " . var_export($value, true));
    }
    check($blob->get('a') === 1 && Bloom\Blob::fromString($blob->toString())->get('a') === 1, 'it works');
}
foreach (['refuse', 'last'] as $choice) {
    check((new MapBuilder(1, 1, onDuplicate: $choice))->info()->keys === 0, $choice);
}

// info() of a builder, before and after keys were set.
$builder = new MapBuilder(1000, 12, 0.01, seed: 5, source: 'counts');
$builder->set('a', 1);
$builder->set('a', 1);
$info = $builder->info();
check($info->scheme === Bloom\Scheme::Map && $info->valueBits === 12 && $info->capacity === 1000 && $info->seed === 5, 'its parameters');
check($info->added === 2 && $info->groups === null && $info->format === null && $info->blockBytes === $info->shardBytes, 'and others');
check($info->stripes >= 10 && $info->predictedFalsePositiveRate <= 0.01 && $info->source === 'counts', 'the layout');
check(abs($info->bitsPerKey - 8 * $info->bytes / 1000) < 1, 'bits per key');

// like() has one argument before them.
$map = (new MapBuilder(1000, 12))->build();
echo thrown(fn () => MapBuilder::like((new Builder(10))->build())), "\n";
echo thrown(fn () => MapBuilder::like((new ReverseIndexBuilder(10, 10))->build())), "\n";
echo thrown(fn () => Builder::like($map)), "\n";
echo thrown(fn () => ReverseIndexBuilder::like($map)), "\n";
foreach ([['capacity' => 0], ['valueBits' => 0], ['valueBits' => 65], ['falsePositiveRate' => 0.7], ['source' => str_repeat('s', 129)],
    ['onDuplicate' => 'x'], ['jobs' => 65], ['layout' => new Layout(probes: 3)]] as $arguments) {
    echo thrown(fn () => MapBuilder::like($map, ...$arguments)), "\n";
}
?>
--EXPECT--
0, -1, -9223372036854775807-1, 1000000000001, 9223372036854775807
  ValueError: Bloom\MapBuilder::__construct(): Argument #1 ($capacity) must be between 1 and 1,000,000,000,000 keys
0, -1, 65, -9223372036854775807-1, 9223372036854775807, 4294967304
  ValueError: Bloom\MapBuilder::__construct(): Argument #2 ($valueBits) must be between 1 and 64
0.0, -0.01, 0.51, 0.99, 1.01, 1.0E-10, NAN, INF, -INF
  ValueError: Bloom\MapBuilder::__construct(): Argument #3 ($falsePositiveRate) must be between 0.000000001 and 0.5, or 1 for a map without check bits
0, -1, 1023, 3000, 131072, 9223372036854775807, 4294975488
  ValueError: Bloom\MapBuilder::__construct(): Argument #5 ($layout) has an invalid shardBytes: it must be a power of two from 1024 to 65536
64, 8192
  ValueError: Bloom\MapBuilder::__construct(): Argument #5 ($layout) must have neither block bytes nor probes
1, 7
  ValueError: Bloom\MapBuilder::__construct(): Argument #5 ($layout) must have neither block bytes nor probes
0, -1, 100, 2147483648
  ValueError: Bloom\MapBuilder::__construct(): Argument #5 ($layout) has an invalid chunkBytes: it must be a multiple of the shard bytes, up to 1 GiB
0 bytes
  ValueError: Bloom\MapBuilder::__construct(): Argument #9 ($onDuplicate) must be "refuse" or "last", "" given
5 bytes
  ValueError: Bloom\MapBuilder::__construct(): Argument #9 ($onDuplicate) must be "refuse" or "last", "first" given
4 bytes
  ValueError: Bloom\MapBuilder::__construct(): Argument #9 ($onDuplicate) must be "refuse" or "last", "Last" given
100 bytes
  ValueError: Bloom\MapBuilder::__construct(): Argument #9 ($onDuplicate) must be "refuse" or "last", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" given
0, -1, 65, 9223372036854775807
  ValueError: Bloom\MapBuilder::__construct(): Argument #10 ($jobs) must be between 1 and 64
129 bytes
  ValueError: Bloom\MapBuilder::__construct(): Argument #6 ($source) must be at most 128 bytes
ValueError: Bloom\MapBuilder::__construct(): Argument #3 ($falsePositiveRate) must be above capacity / 2^64, the probability that an absent key has the same 64-bit digest as an added key
ValueError: Bloom\MapBuilder::__construct(): Argument #1 ($capacity) must be smaller: the filter would be larger than 4 TiB
ValueError: Bloom\MapBuilder::like(): Argument #1 ($previous) must be a map (for other blobs use Bloom\Builder::like())
ValueError: Bloom\MapBuilder::like(): Argument #1 ($previous) must be a map (for a reverse index use Bloom\ReverseIndexBuilder::like())
ValueError: Bloom\Builder::like(): Argument #1 ($previous) must be neither a reverse index nor a map (for a map use Bloom\MapBuilder::like())
ValueError: Bloom\ReverseIndexBuilder::like(): Argument #1 ($previous) must be a reverse index (for a map use Bloom\MapBuilder::like())
ValueError: Bloom\MapBuilder::like(): Argument #2 ($capacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\MapBuilder::like(): Argument #3 ($valueBits) must be between 1 and 64
ValueError: Bloom\MapBuilder::like(): Argument #3 ($valueBits) must be between 1 and 64
ValueError: Bloom\MapBuilder::like(): Argument #4 ($falsePositiveRate) must be between 0.000000001 and 0.5, or 1 for a map without check bits
ValueError: Bloom\MapBuilder::like(): Argument #7 ($source) must be at most 128 bytes
ValueError: Bloom\MapBuilder::like(): Argument #10 ($onDuplicate) must be "refuse" or "last", "x" given
ValueError: Bloom\MapBuilder::like(): Argument #11 ($jobs) must be between 1 and 64
ValueError: Bloom\MapBuilder::like(): Argument #6 ($layout) must have neither block bytes nor probes
