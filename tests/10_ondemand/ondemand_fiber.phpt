--TEST--
A lookup suspended in a fiber holds no lock, and one that is never resumed blocks its chunk only for a few seconds
--DESCRIPTION--
fault: fiber-suspended
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_fiber
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

$blob = chunked(keys('k', 8000));
$chunks = count(chunk_keys($blob, 'large'));
$key = key_of_each_chunk($blob, 'k');
$make = function () use ($blob) {
    Filter::drop('large');
    $store = store_of($blob);
    Filter::attach('large', $store, 1 << 20);
    $store->script = function () {
        Fiber::getCurrent() && Fiber::suspend('fetching');
    };
    return $store;
};
// A suspended lookup is resumed later.
$store = $make();
$large = Filter::attach('large', $store, 1 << 20);
$other = Filter::attach('large', $store, 1 << 20);
$fiber = new Fiber(fn () => $large->mightContain($key[0]));
var_dump($fiber->start());
check($large->mightContain($key[0]) && $large->mightContain($key[1]), 'the same handle asks nothing meanwhile');
check($large->info()->chunksHere === 0 && $large->info()->untold === 2, 'maybe');
check($other->candidates($key) === $key && $other->info()->chunksHere === $chunks - 1, 'another fetches all the others');
$fiber->resume();
check($fiber->getReturn() && $large->info()->chunksHere === $chunks, 'it ends as if nothing had been');
check($large->candidates($key) === $key && $large->info()->fetched === $chunks, 'and goes on');

// A batch is suspended while a new version arrives, or while the filter is dropped.
foreach (['sync', 'drop', 'drop and attach'] as $what) {
    $store = $make();
    $large = Filter::attach('large', $store, 1 << 20);
    $fiber = new Fiber(fn () => $large->candidates([...$key, 'added']));
    $fiber->start();
    if ($what === 'sync') {
        $new = chunked([...keys('k', 7999), 'added'], builtAt: 1_750_000_000);
        $new->publish($store, 'large');
        check(switched(Filter::sync('large', $store, 0)), 'synced');
    } else {
        Filter::drop('large');
        $what === 'drop' || Filter::attach('large', $store, 1 << 20);
    }
    echo "$what: ", thrown(function () use ($fiber, $key) {
        while (!$fiber->isTerminated()) {
            $fiber->resume();
        }
        check($fiber->getReturn() === [...$key, 'added'], 'no key is missing');
    }), "\n";
    check(Filter::find('large')?->candidates($key) === ($what === 'drop' ? null : $key), "$what: afterwards");
}

// The fiber is destroyed with its last reference. Its claims and its right to fetch are released.
$store = $make();
$large = Filter::attach('large', $store, 1 << 20);
$fiber = new Fiber(fn () => $large->candidates($key));
$fiber->start();
$fiber = null;
gc_collect_cycles();
check($large->mightContain($key[0]), 'maybe');
echo counters($large, 'fetchFailures', 'lastError'), "\n";
let_pause_end();
check($large->candidates($key) === $key && $large->info()->chunksHere === $chunks, 'all came: ' . $large->info()->chunksHere);

// An exception thrown into the fiber counts as a failed fetch, and the lookup continues.
$store = $make();
$large = Filter::attach('large', $store, 1 << 20);
$fiber = new Fiber(fn () => $large->mightContain($key[0]));
$fiber->start();
$fiber->throw(new DomainException('given up'));
check($fiber->getReturn(), 'maybe');
echo counters($large, 'fetchFailures', 'lastError'), "\n";

// Many fibers with fetches in progress end in any order.
$store = $make();
$fibers = [];
foreach ($key as $i => $one) {
    $handle = Filter::attach('large', $store, 1 << 20);
    $fibers[$i] = new Fiber(fn () => $handle->mightContain($one));
    $fibers[$i]->start();
}
mt_srand(7);
shuffle($fibers);
array_map(fn (Fiber $fiber) => $fiber->resume(), $fibers);
check(Filter::open('large')->info()->fetched === $chunks, 'each fetched one');

// The process ends without resuming the fiber. No claim is left.
$store = $make();
echo run('require ' . var_export(__DIR__ . '/../lib/ondemand.inc', true) . ';
    $blob = chunked(keys("k", 8000));
    $store = store_of($blob);
    $store->script = fn () => Fiber::suspend("fetching");
    $large = Bloom\Filter::attach("large", $store, 1 << 20);
    $fiber = new Fiber(fn () => $large->mightContain("k1"));
    echo $fiber->start();'), "\n";
let_claims_end($blob);
let_pause_end();
check(Filter::attach('large', $store, 1 << 20)->candidates($key) === $key && Filter::open('large')->info()->chunksHere === $chunks, 'it goes on');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
string(8) "fetching"
sync: nothing
drop: Bloom\NotFoundException: large: the filter was dropped
drop and attach: nothing
fetchFailures 1, lastError "the script ended during the call"
fetchFailures 1, lastError "the store failed: DomainException: given up"
fetching
