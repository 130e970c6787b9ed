--TEST--
publish() writes missing chunks, then the head, and deletes the chunks that only versions before the last `retain` ones use
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';

$store = new ScriptedStore;
$one = chunked(keys('k', 5000));
$said = $one->publish($store, 'booth', retain: 2);
$chunks = $one->info()->chunks;
check($said === ['chunks' => $chunks, 'chunksWritten' => $chunks, 'bytesWritten' => $one->info()->bytes, 'warning' => null], json_encode($said));
// The length of a claim depends on the process's name.
$log = fn (): string => preg_replace('/replace (?!4096|8192)\d+/', 'replace {mark}', $store->takeLog());
check(str_ends_with($said = $log(), "missing $chunks, get 1, replace 4096, get 1, replace {mark}, replace 4096, replace {mark}, delete 1, replace {mark}"),
    "publish writes the head after all chunks: $said");
echo 'again: ', json_encode($one->publish($store, 'booth', retain: 2)['chunksWritten']), ' ', $log(), "\n";

// The second version differs in one shard. publish() writes that chunk and the head, and keeps the old chunks.
$two = chunked([...keys('k', 5000), 'two'], builtAt: 1_700_000_001);
echo 'second: ', $two->publish($store, 'booth', retain: 2)['chunksWritten'], ' ', $log(), "\n";
check(count($store->chunks('booth')) === $chunks + 1, 'all chunks of the first version are kept');
// The third publish deletes the chunks that only the first version used.
$three = chunked([...keys('k', 5000), 'two', 'three'], builtAt: 1_700_000_002);
echo 'third: ', $three->publish($store, 'booth', retain: 2)['chunksWritten'], ' ', $log(), "\n";
$named = fn (Bloom\Blob ...$blobs) => count(array_unique(array_merge(...array_map(function ($blob) {
    $bytes = $blob->toString();
    $info = $blob->info();
    return str_split(substr($bytes, 512 + 16 * $info->shards, 16 * $info->chunks), 16);
}, $blobs))));
check(count($store->chunks('booth')) === $named($two, $three), count($store->chunks('booth')) . ' chunks for two versions');
check(Bloom\Blob::fetch($store, 'booth')->toString() === $three->toString(), 'the third is published');
// Publishing the previous version again writes no chunk, because all of them are still there.
echo 'back: ', $two->publish($store, 'booth', retain: 2)['chunksWritten'], "\n";
// Two publishes of entirely different versions delete every old chunk.
chunked(keys('x', 5000), builtAt: 1_700_000_003)->publish($store, 'booth', retain: 2);
chunked(keys('y', 5000), builtAt: 1_700_000_004)->publish($store, 'booth', retain: 2);
check(count($store->chunks('booth')) === 2 * $chunks, 'two versions: ' . count($store->chunks('booth')));

// Each name has its own chunks. Equal chunks within a blob are written once.
$store->takeLog();
$empty = chunked([]);
echo 'empty: ', json_encode($empty->publish($store, 'empty')), ' ', $log(), "\n";
check(count($store->chunks('empty')) === 1, 'equal chunks are written once');
check(Bloom\Blob::fetch($store, 'empty')->toString() === $empty->toString(), 'fetch() returns the published filter');
check(switched(Bloom\Filter::sync('empty', $store, 0)) && !Bloom\Filter::open('empty')->mightContain('a'),
    'the sync loads the empty filter');

// Publishing again restores an evicted chunk.
$gone = current($store->chunks('booth'));
foreach ($store->chunks('booth') as $key) {
    unset($store->values[$key]);
}
$healed = chunked(keys('y', 5000), builtAt: 1_700_000_004)->publish($store, 'booth', retain: 2);
check($healed['chunksWritten'] === $chunks, 'the retry succeeds');
check(Bloom\Blob::fetch($store, 'booth')->mightContain('y1'), 'fetch() returns the published filter');

// The callback reports bytes of chunks. The last report equals the total.
$reports = [];
chunked(keys('z', 5000), builtAt: 1_700_000_005)->publish($store, 'booth', function (int $bytes, int $total) use (&$reports) {
    $reports[] = $bytes;
    check($total >= $bytes, 'reports never exceed the total');
});
$sorted = $reports;
sort($sorted);
check($reports === $sorted && end($reports) === $chunks * 1024, 'reports rise and end with the total');
echo thrown(fn () => chunked(keys('w', 5000))->publish($store, 'booth', fn () => throw new RuntimeException('stop'))), "\n";
check(Bloom\Blob::fetch($store, 'booth')->mightContain('z1'), 'the published version can be fetched');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
again: 0 get 1, get 10, get 1, get 1, get 1
second: 1 get 1, get 10, set 1024, get 1, get 1, replace {mark}, get 1, get 1, get 1, missing 10, get 1, replace 4096, get 1, replace {mark}, replace 4096, replace 4096, replace {mark}, delete 1, replace {mark}
third: 1 get 1, get 10, set 1024, get 1, get 1, replace {mark}, get 1, get 1, get 1, missing 10, get 1, replace 4096, get 1, replace {mark}, replace 8192, replace 4096, replace {mark}, replace {mark}, delete 1, replace {mark}, replace 4096, delete 1, replace {mark}
back: 0
empty: {"chunks":10,"chunksWritten":1,"bytesWritten":5120,"warning":null} get 1, get 1, set 1024, get 1, get 1, replace {mark}, get 1, get 1, get 1, missing 10, get 1, replace 4096, get 1, replace {mark}, replace 4096, replace {mark}, delete 1, replace {mark}
RuntimeException: stop
