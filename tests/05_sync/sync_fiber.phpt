--TEST--
A sync suspended in a fiber holds no lock, and one that is never resumed leaves nothing behind
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_fiber
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../stores.inc';
use Bloom\Filter;

$booth = Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$files = tree(segment_path());
$make = function () {
    $store = new ScriptedStore;
    chunked(keys('new', 3000))->publish($store, 'booth');
    $store->script = function (string $called, array $keys) {
        if ($keys !== ['booth']) {
            Fiber::suspend('fetching');
        }
    };
    return $store;
};
// Resumed later: it ends as if nothing had been.
$fiber = new Fiber(fn () => Filter::sync('booth', $make(), 0));
var_dump($fiber->start());
check($booth->mightContain('old1'), 'lookups go on');
var_dump(Filter::sync('booth', $make(), 0));
Filter::load('other', blob_of(['a']));
Filter::load('booth', chunked(keys('between', 3000), builtAt: 2));
check($booth->mightContain('between1'), 'a load does not wait for it');
$fiber->resume();
$fiber->resume(); // what it compared with was replaced meanwhile: it looks and fetches again
var_dump($fiber->getReturn(), $booth->mightContain('new1'));

// Given up: destroyed with its last reference.
Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$fiber = new Fiber(fn () => Filter::sync('booth', $make(), 0));
$fiber->start();
check(count(preg_grep('/tmp$/', tree(segment_path()))) === 1, 'it stages');
$fiber = null;
gc_collect_cycles();
check(!preg_grep('/tmp$/', tree(segment_path())), 'nothing is left: ' . implode(' ', tree(segment_path())));
check($booth->mightContain('old1'), 'the old one is served');
$store = $make();
$store->script = null;
var_dump(Filter::sync('booth', $store, 0));

// Never resumed: the process ends.
Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
echo run('require ' . var_export(__DIR__ . '/../stores.inc', true) . ';
    $store = new ScriptedStore;
    chunked(keys("new", 3000))->publish($store, "booth");
    $store->script = fn (string $called, array $keys) => $keys === ["booth"] ? null : Fiber::suspend("fetching");
    $fiber = new Fiber(fn () => Bloom\Filter::sync("booth", $store, 0));
    echo $fiber->start();'), "\n";
check(!preg_grep('/tmp$/', tree(segment_path())), 'nothing is left: ' . implode(' ', tree(segment_path())));
check($booth->mightContain('old1'), 'the old one is served');
var_dump(Filter::sync('booth', $store, 0), $booth->mightContain('new1'));

// An exception thrown into it.
Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$fiber = new Fiber(fn () => Filter::sync('booth', $make(), 0));
$fiber->start();
echo thrown(fn () => $fiber->throw(new DomainException('given up'))), "\n";
check($booth->mightContain('old1'), 'the old one is served');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
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
