--TEST--
A store whose methods look up keys gets answers and cannot overflow the stack
--DESCRIPTION--
fault: store-reenters
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_reentrant
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

$blob = chunked(keys('k', 7000));
$chunks = count(chunk_keys($blob, 'large'));

// A handle does not start another fetch while it is already fetching.
$store = store_of($blob);
$large = Filter::attach('large', $store, 1 << 20);
$store->script = function () use ($large, $store) {
    static $depth = 0;
    check(++$depth === 1, 'never within itself');
    $inside = $large->candidates(keys('k', 7000));
    check($inside === keys('k', 7000) && $large->mightContain('k1'), 'maybe, inside');
    $depth--;
};
check($large->candidates(keys('k', 7000)) === keys('k', 7000), 'outside');
echo str_replace((string) $chunks, 'all', $store->takeLog()), ', ', str_replace($chunks, 'all', counters($large, 'fetched', 'chunksHere')), "\n";
check($large->info()->untold === 7001, 'those inside were not told');

// Another handle fetches only unclaimed chunks: chunks that no outer call is fetching.
Filter::drop('large');
$store = store_of($blob);
$large = Filter::attach('large', $store, 1 << 20);
$key = key_of_each_chunk($blob, 'k');
$depth = $deepest = 0;
$store->script = function (string $called, array $keys) use ($store, $key, &$depth, &$deepest) {
    $deepest = max($deepest, ++$depth);
    check(count($keys) === 1, 'a chunk');
    foreach ($key as $one) {
        check(Filter::attach('large', $store, 1 << 20)->mightContain($one), 'maybe');
    }
    $depth--;
};
check($large->mightContain($key[0]), 'maybe');
check($deepest === $chunks, "a level each: $deepest");
$store->script = null;
check($large->candidates($key) === $key && $large->info()->chunksHere === $chunks, 'all came');
check($large->info()->fetched === $chunks && count($store->log) === 1 + $chunks, 'none was fetched twice'); // plus the head

// Any number of filters may look each other up during a fetch without overflowing the stack.
$stores = [];
for ($i = 0; $i < 40; $i++) {
    $stores[$i] = store_of($blob, "filter$i");
    Filter::attach("filter$i", $stores[$i], 1 << 20);
    $stores[$i]->script = function (string $called, array $keys) use (&$stores, $i) {
        if (isset($stores[$i + 1])) {
            check(Filter::attach('filter' . $i + 1, $stores[$i + 1], 1 << 20)->mightContain('k1'), "filter $i: maybe");
        }
    };
}
check(Filter::attach('filter0', $stores[0], 1 << 20)->mightContain('k1'), 'maybe');
$fetched = array_map(fn (int $i) => Filter::open("filter$i")->info()->fetched, array_keys($stores));
echo 'fetched by ', array_sum($fetched), ', untold by ', Filter::open('filter16')->info()->untold, "\n";
check(Filter::attach('filter39', $stores[39], 1 << 20)->mightContain('k1') && Filter::open('filter39')->info()->fetched === 1, 'the level is back');

// The store calls other functions of the extension during a fetch, also for the same filter.
foreach ([
    'collect' => fn () => gc_collect_cycles(),
    'publish' => fn ($store) => $blob->publish($store, 'large'),
    'sync' => fn ($store) => check(!switched(Filter::sync('large', $store, 0)), 'nothing new'),
    'list and info' => fn () => check(Filter::open('large')->info()->chunksHere === 0 && count(Filter::list()) > 40, 'info'),
    'another attach' => fn ($store) => Filter::attach('large', $store, 1 << 20)->candidates(keys('k', 100)),
] as $text => $inside) {
    Filter::drop('large');
    $store = store_of($blob);
    $handle = fn () => Filter::attach('large', $store, 1 << 20);
    $handle();
    $store->script = function () use ($store, $inside) {
        $store->script = null;
        $inside($store);
    };
    check($handle()->mightContain('k1'), "$text: maybe"); // only the running call refers to the handle
    check($handle()->candidates(keys('k', 7000)) === keys('k', 7000), $text);
    check($handle()->info()->fetchFailures === 0, "$text: nothing failed");
}

// The garbage collector frees a store that refers to its own filter.
$store = store_of($blob);
$store->script = fn () => null;
$weak = WeakReference::create($store);
$holder = Filter::attach('large', $store, 1 << 20);
$store->script = function () use ($holder) {
};
unset($store, $holder);
gc_collect_cycles();
var_dump($weak->get());
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
get 2, get all, fetched all, chunksHere all
fetched by 16, untold by 1
NULL
