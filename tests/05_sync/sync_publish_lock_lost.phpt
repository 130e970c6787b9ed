--TEST--
A publisher that loses its lock looks for all chunks again, and takes no version out of the list that another publisher needs
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_lock_lost
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';

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

// Another process takes the lock over before the list is shortened, and publishes so that the list remains equal.
[$old, $bad, $new] = array_map(fn (int $number) => chunked(keys("v$number", 500), builtAt: $number), [1, 2, 3]);
$store = new ScriptedStore;
$old->publish($store, 'booth');
$bad->publish($store, 'booth');
Bloom\Blob::rollback($store, 'booth');
$store->script = function (string $called, array|string $keys) use ($store, $new) {
    if ($called === 'delete' && $keys === ['booth:override']) {
        $store->script = null;
        $store->values = [...array_diff_key($store->values, ['booth:override' => 0]), 'booth:publisher' => ''];
        $new->publish($store, 'booth');
    }
};
$old->publish($store, 'booth');
$kept = array_map(fn ($version) => $version->checksum, Bloom\Blob::versions($store, 'booth'));
check($kept === array_map(fn ($blob) => $blob->info()->checksum, [$new, $old, $bad]), 'all three versions are listed: ' . implode(' ', $kept));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
