--TEST--
sync() fetches only the chunks that the served generation does not have
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_changed_chunks
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$store = new ScriptedStore;
$versions = [
    [keys('k', 5000), 'all of them'],
    [[...keys('k', 5000), 'a'], 'one key more'],
    [[...keys('k', 5000), 'a', 'b', 'c'], 'two keys more'],
    [keys('k', 5000), 'back'],
    [keys('z', 5000), 'all others'],
];
$built = 1_700_000_000;
foreach ($versions as [$keys, $name]) {
    $blob = chunked($keys, builtAt: $built++);
    $blob->publish($store, 'booth');
    $store->takeLog();
    $switched = switched(Filter::sync('booth', $store, 0));
    echo "$name: ", json_encode($switched), ' ', $store->takeLog(), "\n";
    check(Filter::open('booth')->candidates($keys) === $keys, 'every key is found');
    check(file_get_contents(glob(in_segment('booth/*.bloom'))[0]) === $blob->toString(),
        'the segment file equals the blob byte for byte');
    echo '  again: ', json_encode(switched(Filter::sync('booth', $store, 0))), ' ', $store->takeLog(), "\n";
}
// Rebuilding the same bits changes only the head.
chunked(keys('z', 5000), builtAt: $built++)->publish($store, 'booth');
$store->takeLog();
echo 'only the time: ', json_encode(switched(Filter::sync('booth', $store, 0))), ' ', $store->takeLog(), "\n";
// A different chunk size or seed changes every chunk, so the sync fetches all of them.
blob_of(keys('z', 5000), 8000, $built++, shardBytes: 1024, chunkBytes: 2048)->publish($store, 'booth');
$store->takeLog();
Filter::sync('booth', $store, 0);
echo 'another chunk size: ', $store->takeLog(), "\n";
// A sync fetches a blob of many chunks in several round trips and reports progress between them.
$large = blob_of(keys('z', 300000), 5_000_000, $built++, shardBytes: 65536, chunkBytes: 65536);
$large->publish($store, 'booth');
$store->takeLog();
$reports = [];
Filter::sync('booth', $store, 0, progress: function (int $bytes, int $total) use (&$reports) {
    $reports[] = $bytes / $total;
});
echo 'large: ', $store->takeLog(), ' ', json_encode(array_map(fn ($share) => round($share, 1), $reports)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
all of them: true get 2, get 10
  again: false get 2
one key more: true get 2, get 1
  again: false get 2
two keys more: true get 2, get 2
  again: false get 2
back: true get 2, get 3
  again: false get 2
all others: true get 2, get 10
  again: false get 2
only the time: true get 2
another chunk size: get 2, get 5
large: get 2, get 64, get 31 [0.7,1]
