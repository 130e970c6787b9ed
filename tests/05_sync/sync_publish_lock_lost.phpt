--TEST--
A publisher that loses its lock while it looks for the chunks of the published version looks for all of them again
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_lock_lost
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../stores.inc';

$blob = chunked(keys('key', 100_000), capacity: 1_000_000);
$chunks = chunk_keys($blob, 'booth');
check(count($chunks) > 1000, 'one call does not look for all chunks');
$store = new ScriptedStore;
chunked(keys('old', 500), builtAt: 1)->publish($store, 'booth');
$blob->publish($store, 'booth');
$store->script = function (string $called, array|string $keys) use ($store, $chunks) {
    if ($called === 'missing') {
        // Another process takes the lock over, and the last chunk disappears.
        $store->values['booth:publisher'] = '';
        unset($store->values[end($chunks)]);
        $store->script = null;
    }
};
check($blob->publish($store, 'booth', retain: 1)['chunksWritten'] === 1, 'the chunk is written');
check(array_diff($chunks, array_keys($store->values)) === [] && $store->values['booth:publisher'] === '', 'the store is complete');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
