--TEST--
A publisher or operator that stalls until its lock is taken over, in the call that replaces the head or the override, leaves the replaced version in the list, and no override without its chunks
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_stalls
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Blob;

$blobs = array_map(fn (int $number) => chunked([...keys('k', 5000), ...keys("v$number", 3)], builtAt: 1_700_000_000 + $number), range(0, 3));
$sums = array_map(fn (Blob $blob): string => $blob->info()->checksum, $blobs);
/** Returns the versions of the store, each with how many chunks it lacks. */
$list = fn (ScriptedStore $store): string => implode(' ', array_map(
    fn ($one) => array_search($one->checksum, $sums, true) . ":$one->missingChunks",
    Blob::versions($store, 'booth', verify: true)
));
$begin = function () use ($blobs): ScriptedStore {
    $store = new ScriptedStore;
    array_map(fn (Blob $blob) => $blob->publish($store, 'booth', retain: 2), array_slice($blobs, 0, 2));
    return $store;
};

echo "-- a publisher stalls, and another one publishes the current version again\n";
$store = $begin();
$store->script = function (string $called, array|string $keys) use ($store, $blobs) {
    if ($called === 'replace' && $keys === 'booth') {
        $store->script = null;
        $store->values['booth:publisher'] = '';
        $blobs[1]->publish($store, 'booth', retain: 1);
    }
};
$blobs[2]->publish($store, 'booth', retain: 2);
echo $list($store), "\n";
$blobs[3]->publish($store, 'booth', retain: 2);
echo $list($store), "\n";
check(array_diff($store->chunks('booth'), chunk_keys($blobs[2], 'booth'), chunk_keys($blobs[3], 'booth')) === [], 'chunks are left');

echo "-- a pin stalls, and a publisher that has not seen it deletes the version\n";
$store = $begin();
$publisher = new Fiber(fn () => $blobs[2]->publish($store, 'booth', retain: 1));
$store->script = function (string $called, array|string $keys) use ($store, $publisher) {
    if ($called === 'replace' && $keys === 'booth:override') {
        $store->values['booth:publisher'] = '';
        $store->script = fn (string $called) => $called === 'delete' ? Fiber::suspend() : null;
        $publisher->start();
        $store->script = function (string $called, array|string $keys) use ($publisher) {
            if ($called === 'get' && $keys === ['booth:publisher'] && $publisher->isSuspended()) {
                $publisher->resume();
            }
        };
    }
};
echo thrown(fn () => Blob::pin($store, 'booth', $sums[0])), "\n";
$store->script = null;
$publisher->isTerminated() || $publisher->resume();
echo $list($store), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- a publisher stalls, and another one publishes the current version again
2:0 1:0
3:0 2:0
-- a pin stalls, and a publisher that has not seen it deletes the version
Bloom\StoreException: a chunk of the version: missing from the store
2:0
