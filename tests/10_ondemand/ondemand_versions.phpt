--TEST--
A new version takes over the chunks that have not changed, even during a fetch
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_versions
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

$old = chunked(keys('k', 7000), builtAt: 1);
$new = chunked([...keys('k', 7000), 'another', 'added too'], builtAt: 2);
$changed = array_diff(chunk_keys($new, 'large'), chunk_keys($old, 'large'));
$chunks = count(chunk_keys($new, 'large'));
check(count($changed) === 2, 'two chunks changed');

// sync() fetches the head. Lookups fetch the changed chunks.
$store = store_of($old);
$large = Filter::attach('large', $store, 1 << 20);
$large->candidates(keys('k', 7000));
$store->takeLog();
var_dump(switched(Filter::sync('large', $store, 0)));
$new->publish($store, 'large');
$store->takeLog();
check(!$large->mightContain('another'), 'the old version is served');
var_dump(switched(Filter::sync('large', $store, 0)));
echo $store->takeLog(), ', ', counters($large, 'generation', 'keys', 'syncs'), "\n";
check($large->info()->chunksHere === $chunks - 2 && $large->info()->fetched === $chunks, 'the others were taken over');
check($large->mightContain('another') && $large->candidates([...keys('k', 7000), 'added too']) === [...keys('k', 7000), 'added too'], 'the new version is served');
echo $store->takeLog(), ', ', counters($large, 'evicted', 'untold', 'fetchFailures'), "\n";
$wrong = array_filter(keys('out', 3000), fn (string $key) => $large->mightContain($key) !== $new->mightContain($key));
check($wrong === [], 'as the whole');
check($large->info()->memoryAsked === 1 << 20, 'the memory stays');

// An older version is refused unless the sync is forced. If the store lacks the head, nothing changes.
$old->publish($store, 'large');
echo thrown(fn () => Filter::sync('large', $store, 0)), "\n";
check($large->mightContain('another'), 'the newer version is still served');
var_dump(switched(Filter::sync('large', $store, 0, force: true)));
check(!$large->mightContain('another') && $large->candidates(keys('k', 7000)) === keys('k', 7000), 'the old version is served again');
echo thrown(fn () => Filter::sync('large', new ScriptedStore, 0)), "\n";
echo thrown(fn () => Filter::sync('large', store_of((function () {
    $index = new Bloom\ReverseIndexBuilder(300, 1000);
    return $index->build();
})()), 0, force: true)), "\n";
check($large->candidates(keys('k', 7000)) === keys('k', 7000), 'nothing was harmed');

// A head that does not fit into the filter's memory is refused.
$big = chunked(keys('k', 20000), 400_000, builtAt: 3);
Filter::drop('large');
$large = Filter::attach('large', store_of($old), memory_for($old, 2));
$thrown = fn () => preg_replace('/\d+ bytes requested, \d+ needed/', '… bytes requested, … needed', thrown(fn () => Filter::sync('large', store_of($big), 0)));
echo $thrown(), "\n";
check(str_contains($large->info()->lastError, memory_for($big, 1) . ' needed'), 'lastError: ' . $large->info()->lastError);
check($large->candidates(keys('k', 7000)) === keys('k', 7000), 'the old one is served');

// Chunks that arrive during a version change belong to the version that requested them.
foreach ([
    'new version' => function ($store) use ($new) {
        $new->publish($store, 'large');
        check(switched(Filter::sync('large', $store, 0)), 'synced inside');
    },
    'the same again' => fn ($store) => check(!switched(Filter::sync('large', $store, 0)), 'nothing new'),
    'dropped' => fn () => Filter::drop('large'),
    'dropped and attached anew' => function ($store) {
        Filter::drop('large');
        Filter::attach('large', $store, 1 << 19);
    },
    'dropped and loaded' => function () use ($new) {
        Filter::drop('large');
        Filter::load('large', $new);
    },
    'dropped and live' => function () {
        Filter::drop('large');
        Bloom\LiveFilter::create('large', 1000)->add('k1');
    },
] as $text => $inside) {
    foreach ([false, true] as $in_batch) {
        Filter::drop('large');
        $store = store_of($old);
        $large = Filter::attach('large', $store, 1 << 20);
        $store->script = function (string $called, array $keys) use ($inside, $store) {
            $store->script = null;
            $inside($store);
        };
        $say = $in_batch ? fn () => print(json_encode($large->candidates(['k1']))) : fn () => print(json_encode($large->mightContain('k1')));
        echo "$text: ", ($thrown = thrown(fn () => $say())) === 'nothing' ? '' : $thrown, "\n";
        $found = Filter::find('large');
        if ($found instanceof Bloom\OnDemandFilter) {
            check($large->candidates(keys('k', 7000)) === keys('k', 7000), "$text: no key is missing");
            $served = $large->info()->keys === $new->info()->keys ? $new : $old;
            check(array_filter(keys('out', 2000), fn (string $key) => $large->mightContain($key) !== $served->mightContain($key)) === [], "$text: and none too many");
            check($large->info()->untold <= 1 && $large->info()->fetchFailures === 0 && $large->info()->fetchPause === 0.0, "$text: " . counters($large, 'untold', 'fetchFailures'));
        }
    }
}

// If a filter is replaced during a failing call, the failure counts for the new filter.
Filter::drop('large');
$store = store_of($old);
$large = Filter::attach('large', $store, 1 << 20);
$store->script = function (string $called, array $keys) use ($store, $new) {
    $store->script = null;
    $new->publish($store, 'large');
    Filter::sync('large', $store, 0);
    throw new RuntimeException('down');
};
check($large->mightContain('k1') && $large->mightContain('another'), 'both keys are answered "maybe"');
echo counters($large, 'fetchFailures', 'lastError'), "\n";
let_pause_end();
check($large->candidates(keys('k', 7000)) === keys('k', 7000) && $large->info()->chunksHere === $chunks, 'it goes on');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
bool(false)
bool(true)
get 2, generation 2, keys 6997, syncs 2
get 1, get 1, evicted 0, untold 0, fetchFailures 0
Bloom\StoreException: large: the store's version is older than the one served
bool(true)
Bloom\StoreException: large: missing from the store
Bloom\KindException: large: a reverse index was published, but an on-demand filter was requested: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\SegmentException: large: … bytes requested, … needed: the memory must be large enough for the filter's head and one chunk
new version: true
new version: ["k1"]
the same again: true
the same again: ["k1"]
dropped: Bloom\NotFoundException: large: the filter was dropped
dropped: Bloom\NotFoundException: large: the filter was dropped
dropped and attached anew: true
dropped and attached anew: ["k1"]
dropped and loaded: true
dropped and loaded: ["k1"]
dropped and live: true
dropped and live: ["k1"]
fetchFailures 1, lastError "the store failed: RuntimeException: down"
