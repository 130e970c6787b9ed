--TEST--
A head that is replaced while its chunks are fetched restarts the fetch, a bounded number of times
--DESCRIPTION--
fault: head-changes
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_head_replaced
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$booth = Filter::load('booth', chunked(keys('old', 5000), builtAt: 1));
$store = new ScriptedStore;
$version = 0;
$publish = function () use ($store, &$version) {
    $script = $store->script;
    $store->script = null;
    // Two publishes collect the chunks of the version that the sync is fetching.
    foreach ([1, 2] as $i) {
        $version++;
        chunked(keys("v$version-", 5000), builtAt: 1_700_000_000 + $version)->publish($store, 'booth', retain: 2);
    }
    $store->script = $script;
};
foreach ([1, 2, 3] as $times) {
    $publish();
    $left = $times;
    $store->log = [];
    $store->script = function (string $called, array $keys) use (&$left, $publish, $store) {
        if ($called === 'get' && end($keys) !== 'booth' && $left-- > 0) {
            $publish();
        }
    };
    $text = thrown(fn () => Filter::sync('booth', $store, 0));
    $gets = count(preg_grep('/^get/', $store->log));
    $store->script = null;
    echo "$times times: $text, ", $booth->mightContain("v$version-1") ? 'the newest' : 'the one before', " is served\n";
}
var_dump(switched(Filter::sync('booth', $store, 0)), $booth->mightContain("v$version-1"));

// fetch() behaves the same way.
$left = 1;
$store->script = function (string $called, array $keys) use (&$left, $publish) {
    if ($called === 'get' && end($keys) !== 'booth' && $left-- > 0) {
        $publish();
    }
};
var_dump(Bloom\Blob::fetch($store, 'booth')->mightContain("v$version-1"));
$left = 99;
echo thrown(fn () => Bloom\Blob::fetch($store, 'booth')), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
1 times: nothing, the newest is served
2 times: nothing, the newest is served
3 times: Bloom\StoreException: a chunk: missing from the store, the one before is served
bool(true)
bool(true)
bool(true)
Bloom\StoreException: a chunk: missing from the store
