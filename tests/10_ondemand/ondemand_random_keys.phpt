--TEST--
Random keys call the store as often as a chunk is not resident, and not at all once all chunks are
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_random_keys
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

// docs/filters.md tells these numbers to users whose visitors choose the keys.
$blob = blob_of(keys('k', 40_000), 40_000, seed: 1, shardBytes: 1024, chunkBytes: 1024);
$chunks = $blob->info()->chunks;
$calls = function (int $slots, Closure $look) use ($blob): array {
    $store = store_of($blob);
    $filter = Filter::attach('large', $store, memory_for($blob, $slots));
    check($filter->info()->chunksRoom === $slots, "{$filter->info()->chunksRoom} slots");
    $filter->candidates(keys('k', 40_000)); // fills the memory
    $before = $filter->info()->evicted;
    $store->log = [];
    $look($filter);
    $result = [count($store->log), $filter->info()->evicted - $before];
    Filter::drop('large');
    return $result;
};
$one_by_one = fn (Bloom\OnDemandFilter $filter) => array_map(fn (int $i) => $filter->mightContain("random $i"), range(1, 5000));
$pages = fn (Bloom\OnDemandFilter $filter) => array_map(fn (array $page) => $filter->candidates($page), array_chunk(keys('random ', 5000), 20));

[$some, $evicted] = $calls(intdiv($chunks, 5), $one_by_one);
printf("room for a fifth: %.1f calls per key\n", $some / 5000);
check($evicted === $some, "each call evicts a chunk: $evicted of $some");
printf("in pages of 20 keys: %.1f calls per page\n", $calls(intdiv($chunks, 5), $pages)[0] / 250);
[$none, $evicted] = $calls($chunks, $one_by_one);
echo "room for all: $none calls, $evicted evicted\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
room for a fifth: 0.8 calls per key
in pages of 20 keys: 1.0 calls per page
room for all: 0 calls, 0 evicted
