--TEST--
A map is published, synced in changed chunks, rolled back and pinned as a filter is, and it follows no journal
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-map_sync
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, DirectoryStore, Filter, Layout, LoadedMap, MapBuilder};

$table = [];
for ($i = 0; $i < 5000; $i++) {
    $table["key $i"] = $i & 255;
}
$first = map_of($table, 1_700_000_000.0);
/** Builds a map with the seed and layout of the first one. */
function map_of(array $table, float $builtAt): Blob
{
    $builder = new MapBuilder(5000, 8, 0.01, seed: 4, layout: new Layout(2048, chunkBytes: 2048));
    $builder->setMany($table);
    return $builder->build($builtAt);
}
/** Checks every value, and the bytes of the file. */
function check_serves(array $table, Blob $blob): void
{
    $map = LoadedMap::open('booth');
    check($map->getMany(array_keys($table)) == array_values($table), 'every value');
    check($map->info()->checksum === $blob->info()->checksum, 'the version');
}

/** Returns a store with a published map. */
function store_with(Blob $blob, string $name): ScriptedStore
{
    $store = new ScriptedStore;
    $blob->publish($store, $name);
    return $store;
}

// Versions, and what a sync fetches of each.
$store = new ScriptedStore;
$first->publish($store, 'booth');
$changed = ['key 7' => 99] + $table;
$added = array_slice($changed, 0, 4990) + ['new' => 5];
$versions = ['all of it' => $table, 'one value' => $changed, 'back' => $table, 'one value again' => $changed, 'fewer keys' => $added];
$built = 1_700_000_001;
foreach ($versions as $name => $pairs) {
    $blob = map_of($pairs, $built++);
    $written = $blob->publish($store, 'booth');
    $store->takeLog();
    check(switched(Filter::sync('booth', $store, 0)), "$name: loaded");
    $log = $store->takeLog();
    check_serves($pairs, $blob);
    if ($name === 'fewer keys') {
        check($written['chunksWritten'] <= 12 && $written['chunksWritten'] < $written['chunks'], "$name: $written[chunksWritten] of $written[chunks]");
    } else {
        echo "$name: $log\n";
    }
    check(!switched(Filter::sync('booth', $store, 0)), 'the next sync changes nothing');
}
check(LoadedMap::open('booth')->get('key 4999') === null || LoadedMap::open('booth')->info()->measuredFalsePositiveRate > 0, 'a removed key');

// A map and a filter do not replace each other in a sync.
blob_of(['k'], builtAt: $built++)->publish($store, 'booth');
echo thrown(fn () => Filter::sync('booth', $store, 0)), "\n";
check_serves($added, $blob);
Filter::load('filter', blob_of(['k']));
$store->values = [];
$first->publish($store, 'filter');
echo thrown(fn () => Filter::sync('filter', $store, 0)), "\n";
check(Filter::open('filter')->mightContain('k'), 'the filter is served');

Filter::load('ribbon', blob_of(['k'], scheme: 'ribbon'));
echo thrown(fn () => Filter::load('ribbon', $first)), "\n", thrown(fn () => Filter::load('booth', blob_of(['k'], scheme: 'ribbon'))), "\n";

// On demand, a journal and a maximum lag.
echo thrown(fn () => Filter::attach('other', $store, 1 << 20)), "\n";
$first->publish($store, 'part');
echo thrown(fn () => Filter::attach('part', $store, 1 << 20)), "\n";
$directory = new DirectoryStore(own_file());
$first->publish($directory, 'booth');
echo thrown(fn () => (new Bloom\Journal('booth', $directory))->add('key')), "\n";
check(thrown(fn () => (new MapBuilder(10, 8))->build(mark: 'x'), class: true) === Error::class, 'a map has no mark');
check(thrown(fn () => Filter::sync('lagging', store_with($first, 'lagging'), 0, maxLag: 5.0)) === 'nothing', 'no journal, no lag');
check(Filter::open('lagging')->info()->mark === null && !Filter::open('lagging')->followsJournal(), 'no journal');

// Neither merged nor imported.
echo thrown(fn () => $first->merge($first)), "\n";
foreach ([Bloom\LiveFilter::class, Bloom\ReverseIndex::class] as $class) {
    echo thrown(fn () => $class::import('live', $first)), "\n";
}
check(Filter::find('live') === null, 'nothing was imported');

// The shards.
$shards = LoadedMap::open('booth')->shards();
check(count($shards) === $first->info()->shards && array_sum(array_column($shards, 'estimatedKeys')) == 4991, 'their keys');
check(min(array_column($shards, 'fill')) >= 0 && max(array_column($shards, 'fill')) < 1 && $shards[0]['setBits'] === null, 'their fill');

// Rollback and pin.
Filter::drop('booth');
Filter::sync('booth', $directory);
check_serves($table, $first);
$second = map_of($changed, 1_700_000_100.0);
$second->publish($directory, 'booth');
Filter::sync('booth', $directory, 0);
check_serves($changed, $second);
Blob::rollback($directory, 'booth');
Filter::sync('booth', $directory, 0);
check_serves($table, $first);
$third = map_of($added, 1_700_000_200.0);
$third->publish($directory, 'booth');
Filter::sync('booth', $directory, 0);
check_serves($added, $third);
Blob::pin($directory, 'booth', $second->info()->checksum);
Filter::sync('booth', $directory, 0);
check_serves($changed, $second);
Blob::unpin($directory, 'booth');
Filter::sync('booth', $directory, 0);
check_serves($added, $third);
foreach (Blob::versions($directory, 'booth') as $version) {
    check($version->error === null && $version->keys > 4000, 'versions');
}

// A damaged chunk never becomes a value.
$store = new ScriptedStore;
$second->publish($store, 'hurt');
foreach ($store->chunks('hurt') as $chunk) {
    $store->values[$chunk][5] = $store->values[$chunk][5] ^ "\1";
    break;
}
check(thrown(fn () => Filter::sync('hurt', $store, 0), class: true) !== 'nothing' && Filter::find('hurt') === null, 'refused');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
all of it: get 2, get 7
one value: get 2, get 1
back: get 2, get 1
one value again: get 2, get 1
Bloom\KindException: booth: expected a loaded filter, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: filter: expected a map, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: {segment}/ribbon: expected a map, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: {segment}/booth: expected a loaded filter, found a map: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\StoreException: other: missing from the store
Bloom\KindException: part: a map cannot be held on demand (load it with Filter::load() or Filter::sync())
Bloom\KindException: booth: the published version does not follow the journal, so no host would find the keys (take a mark with Journal::mark() or bloom mark, then read the keys, build the blob with that mark and publish it)
Bloom\KindException: scheme map: a ribbon filter or a map cannot be extended or merged
Bloom\KindException: scheme map: a ribbon filter or a map cannot be extended or merged
Bloom\KindException: This blob is not a reverse index
