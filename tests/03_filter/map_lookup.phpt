--TEST--
A loaded map answers as its blob does, in one lookup, in batches and by a mask, and other kinds do not replace it
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-map_lookup
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, Filter, Kind, LiveFilter, LoadedFilter, LoadedMap, MapBuilder, ReverseIndexBuilder};

/** @return array{array<string, int>, Blob} */
$make = function (int $bits, int $keys, float $rate = 0.01): array {
    $table = [];
    for ($i = 0; $i < $keys; $i++) {
        $table["in $i"] = $bits === 64 ? $i << 45 ^ -$i * 7 : $i * 2654435761 & (1 << $bits) - 1;
    }
    $builder = new MapBuilder($keys, $bits, $rate, seed: 3);
    $builder->setMany($table);
    return [$table, $builder->build()];
};

foreach ([[8, 20_000, 0.01], [20, 3000, 0.5], [50, 100, 1.0], [64, 5000, 0.001], [1, 1, 0.01]] as $n => [$bits, $count, $rate]) {
    [$table, $blob] = $make($bits, $count, $rate);
    $map = Filter::load("map$n", $blob);
    check($map instanceof LoadedMap && $map->info()->kind === Kind::Map && $map->info()->scheme->value === 'map', 'a map');
    check($map == LoadedMap::load("map$n", $blob) && LoadedMap::find("map$n") == Filter::open("map$n"), 'its class');
    foreach ($table as $key => $value) {
        check($map->get($key) === $value && $map->mightContain($key), "$bits bits: $key");
    }
    $absent = array_map(fn ($i) => "out $i", range(1, 3000));
    $asked = [...array_keys($table), ...$absent];
    $values = array_map($blob->get(...), $asked);
    check(array_map($map->get(...), $asked) === $values, 'as the blob');
    $expected = array_filter($values, is_int(...));
    foreach ([0, 1, 2, 63, 64, 65, 128, 129, count($asked)] as $size) {
        check($map->getMany(array_slice($asked, 0, $size, true)) === array_intersect_key($expected, $size ? array_flip(range(0, $size - 1)) : []), "$size together");
    }
    check($map->getMany($asked) === $expected, 'together');
    check($map->candidates($asked) === array_intersect_key($asked, $expected), 'candidates');
    check($map->candidates(new ArrayIterator($asked)) === array_values(array_intersect_key($asked, $expected)), 'of an iterator');
    foreach ($bits === 64 ? [1, 6, PHP_INT_MIN, -1, PHP_INT_MAX] : [1, 6, -1, 1 << 62, 1 << max(0, $bits - 1)] as $mask) {
        $masked = array_filter($expected, fn ($value) => ($value & $mask) !== 0);
        check($map->candidates($asked, $mask) === array_intersect_key($asked, $masked), "$bits bits: mask $mask");
        check($map->candidates((fn () => yield from $asked)(), $mask) === array_values(array_intersect_key($asked, $masked)), 'of a generator');
    }
    check($map->candidates($asked, null) === $map->candidates($asked), 'null is no mask');
}
[$table, $blob] = $make(8, 20_000);
$map = Filter::open('map0');

// The keys of arrays are kept, also those of references.
$reference = 'in 7';
$asked = ['x' => 'in 5', 9 => 'in 6', -1 => &$reference, '' => 'in 5'];
check($map->getMany($asked) === ['x' => $table['in 5'], 9 => $table['in 6'], -1 => $table['in 7'], '' => $table['in 5']], 'array keys');
$found = $map->candidates($asked);
$found[-1] = 'changed';
check(array_keys($found) === ['x', 9, -1, ''] && $reference === 'in 7', 'no reference is kept');
check($map->getMany([]) === [] && $map->candidates([]) === [], 'no keys');
foreach ([[['in 1', null], 'list'], [['a' => 'in 1', 'b' => 1.5], 'hash'], [[3 => []], 'hole'], [[new ArrayObject()], 'object']] as [$asked]) {
    echo thrown(fn () => $map->getMany($asked)), "\n", thrown(fn () => $map->candidates($asked, 1)), "\n";
}
foreach ([fn () => $map->candidates(['a'], 0), fn () => $map->getMany('a'), fn () => $map->getMany(new ArrayIterator(['a'])), fn () => $map->get([]),
    fn () => $map->candidates('a')] as $call) {
    echo thrown($call), "\n";
}

// info().
$info = $map->info();
check($info->keys === 20_000 && $info->estimatedKeys === 20_000 && $info->valueBits === 8 && $info->setBits === null, 'info');
check($info->capacity === 20_000 && $info->warning === null && $info->groups === null && $info->stripes >= 10 && $info->mark === null, 'and more');
check($info->measuredFalsePositiveRate <= 0.01 && $info->measuredFalsePositiveRate > 0.005 && $info->falsePositiveRate === 0.01, 'rates');
check($blob->info()->valueBits === 8 && json_decode(json_encode($blob->info()), true)['valueBits'] === 8, 'of the blob');
check($info->bytes === $blob->info()->bytes && abs($info->bitsPerKey - 8 * $info->bytes / 20_000) < 2, "bits per key: $info->bitsPerKey");
$before = $map->info();
$map->get('in 1');
$map->get('out 5');
$map->getMany(['in 1', 'in 2', 'out 5']);
$map->candidates(['in 1'], 255);

// A reload while a handle is in use. All values of a batch are of one generation.
$builder = new MapBuilder(20_000, 8, seed: 3);
foreach ($table as $key => $value) {
    $builder->set($key, 255 - $value);
}
$other = $builder->build();
for ($round = 0; $round < 4; $round++) {
    Filter::load('map0', $round % 2 ? $blob : $other);
    foreach (['in 1', 'in 19999'] as $key) {
        check($map->get($key) === ($round % 2 ? $table[$key] : 255 - $table[$key]), "$key after load $round");
    }
    $values = $map->getMany(array_keys($table));
    check($values === array_values($round % 2 ? $table : array_map(fn ($value) => 255 - $value, $table)), "all after load $round");
}
// The next version may have other value bits.
[$wide, $wideBlob] = $make(64, 5000);
Filter::load('map0', $wideBlob);
check($map->get('in 4999') === $wide['in 4999'] && $map->info()->valueBits === 64, 'other bits');

// A map does not replace a filter, nor a filter a map.
$index = new ReverseIndexBuilder(5, 10);
$others = ['filter' => blob_of(['k']), 'index' => $index->build()];
foreach ($others as $name => $filter) {
    Filter::load($name, $filter);
    echo thrown(fn () => Filter::load('map0', $filter)), "\n", thrown(fn () => Filter::load($name, $blob)), "\n";
    echo thrown(fn () => LoadedMap::load("new-$name", $filter)), "\n", thrown(fn () => LoadedMap::open($name)), "\n";
}
echo thrown(fn () => LoadedFilter::load('new', $blob)), "\n", thrown(fn () => LoadedFilter::open('map0')), "\n";
echo thrown(fn () => LoadedFilter::drop('map0')), "\n", thrown(fn () => LoadedMap::drop('filter')), "\n";
check($map->get('in 1') === $wide['in 1'] && Filter::open('filter')->mightContain('k'), 'nothing was replaced');
check(Filter::find('new') === null && Filter::find('new-filter') === null, 'nothing was created');

// The name is dropped, and then used for another kind.
$dropped = Filter::load('reused', $blob);
check($dropped->get('in 3') === $table['in 3'], 'before');
check(LoadedMap::drop('reused'), 'dropped');
$calls = ['get' => fn () => $dropped->get('in 3'), 'getMany' => fn () => $dropped->getMany(['in 3']), 'candidates' => fn () => $dropped->candidates(['in 3']),
    'with a mask' => fn () => $dropped->candidates(['in 3'], 1)];
foreach ($calls as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}
Filter::load('reused', blob_of(['in 3']));
foreach ($calls as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}
check($dropped->mightContain('in 3') && !$dropped->mightContain('other'), 'mightContain() is that of any filter');
Filter::drop('reused');
Filter::load('reused', $other);
check($dropped->get('in 3') === 255 - $table['in 3'], 'a map again');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\LoadedMap::getMany(): Argument #1 ($keys) must contain only values of type string|int, null given at key 1
TypeError: Bloom\LoadedMap::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key 1
TypeError: Bloom\LoadedMap::getMany(): Argument #1 ($keys) must contain only values of type string|int, float given at key "b"
TypeError: Bloom\LoadedMap::candidates(): Argument #1 ($keys) must contain only values of type string|int, float given at key "b"
TypeError: Bloom\LoadedMap::getMany(): Argument #1 ($keys) must contain only values of type string|int, array given at key 3
TypeError: Bloom\LoadedMap::candidates(): Argument #1 ($keys) must contain only values of type string|int, array given at key 3
TypeError: Bloom\LoadedMap::getMany(): Argument #1 ($keys) must contain only values of type string|int, ArrayObject given at key 0
TypeError: Bloom\LoadedMap::candidates(): Argument #1 ($keys) must contain only values of type string|int, ArrayObject given at key 0
ValueError: Bloom\LoadedMap::candidates(): Argument #2 ($mask) must have a bit that is 1: no value has a bit of 0
TypeError: Bloom\LoadedMap::getMany(): Argument #1 ($keys) must be of type array, string given
TypeError: Bloom\LoadedMap::getMany(): Argument #1 ($keys) must be of type array, ArrayIterator given
TypeError: Bloom\LoadedMap::get(): Argument #1 ($key) must be of type string|int, array given
TypeError: Bloom\LoadedMap::candidates(): Argument #1 ($keys) must be of type Traversable|array, string given
Bloom\KindException: {segment}/map0: expected a loaded filter, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: {segment}/filter: expected a map, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: new-filter: expected a Bloom\LoadedMap, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: filter: expected a Bloom\LoadedMap, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: {segment}/map0: expected a loaded reverse index, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: {segment}/index: expected a map, found a loaded reverse index: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: new-index: expected a Bloom\LoadedMap, found a loaded reverse index: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: index: expected a Bloom\LoadedMap, found a loaded reverse index: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: new: expected a Bloom\LoadedFilter, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: map0: expected a Bloom\LoadedFilter, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: map0: expected a loaded filter, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: filter: expected a map, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
get: Bloom\NotFoundException: reused: the filter was dropped
getMany: Bloom\NotFoundException: reused: the filter was dropped
candidates: Bloom\NotFoundException: reused: the filter was dropped
with a mask: Bloom\NotFoundException: reused: the filter was dropped
get: Bloom\KindException: reused: expected a Bloom\LoadedMap, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
getMany: Bloom\KindException: reused: expected a Bloom\LoadedMap, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
candidates: Bloom\KindException: reused: expected a Bloom\LoadedMap, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
with a mask: Bloom\KindException: reused: expected a Bloom\LoadedMap, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
