--TEST--
Every argument that is out of range throws a ValueError that names the argument
--DESCRIPTION--
fault: odd-numbers
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$cases = [
    'capacity' => [0, -1, PHP_INT_MIN, 1_000_000_000_001, PHP_INT_MAX],
    'falsePositiveRate' => [0.0, -0.01, 0.51, 1.0, 1e-10, NAN, INF, -INF, -0.0],
    'shardBytes' => [0, -1, 1, 1023, 512, 3000, 131072, PHP_INT_MAX, PHP_INT_MIN, 4294967296 + 8192],
    'blockBytes' => [0, -64, 4, 63, 16384, PHP_INT_MAX, 4294967296 + 64],
    'probes' => [0, -1, 33, PHP_INT_MAX, 4294967296 + 3],
    'bitsPerKey' => [0.0, -1.0, 0.99, 1024.1, NAN, INF, -INF],
    'chunkBytes' => [0, -1, 100, 8193, 2_147_483_648, PHP_INT_MAX],
    'jobs' => [0, -1, 65, PHP_INT_MAX],
    'source' => [str_repeat('s', 129), str_repeat("\0", 4096)],
];
foreach ($cases as $name => $values) {
    $texts = [];
    foreach ($values as $value) {
        $shown = is_string($value) ? strlen($value) . ' bytes' : var_export($value, true);
        $texts[thrown(fn () => new Bloom\Builder(...laid_out(['capacity' => 10000, $name => $value])))][] = $shown;
    }
    foreach ($texts as $text => $shown) {
        echo implode(', ', $shown), "\n  $text\n";
    }
}
echo thrown(fn () => new Bloom\Builder(1_000_000_000_000, 1e-9)), "\n";
echo thrown(fn () => new Bloom\Builder(1_000_000_000_000, bitsPerKey: 1024)), "\n";
echo thrown(fn () => new Bloom\Builder(100, layout: new Bloom\Layout(blockBytes: 8192, shardBytes: 4096))), "\n";
foreach ([[], ['ten'], [1.5], [null], [10, 'x'], [10, 0.01, 1.5], [10, 0.01, 'x']] as $arguments) {
    echo thrown(fn () => @new Bloom\Builder(...$arguments)), "\n";
}

// The limits themselves are valid.
foreach ([
    ['capacity' => 1], ['falsePositiveRate' => 0.5], ['falsePositiveRate' => 1e-9],
    ['shardBytes' => 1024], ['shardBytes' => 65536], ['blockBytes' => 8], ['blockBytes' => 8192, 'shardBytes' => 8192],
    ['probes' => 1], ['probes' => 32], ['bitsPerKey' => 1], ['bitsPerKey' => 1024],
    ['chunkBytes' => 8192, 'shardBytes' => 8192], ['chunkBytes' => 1 << 30],
    ['seed' => PHP_INT_MIN], ['seed' => PHP_INT_MAX], ['seed' => -1], ['source' => str_repeat('s', 128)],
    ['source' => "any \xff\0 bytes"],
] as $arguments) {
    $text = json_encode($arguments, JSON_INVALID_UTF8_SUBSTITUTE);
    $blob = null;
    check(thrown(function () use ($arguments, &$blob) {
        $builder = new Bloom\Builder(...laid_out($arguments + ['capacity' => 100]));
        $builder->add('a');
        $blob = $builder->build(1.0);
    }) === 'nothing', $text);
    $name = array_key_first($arguments);
    check($blob?->info()->$name === $arguments[$name] || $name === 'bitsPerKey', "$text is in the blob");
    check($blob->mightContain('a') && Bloom\Blob::fromString($blob->toString())->mightContain('a'), "$text works");
}
// A layout is a value: it cannot be changed, and null leaves the choice to the builder.
$layout = new Bloom\Layout(2048, chunkBytes: 4096);
check(get_object_vars($layout) === ['shardBytes' => 2048, 'blockBytes' => null, 'probes' => null, 'chunkBytes' => 4096], 'its values');
echo thrown(fn () => $layout->probes = 3), "\n", thrown(fn () => $layout->__construct(1024)), "\n";
check((new Bloom\Builder(9, layout: new Bloom\Layout()))->info()->chunkBytes === 65536, 'all chosen');
$bare = (new ReflectionClass(Bloom\Layout::class))->newInstanceWithoutConstructor();
check((new Bloom\Builder(9, layout: $bare))->info()->chunkBytes === 65536, 'never constructed');
?>
--EXPECT--
0, -1, -9223372036854775807-1, 1000000000001, 9223372036854775807
  ValueError: Bloom\Builder::__construct(): Argument #1 ($capacity) must be between 1 and 1,000,000,000,000 keys
0.0, -0.01, 0.51, 1.0, 1.0E-10, NAN, INF, -INF, -0.0
  ValueError: Bloom\Builder::__construct(): Argument #2 ($falsePositiveRate) must be between 0.000000001 and 0.5
0, -1, 1, 1023, 512, 3000, 131072, 9223372036854775807, -9223372036854775807-1, 4294975488
  ValueError: Bloom\Builder::__construct(): Argument #4 ($layout) has an invalid shardBytes: it must be a power of two from 1024 to 65536
0, -64, 4, 63, 16384, 9223372036854775807, 4294967360
  ValueError: Bloom\Builder::__construct(): Argument #4 ($layout) has an invalid blockBytes: it must be a power of two from 8 to the shard bytes
0, -1, 33, 9223372036854775807, 4294967299
  ValueError: Bloom\Builder::__construct(): Argument #4 ($layout) has an invalid probes: it must be between 1 and 32
0.0, -1.0, 0.99, 1024.1, NAN, INF, -INF
  ValueError: Bloom\Builder::__construct(): Argument #5 ($bitsPerKey) must be between 1 and 1024
0, -1, 100, 8193, 2147483648, 9223372036854775807
  ValueError: Bloom\Builder::__construct(): Argument #4 ($layout) has an invalid chunkBytes: it must be a multiple of the shard bytes, up to 1 GiB
0, -1, 65, 9223372036854775807
  ValueError: Bloom\Builder::__construct(): Argument #10 ($jobs) must be between 1 and 64
129 bytes, 4096 bytes
  ValueError: Bloom\Builder::__construct(): Argument #6 ($source) must be at most 128 bytes
ValueError: Bloom\Builder::__construct(): Argument #2 ($falsePositiveRate) must be above capacity / 2^64, the probability that an absent key has the same 64-bit digest as an added key
ValueError: Bloom\Builder::__construct(): Argument #1 ($capacity) must be smaller: the filter would be larger than 4 TiB
ValueError: Bloom\Builder::__construct(): Argument #4 ($layout) has an invalid blockBytes: it must be a power of two from 8 to the shard bytes
ArgumentCountError: Bloom\Builder::__construct() expects at least 1 argument, 0 given
TypeError: Bloom\Builder::__construct(): Argument #1 ($capacity) must be of type int, string given
nothing
ValueError: Bloom\Builder::__construct(): Argument #1 ($capacity) must be between 1 and 1,000,000,000,000 keys
TypeError: Bloom\Builder::__construct(): Argument #2 ($falsePositiveRate) must be of type float, string given
nothing
TypeError: Bloom\Builder::__construct(): Argument #3 ($seed) must be of type ?int, string given
Error: Cannot modify readonly property Bloom\Layout::$probes
Error: This layout is already constructed
