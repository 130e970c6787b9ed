--TEST--
A publisher that reads an older head, from a replica that lags, replaces no head and deletes no chunk
--DESCRIPTION--
fault: publisher-replica
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_lag
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';

$version = fn (int $number) => chunked(keys("v$number", 300), builtAt: 1_700_000_000 + $number);
$store = new ScriptedStore;
$heads = [];
foreach ([1, 2, 3] as $number) {
    $version($number)->publish($store, 'booth', retain: 2);
    $heads[$number] = $store->values['booth'];
}
// The replica lags by one or two versions, or is in between.
foreach ([[2], [1], [1, 2], [2, 2, 2, 1]] as $seen) {
    $before = $store->values;
    $reads = 0;
    $store->script = function (string $called, mixed $keys) use ($heads, $seen, &$reads) {
        return $called === 'get' && $keys === ['booth'] ? ['booth' => $heads[$seen[min($reads++, count($seen) - 1)]]] : null;
    };
    echo implode(' ', $seen), ': ', thrown(fn () => $version(4)->publish($store, 'booth', retain: 2)), "\n";
    $store->script = null;
    check($store->values['booth'] === $before['booth'], 'the head is still that of version 3');
    check(thrown(fn () => Bloom\Blob::fetch($store, 'booth')) === 'nothing', 'version 3 is complete');
    // Only chunks that no version had before are written.
    $store->values = array_diff_key($store->values, array_flip(chunk_keys($version(4), 'booth')));
}
// Once the replica has caught up, a publish succeeds and deletes what is superfluous.
$version(5)->publish($store, 'booth', retain: 2);
$version(6)->publish($store, 'booth', retain: 2);
$used = [...chunk_keys($version(5), 'booth'), ...chunk_keys($version(6), 'booth')];
check(array_diff($store->chunks('booth'), $used) === [] && array_diff($used, $store->chunks('booth')) === [], 'two versions are there, and complete');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
2: Bloom\BusyException: booth: another process has changed the filter in the meantime
1: Bloom\BusyException: booth: another process has changed the filter in the meantime
1 2: Bloom\BusyException: booth: another process has changed the filter in the meantime
2 2 2 1: Bloom\BusyException: booth: another process has changed the filter in the meantime
