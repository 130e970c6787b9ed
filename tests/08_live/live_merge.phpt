--TEST--
merge() adds all keys of blobs and live filters of the same geometry, while other processes add, and changes nothing if it refuses
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_merge
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{Blob, Builder, Filter, LiveFilter};

$bits = fn (LiveFilter $filter) => substr(($blob = $filter->export())->toString(), -$blob->info()->shards * $blob->info()->shardBytes);
foreach ([[3000, 0.01], [1, 0.5], [50_000, 1e-6]] as [$capacity, $rate]) {
    $text = "$capacity at $rate";
    $blob = function (array $keys) use ($capacity, $rate): Blob {
        $builder = new Builder($capacity, $rate, seed: 9);
        $builder->addMany($keys);
        return $builder->build(maxFalsePositiveRate: 1);
    };
    $third = max(1, intdiv($capacity, 3));
    $into = LiveFilter::create('into', $capacity, $rate, seed: 9);
    $other = LiveFilter::create('other', $capacity, $rate, seed: 9);
    $into->addMany(keys('a', $third));
    $other->addMany(keys('b', $third));
    $into->merge($other, $blob(keys('c', $third)));
    check_held($into, [...keys('a', $third), ...keys('b', $third), ...keys('c', $third)], $text);
    // The same bits as if the keys had been added.
    $same = LiveFilter::create('same', $capacity, $rate, seed: 9);
    $same->addMany([...keys('a', $third), ...keys('b', $third), ...keys('c', $third)]);
    check($bits($into) === $bits($same), "$text: the bits");
    $keys = $into->info()->keys;
    check(abs($keys - 3 * $third) <= 0.05 * 3 * $third + 2, "$text: $keys keys");
    // Once more, and with itself: nothing changes.
    $into->merge($other, $into);
    check($bits($into) === $bits($same) && abs($into->info()->keys - 3 * $third) <= 0.05 * 3 * $third + 2, "$text: once more");
    check($bits($other) !== $bits($into) || $capacity === 1, "$text: the other filter is unchanged");
    array_map([Filter::class, 'drop'], ['into', 'other', 'same']);
}

// What is refused changes nothing.
$into = LiveFilter::create('into', 1000, seed: 9);
$into->add('k');
$before = $bits($into);
$index = new Bloom\ReverseIndexBuilder(5, 10);
$index->add(1, 'k');
foreach ([
    fn () => $into->merge(LiveFilter::create('seed', 1000, seed: 10)),
    fn () => $into->merge(LiveFilter::create('larger', 5000, seed: 9)),
    fn () => $into->merge(blob_of(['k'], seed: 9, scheme: 'ribbon')),
    fn () => $into->merge($index->build()),
    fn () => $into->merge(Bloom\CountingFilter::create('counting', 1000, seed: 9)),
    fn () => $into->merge(Filter::load('loaded', blob_of(['k']))),
    fn () => $into->merge(blob_of(['other'], seed: 10)),
    fn () => $into->merge('k'),
    fn () => $into->merge(),
] as $call) {
    echo thrown($call), "\n";
}
check($bits($into) === $before && $into->info()->keys === 1, 'unchanged');
// Arguments are merged in order, until one is refused.
echo thrown(fn () => $into->merge(blob_of(['first'], 1000, seed: 9), blob_of(['second'], seed: 8))), "\n";
check($into->mightContain('first') && !$into->mightContain('second'), 'the first one is merged');
$bounded = LiveFilter::create('bounded', 1000, seed: 9, bounded: true);
$bounded->addMany(keys('k', 600));
echo thrown(fn () => $bounded->merge(blob_of(keys('x', 600), 1000, seed: 9))), "\n";
check($bounded->info()->keys === 600, 'not merged');
$bounded->merge(blob_of(keys('x', 300), 1000, seed: 9));
check_held($bounded, [...keys('k', 600), ...keys('x', 300)], 'merged');

// Other processes add while this process merges.
$shared = LiveFilter::create('shared', 40_000, seed: 9);
$adders = [];
for ($i = 0; $i < 3; $i++) {
    $adders[] = new Child('$filter = Bloom\LiveFilter::open("shared");
        echo "ready\n";
        foreach (keys("adder $argv[1] ", 5000) as $key) {
            $filter->add($key);
        }', [], [$i]);
}
foreach ($adders as $adder) {
    $adder->hear();
}
for ($i = 0; $i < 40; $i++) {
    $shared->merge(blob_of(keys("blob $i ", 100), 40_000, seed: 9));
}
foreach ($adders as $i => $adder) {
    check($adder->end() === '', 'an adder');
    check_held($shared, keys("adder $i ", 5000), "adder $i");
}
for ($i = 0; $i < 40; $i++) {
    check_held($shared, keys("blob $i ", 100), "blob $i");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ValueError: Bloom\LiveFilter::merge(): Argument #1 must have the same geometry, seed and secret: seeds differ: 9 and 10
ValueError: Bloom\LiveFilter::merge(): Argument #1 must have the same geometry, seed and secret: shards differ: 2 and 7
Bloom\KindException: scheme ribbon: a ribbon filter or a map cannot be extended or merged
ValueError: Bloom\LiveFilter::merge(): Argument #1 must have the same geometry, seed and secret: shards differ: 2 and 1
TypeError: Bloom\LiveFilter::merge(): Argument #1 must be of type Bloom\Blob|Bloom\LiveFilter, Bloom\CountingFilter given
TypeError: Bloom\LiveFilter::merge(): Argument #1 must be of type Bloom\Blob|Bloom\LiveFilter, Bloom\LoadedFilter given
ValueError: Bloom\LiveFilter::merge(): Argument #1 must have the same geometry, seed and secret: seeds differ: 9 and 10
TypeError: Bloom\LiveFilter::merge(): Argument #1 must be of type Bloom\Blob|Bloom\LiveFilter, string given
ArgumentCountError: Bloom\LiveFilter::merge() expects at least 1 argument, 0 given
ValueError: Bloom\LiveFilter::merge(): Argument #2 must have the same geometry, seed and secret: seeds differ: 9 and 8
Bloom\RateException: bounded: 600 and 600 keys: the filter is full and does not accept more keys (create a larger filter)
