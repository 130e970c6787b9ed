--TEST--
An on-demand filter never exceeds its memory, and evicts chunks that have not been used recently
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_budget
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

$blob = chunked(keys('k', 40000), 40000);
$chunks = $blob->info()->chunks;
$key = key_of_each_chunk($blob, 'k');
$size = fn (string $name) => clearstatcache() ?? array_sum(array_map(filesize(...), glob(in_segment("$name/*.bloom"))));

// The file never exceeds the requested memory, nor the size that all chunks need.
foreach ([1, 3, 7, 20, $chunks, $chunks + 1000] as $slots) {
    foreach ([0, 1, 1023] as $more) {
        $memory = memory_for($blob, $slots) + $more;
        $large = Filter::attach('large', store_of($blob), $memory);
        check($large->candidates(keys('k', 40000)) === keys('k', 40000), "$slots slots: no key is missing");
        array_map($large->mightContain(...), $key);
        $info = $large->info();
        check($info->memory <= $memory && $info->memory === $size('large'), "$slots slots: $info->memory bytes of $memory");
        check($info->chunksRoom === min($slots, $chunks) && $info->chunksHere === $info->chunksRoom, "$slots slots: $info->chunksHere chunks");
        check($info->memoryAsked === $memory, 'what was asked for');
        check($info->fetched === $info->evicted + $info->chunksHere, "$slots slots: each that came is here or went");
        Filter::drop('large');
    }
}

// Memory that is too small for one chunk is refused, and no file is left.
$least = memory_for($blob, 1);
echo str_replace($least, 'LEAST', thrown(fn () => Filter::attach('small', store_of($blob, 'small'), 4096))), "\n";
echo str_replace([$least - 1, $least], ['ONE LESS', 'LEAST'], thrown(fn () => Filter::attach('small', store_of($blob, 'small'), $least - 1))), "\n";
echo thrown(fn () => Filter::open('small'), true), "\n";
check(Filter::attach('small', store_of($blob, 'small'), $least)->info()->chunksRoom === 1, 'the least');

// Chunks that are used between fetches of other chunks remain resident. The other chunks are evicted.
$store = store_of($blob);
$large = Filter::attach('large', $store, memory_for($blob, 8));
$lost = 0;
for ($i = 0; $i < 500; $i++) {
    foreach ([0, 1, 2, 3] as $hot) {
        $large->mightContain($key[$hot]);
        $lost += $store->takeLog() !== '';
    }
    $large->mightContain($key[4 + $i * 7 % ($chunks - 4)]);
    $store->takeLog();
}
check($lost <= 16, "the hot ones were fetched $lost times");
check($large->info()->evicted > 400, 'the others came and went: ' . $large->info()->evicted);

// A batch fetches as many chunks as fit. For the remaining keys of the batch, the answer is "maybe".
$store = store_of($blob, 'batch');
$batch = Filter::attach('batch', $store, memory_for($blob, 8));
check($batch->candidates($key) === $key, 'all may be there');
echo $store->takeLog(), ', ', str_replace($chunks, 'all', counters($batch, 'misses', 'fetched', 'evicted')), "\n";
check($batch->info()->untold === $chunks - 8, 'the others were untold');
$out = array_map(fn (string $key) => "not $key", $key);
check(count($batch->candidates(array_slice($out, 0, 8))) < 8, 'a batch that fits is told');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\SegmentException: small: 4096 bytes requested, LEAST needed: the memory must be large enough for the filter's head and one chunk
Bloom\SegmentException: small: ONE LESS bytes requested, LEAST needed: the memory must be large enough for the filter's head and one chunk
Bloom\NotFoundException
get 2, get 8, misses all, fetched 8, evicted 0
