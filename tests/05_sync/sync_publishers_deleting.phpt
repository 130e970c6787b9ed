--TEST--
A publisher that deletes old chunks keeps the chunks of versions that other publishers publish in the meantime
--DESCRIPTION--
fault: publishers
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publishers_deleting
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Blob;

// The versions share all chunks but one.
$version = fn (int $number, string ...$more) => chunked([...keys('k', 5000), ...$more], builtAt: 1_700_000_000 + $number);
$one = $version(1, 'one');
$two = $version(2, 'two');
$store_of_two = function () use ($one, $two): ScriptedStore {
    $store = new ScriptedStore;
    $one->publish($store, 'booth', retain: 2);
    $two->publish($store, 'booth', retain: 2);
    return $store;
};
$own_chunks = fn (Blob $blob) => array_values(array_diff(chunk_keys($blob, 'booth'), chunk_keys($version(9), 'booth')));
$is = fn (ScriptedStore $store, Blob $blob) => thrown(function () use ($store, $blob) {
    check(Blob::fetch($store, 'booth')->toString() === $blob->toString(), 'the last version is published');
});

echo "-- a publisher does not end the lock of another one\n";
$store = $store_of_two();
$foreign = 'another 0';
$store->script = function (string $called, $keys = null) use ($store, $own_chunks, $one, $foreign) {
    if ($called === 'delete' && $keys === $own_chunks($one)) {
        $store->values['booth:publisher'] = $foreign;
    }
    return null;
};
$version(3, 'three')->publish($store, 'booth', retain: 2);
check($store->values['booth:publisher'] === $foreign, 'the lock is still taken');

echo "-- a chunk is deleted while the others are written\n";
$store = $store_of_two();
$back = $version(6, 'one', 'six');
$isFirst = true;
$store->script = function (string $called, $key = null) use ($store, $back, $version, &$isFirst) {
    if ($called === 'set' && $isFirst) {
        $isFirst = false;
        $version(3, 'three')->publish($store, 'booth', retain: 2); // deletes the chunk with "one"
    } elseif ($called === 'replace' && $key === 'booth') {
        $head = substr(func_get_arg(2), 0, 512);
        if (str_starts_with($back->toString(), $head)) {
            echo 'missing when the head is set: ', count(array_diff(chunk_keys($back, 'booth'), array_keys($store->values))), "\n";
        }
    }
    return null;
};
$back->publish($store, 'booth', retain: 2);
echo 'fetched: ', $is($store, $back), "\n";

echo "-- a chunk is deleted again and again\n";
foreach ([1, 2, 3, 4, PHP_INT_MAX] as $times) {
    $store = $store_of_two();
    $new = $version(7, 'seven');
    [$chunk] = $own_chunks($new);
    $deleted = $written = 0;
    $store->script = function (string $called, $key = null) use ($store, $chunk, $times, &$deleted, &$written) {
        $written += $called === 'set' && $key === $chunk;
        if ($called === 'missing' && $deleted < $times) {
            $deleted++;
            unset($store->values[$chunk]);
        }
        return null;
    };
    $said = thrown(fn () => $new->publish($store, 'booth', retain: 2));
    $store->script = null;
    echo $times === PHP_INT_MAX ? 'always' : $times, ": published: $said, written $written times, fetched: ", Blob::fetch($store, 'booth')->toString() === $new->toString() ? 'the new version' : 'the old version', "\n";
}

echo "-- each store call fails once, or from then on\n";
foreach ([false, true] as $isDown) {
    $outcomes = [];
    for ($call = 1, $calls = 1; $call === 1 || $calls >= $call - 1; $call++) {
        $store = $store_of_two();
        $calls = 0;
        $store->script = function () use (&$calls, $call, $isDown) {
            $calls++;
            return $calls === $call || $isDown && $calls > $call ? throw new DomainException('down') : null;
        };
        $warning = null;
        $said = thrown(function () use (&$warning, $store, $version) {
            $warning = $version(3, 'three')->publish($store, 'booth', retain: 2)['warning'];
        });
        $store->script = null;
        $outcomes[] = $warning === null ? $said : 'warning';
        check(thrown(fn () => Blob::fetch($store, 'booth')) === 'nothing', "call $call: the published version is complete");
        // The claim of a publisher that still runs would delay the next publish by a minute.
        if (isset($store->values['booth:publisher'])) {
            $store->values['booth:publisher'] = '';
        }
        $version(4, 'four')->publish($store, 'booth', retain: 2);
        $version(5, 'five')->publish($store, 'booth', retain: 2);
        $used = array_unique([...chunk_keys($version(4, 'four'), 'booth'), ...chunk_keys($version(5, 'five'), 'booth')]);
        check($isDown || $warning === null || count($store->chunks('booth')) === count($used),
            "call $call: a later publish deletes the old chunks");
    }
    echo $isDown ? 'from then on: ' : 'once: ', json_encode(array_count_values($outcomes), JSON_UNESCAPED_SLASHES), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- a publisher does not end the lock of another one
-- a chunk is deleted while the others are written
missing when the head is set: 0
fetched: nothing
-- a chunk is deleted again and again
1: published: nothing, written 2 times, fetched: the new version
2: published: nothing, written 3 times, fetched: the new version
3: published: nothing, written 4 times, fetched: the new version
4: published: Bloom\StoreException: a chunk that was just written: missing from the store, written 5 times, fetched: the old version
always: published: Bloom\StoreException: a chunk that was just written: missing from the store, written 5 times, fetched: the old version
-- each store call fails once, or from then on
once: {"Bloom\\StoreException: the store failed: DomainException: down":16,"warning":5,"nothing":3}
from then on: {"Bloom\\StoreException: the store failed: DomainException: down":16,"warning":5,"nothing":3}
