--TEST--
One complete version is served, no matter what happens to the head while its chunks are fetched
--DESCRIPTION--
fault: head-changes
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_head_changes
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Filter, ReverseIndexBuilder};

/** Returns the head and the chunks of a version by their keys in the store. */
function values(Bloom\Blob $blob): array
{
    $store = new ScriptedStore;
    $blob->publish($store, 'booth');
    return $store->values;
}

$old = chunked(keys('old', 5000), builtAt: 1_000);
$first = values(chunked(keys('first', 5000), builtAt: 3_000));
$older = values(chunked(keys('older', 5000), builtAt: 2_000));
$oldest = values(chunked(keys('oldest', 5000), builtAt: 500));
$newer = values(chunked(keys('newer', 5000), builtAt: 4_000));
$sized = values(blob_of(keys('sized', 5000), 20_000, 4_000, shardBytes: 2048, chunkBytes: 4096));
$seeded = values(blob_of(keys('seeded', 5000), 8000, 4_000, shardBytes: 1024, chunkBytes: 1024, seed: 2));
$chunks = array_diff_key($first, ['booth' => 1]);
$lost = array_slice($chunks, 3, 1, true);
$index = new ReverseIndexBuilder(100, 5000, seed: 1);
foreach (range(0, 99) as $group) {
    $index->add($group, "value$group");
}
$index = values($index->build(builtAt: 4_000));

$changes = [
    'nothing' => $first,
    'a newer one, the first is whole still' => $newer + $first,
    'a newer one, a chunk of the first is gone' => $newer + array_diff_key($first, $lost),
    'a newer one, the first is gone' => $newer,
    'an older one, the first is whole still' => $older + $first,
    'an older one, a chunk of the first is gone' => $older + array_diff_key($first, $lost),
    'one older than what is served, a chunk is gone' => $oldest + array_diff_key($first, $lost),
    'one of other sizes' => $sized,
    'one of another seed' => $seeded,
    'a reverse index' => $index,
    'no head, the chunks are there' => $chunks,
    'no head, a chunk is gone' => array_diff_key($chunks, $lost),
    'all gone' => [],
    'a head of garbage, a chunk is gone' => ['booth' => 'garbage'] + array_diff_key($chunks, $lost),
    'a head of another version, whose chunks are not there' => ['booth' => $newer['booth']],
    'a chunk is gone, and the head stays' => array_diff_key($first, $lost),
];
foreach ($changes as $name => $values) {
    Filter::drop('booth');
    $booth = Filter::load('booth', $old);
    $store = new ScriptedStore;
    $store->values = $first;
    $store->script = function (string $called, array $keys) use ($store, $values) {
        if (end($keys) !== 'booth') {
            $store->values = $values;
        }
    };
    $told = thrown(fn () => check(switched(Filter::sync('booth', $store, 0)), "$name: a sync that does not throw has switched"));
    $known = ['old', 'first', 'older', 'oldest', 'newer', 'sized', 'seeded'];
    $served = fn () => implode(' ', array_filter($known, fn ($prefix) => $booth->candidates(keys($prefix, 5000)) === keys($prefix, 5000)))
        ?: ($booth->mightContain('value7') ? 'index' : 'none');
    echo "$name: $told, ", $served(), ' is served after ', $store->takeLog(), "\n";
    $info = $booth->info();
    check($told === 'nothing' ? $info->generation === 2 : $info->generation === 1 && $info->lastError === preg_replace('/^.*?: /', '', $told), "$name: {$info->lastError}");
    check(!preg_grep('/tmp$/', tree(segment_path())), "$name: no staged file is left");
    // A version that is published afterwards is loaded by the next sync.
    $store->script = null;
    $store->values = $newer;
    check(thrown(fn () => Filter::sync('booth', $store, 0)) === 'nothing' && $served() === 'newer',
        "$name: the next sync succeeds");
    check($booth->info()->syncFailuresInRow === 0, "$name: the count of consecutive failures is reset");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
nothing: nothing, first is served after get 2, get 10
a newer one, the first is whole still: nothing, first is served after get 2, get 10
a newer one, a chunk of the first is gone: nothing, newer is served after get 2, get 10, get 2, get 10
a newer one, the first is gone: nothing, newer is served after get 2, get 10, get 2, get 10
an older one, the first is whole still: nothing, first is served after get 2, get 10
an older one, a chunk of the first is gone: nothing, older is served after get 2, get 10, get 2, get 10
one older than what is served, a chunk is gone: Bloom\StoreException: booth: the store's version is older than the one served, old is served after get 2, get 10, get 2
one of other sizes: nothing, sized is served after get 2, get 10, get 2, get 7
one of another seed: nothing, seeded is served after get 2, get 10, get 2, get 10
a reverse index: Bloom\KindException: booth: expected a loaded reverse index, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name), old is served after get 2, get 10, get 2
no head, the chunks are there: nothing, first is served after get 2, get 10
no head, a chunk is gone: Bloom\StoreException: booth: missing from the store, old is served after get 2, get 10, get 2
all gone: Bloom\StoreException: booth: missing from the store, old is served after get 2, get 10, get 2
a head of garbage, a chunk is gone: Bloom\FormatException: 7 bytes: too short to be a blob, old is served after get 2, get 10, get 2
a head of another version, whose chunks are not there: Bloom\StoreException: a chunk: missing from the store, old is served after get 2, get 10, get 2, get 10, get 2
a chunk is gone, and the head stays: Bloom\StoreException: a chunk: missing from the store, old is served after get 2, get 10, get 2
