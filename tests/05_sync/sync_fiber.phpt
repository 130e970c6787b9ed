--TEST--
A sync suspended in a fiber holds no lock, and one that is never resumed leaves nothing behind
--DESCRIPTION--
fault: fiber-suspended
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_fiber
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$booth = Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$files = tree(segment_path());
$make = function () {
    $store = new ScriptedStore;
    chunked(keys('new', 3000))->publish($store, 'booth');
    $store->script = function (string $called, array $keys) {
        if (end($keys) !== 'booth') {
            Fiber::suspend('fetching');
        }
    };
    return $store;
};
// A sync that is resumed later completes normally.
$fiber = new Fiber(fn () => Filter::sync('booth', $make(), 0));
var_dump($fiber->start());
check($booth->mightContain('old1'), 'lookups work while the sync is suspended');
var_dump(switched(Filter::sync('booth', $make(), 0)));
Filter::load('other', blob_of(['a']));
Filter::load('booth', chunked(keys('between', 3000), builtAt: 2));
check($booth->mightContain('between1'), 'a load does not wait for the suspended sync');
$fiber->resume();
$fiber->resume(); // the generation that the sync compared with has been replaced, so the sync starts over
var_dump(switched($fiber->getReturn()), $booth->mightContain('new1'));

// The fiber is destroyed when its last reference goes away.
Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$fiber = new Fiber(fn () => Filter::sync('booth', $make(), 0));
$fiber->start();
check(count(preg_grep('/tmp$/', tree(segment_path()))) === 1, 'the suspended sync has a staged file');
$fiber = null;
gc_collect_cycles();
check(!preg_grep('/tmp$/', tree(segment_path())), 'no staged file is left: ' . implode(' ', tree(segment_path())));
check($booth->mightContain('old1'), 'the old version is still served');
$store = $make();
$store->script = null;
var_dump(switched(Filter::sync('booth', $store, 0)));

// The process ends without resuming the fiber.
Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
echo run('require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
    $store = new ScriptedStore;
    chunked(keys("new", 3000))->publish($store, "booth");
    $store->script = fn (string $called, array $keys) => end($keys) === "booth" ? null : Fiber::suspend("fetching");
    $fiber = new Fiber(fn () => Bloom\Filter::sync("booth", $store, 0));
    echo $fiber->start();'), "\n";
check(!preg_grep('/tmp$/', tree(segment_path())), 'no staged file is left: ' . implode(' ', tree(segment_path())));
check($booth->mightContain('old1'), 'the old version is still served');
var_dump(switched(Filter::sync('booth', $store, 0)), $booth->mightContain('new1'));

// An exception is thrown into the fiber.
Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$fiber = new Fiber(fn () => Filter::sync('booth', $make(), 0));
$fiber->start();
echo thrown(fn () => $fiber->throw(new DomainException('given up'))), "\n";
check($booth->mightContain('old1'), 'the old version is still served');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
string(8) "fetching"
bool(false)
bool(true)
bool(true)
bool(true)
fetching
bool(true)
bool(true)
Bloom\StoreException: the store failed: DomainException: given up
