--TEST--
A publisher that still reads an older head, from a replica that lags, does not delete its own chunks
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_lag
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../stores.inc';

$version = fn (int $number) => chunked(keys("v$number", 300), builtAt: 1_700_000_000 + $number);
$store = new ScriptedStore;
array_map(fn ($number) => $version($number)->publish($store, 'booth'), [1, 2]);
$lagging = $store->values['booth'];
$reads = 0;
$store->script = function (string $called, mixed $keys) use ($store, $lagging, &$reads) {
    if ($called === 'get' && $keys === ['booth'] && $store->values['booth'] !== $lagging) {
        $reads++;
        return ['booth' => $lagging];
    }
    return null;
};
$said = $version(3)->publish($store, 'booth');
check($reads > 0, 'the publisher has read the head before its own');
check($said['warning'] === null, 'no warning: ' . json_encode($said));
$store->script = null;
echo thrown(function () use ($store, $version) {
    check(Bloom\Blob::fetch($store, 'booth')->toString() === $version(3)->toString(), 'the new version is complete');
}), "\n";
// The version before the last one is deleted all the same.
check(array_intersect(chunk_keys($version(1), 'booth'), $store->chunks('booth')) === [], 'the first version is gone');
check(array_diff(chunk_keys($version(2), 'booth'), $store->chunks('booth')) === [], 'the second version is still there');

// The replica lags by several versions, and has caught up with one of them when the publisher looks again.
$store = new ScriptedStore;
$heads = [];
foreach ([1, 2] as $number) {
    $version($number)->publish($store, 'booth');
    $heads[] = $store->values['booth'];
}
$store->script = fn (string $called, mixed $keys) => $called === 'get' && $keys === ['booth']
    ? ['booth' => $heads[(int) ($store->values['booth'] !== $heads[1])]]
    : null;
$version(3)->publish($store, 'booth');
$store->script = null;
echo thrown(fn () => Bloom\Blob::fetch($store, 'booth')), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
nothing
nothing
