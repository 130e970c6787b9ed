--TEST--
An on-demand filter gives the same answers as the complete blob, and fetches all needed chunks in one call
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_lookup
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

$blob = chunked(keys('k', 8000));
$chunks = $blob->info()->chunks;
check($chunks >= 8, "$chunks chunks");
$store = store_of($blob);
$large = Filter::attach('large', $store, 1 << 20);
echo $large::class, ' ', $store->takeLog(), ', ', counters($large, 'chunksHere', 'fetched', 'misses', 'untold'), "\n";
check($large->info()->chunksRoom === $chunks && $large->info()->chunks === $chunks, 'room for all');

// Looking up a key fetches its chunk once.
check($large->mightContain('k1') && $large->mightContain('k1'), 'k1');
echo $store->takeLog(), ', ', counters($large, 'chunksHere', 'fetched', 'misses', 'untold'), "\n";

// A batch fetches all missing chunks in one call.
check($large->candidates(keys('k', 8000)) === keys('k', 8000), 'all that were added');
echo str_replace('get ' . $chunks - 1, 'get all but one', $store->takeLog()), "\n";
$others = array_filter(keys('k', 8000), fn (string $key) => chunk_of($blob, $key) !== chunk_of($blob, 'k1'));
check($large->info()->misses === 1 + count($others), 'every key whose chunk was not here is a miss: ' . $large->info()->misses);
check($large->info()->fetched === $chunks && $large->info()->chunksHere === $chunks, 'all are here');

// No further chunks are requested, and all answers match the blob.
for ($i = 0; $i < 20000; $i++) {
    $key = match ($i % 4) { 0 => "out$i", 1 => $i, 2 => "k$i", 3 => "\0$i" };
    if ($large->mightContain($key) !== $blob->mightContain($key)) {
        echo "another answer for $key\n";
    }
}
$some = ['a' => 'k5', 7 => 'no', 'b' => 8, 9 => 'k7', 'no' => 'neither'];
check($large->candidates($some) === array_filter($some, $blob->mightContain(...)), 'array keys are kept');
check($large->candidates([]) === [], 'nothing');
echo $store->takeLog(), 'untold: ', counters($large, 'untold', 'evicted', 'fetchFailures', 'fetchPause', 'lastError'), "\n";
echo thrown(fn () => $large->candidates(['x', 1.5])), "\n";

// Keys of a batch may be references to one variable, which may change during the fetch.
$store = store_of($blob, 'second');
$second = Filter::attach('second', $store, 1 << 20);
$keys = keys('k', 300);
foreach ($keys as &$key) {
}
$store->script = function () use (&$keys) {
    $keys = array_fill(0, 300, ['none']);
    $keys[] = 17;
};
check(count($second->candidates([...$keys, 'k1', 'k1'])) === 302, 'references');
$batch = keys('k', 300);
$one = &$batch[299];
Filter::drop('second');
$second = Filter::attach('second', store_of($blob, 'second'), 1 << 20);
$store = store_of($blob, 'third');
$third = Filter::attach('third', $store, 1 << 20);
$store->script = function () use (&$one) {
    $one = null;
};
echo thrown(fn () => $third->candidates($batch)), "\n";

// info() reports the values of the blob.
$info = $large->info();
foreach (['keys', 'setBits', 'capacity', 'seed', 'probes', 'shardBytes', 'chunkBytes', 'checksum', 'source', 'fill'] as $name) {
    check($info->$name === $blob->info()->$name, "$name: " . json_encode($info->$name));
}
echo $info->kind->value, ' ', $large->name(), ' ', json_encode(in_array('large', Filter::list(), true)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\OnDemandFilter get 2, chunksHere 0, fetched 0, misses 0, untold 0
get 1, chunksHere 1, fetched 1, misses 1, untold 0
get all but one
untold: untold 0, evicted 0, fetchFailures 0, fetchPause 0, lastError null
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, float given at key 1
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key 299
on-demand large true
