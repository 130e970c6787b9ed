--TEST--
The chunks of a version that two publishers replace at the same time do not remain in the store
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_two_publishers_leftovers
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../stores.inc';

$version = fn (int $number) => chunked(keys("v$number", 300), builtAt: 1_700_000_000 + $number);
$unnamed = fn (ScriptedStore $store) => array_filter($store->chunks('booth'), fn ($key) =>
    !str_contains($store->values['booth'] . $store->values['booth:previous'], hex2bin(substr($key, strlen('booth:')))));

/** Publishes a blob until just before the first store call that `$is_moment` accepts. */
function publish_until(ScriptedStore $store, Bloom\Blob $blob, Closure $is_moment): Fiber
{
    $fiber = new Fiber(fn () => $blob->publish($store, 'booth'));
    $store->script = function (string $called, $keys = null) use ($store, $is_moment) {
        if ($is_moment($called, $keys)) {
            $store->script = null;
            Fiber::suspend();
        }
        return null;
    };
    $fiber->start();
    check($fiber->isSuspended(), 'the moment comes');
    return $fiber;
}

$is_set = fn (string $key) => fn (string $called, $keys) => $called === 'set' && $keys === $key;
$orders = [
    'one publisher replaces the head while the other one is about to keep it' => function (ScriptedStore $store) use ($version, $is_set) {
        $other = publish_until($store, $version(4), $is_set('booth:previous'));
        $version(3)->publish($store, 'booth');
        $other->resume();
    },
    'both set their heads before one of them deletes old chunks' => function (ScriptedStore $store) use ($version, $is_set) {
        $other = publish_until($store, $version(4), $is_set('booth'));
        $one = publish_until($store, $version(3), fn () => str_starts_with($version(3)->toString(), $store->values['booth']));
        $other->resume();
        $one->resume();
    },
];
foreach ($orders as $order => $publish) {
    $store = new ScriptedStore;
    array_map(fn ($number) => $version($number)->publish($store, 'booth'), [1, 2]);
    $publish($store);
    $published = Bloom\Blob::fetch($store, 'booth')->toString();
    check($published === $version(4)->toString(), "$order: the version whose head was set last is complete");
    $version(5)->publish($store, 'booth');
    echo "$order: ", count($unnamed($store)), " chunks that no head names\n";
    check(!isset($store->values['booth:collecting']), "$order: the mark is deleted");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
one publisher replaces the head while the other one is about to keep it: 0 chunks that no head names
both set their heads before one of them deletes old chunks: 0 chunks that no head names
