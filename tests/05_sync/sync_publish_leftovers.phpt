--TEST--
A publish that cannot delete old chunks succeeds with a warning, and a later one deletes them
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_leftovers
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../stores.inc';

$version = fn (int $number, string ...$more) => chunked([...keys('k', 5000), ...$more], builtAt: 1_700_000_000 + $number);
$disjoint = fn (int $number) => chunked(keys("v$number", 5000), builtAt: 1_700_000_000 + $number);
$chunks = $disjoint(1)->info()->chunks;
/** A store that deletes only the mark and keeps the chunks, as with files of another user. */
$refuse = fn (string $called, $keys = null) => $called === 'delete' && !str_ends_with($keys[0], ':collecting')
    ? throw new DomainException('not yours') : null;
$is = fn (ScriptedStore $store, Bloom\Blob $blob) => Bloom\Blob::fetch($store, 'booth')->toString() === $blob->toString();

echo "-- of one version, and of two\n";
$store = new ScriptedStore;
foreach ([1, 2] as $number) {
    check($disjoint($number)->publish($store, 'booth')['warning'] === null,
        'the first publishes have nothing to delete');
}
$store->script = $refuse;
foreach ([3, 4] as $number) {
    echo $disjoint($number)->publish($store, 'booth')['warning'], "\n";
    check($is($store, $disjoint($number)), "$number is published");
    check(count($store->chunks('booth')) === $number * $chunks, 'no chunk is deleted');
}
check(str_starts_with($store->values['booth:collecting'], "0\n"), 'the mark names no active publisher');
$store->script = null;
$started = hrtime(true);
check($disjoint(5)->publish($store, 'booth')['warning'] === null, 'no warning');
check(hrtime(true) - $started < 20e9, 'publish does not wait');
check(count($store->chunks('booth')) === 2 * $chunks && $is($store, $disjoint(5)),
    'the chunks of two versions are kept');
check(!isset($store->values['booth:collecting']), 'the mark is deleted');
$disjoint(4)->publish($store, 'booth');
check($is($store, $disjoint(4)), 'the previous version is complete');

echo "-- the same version again\n";
$store = new ScriptedStore;
array_map(fn ($number) => $disjoint($number)->publish($store, 'booth'), [1, 2]);
$store->script = $refuse;
$disjoint(3)->publish($store, 'booth');
echo $disjoint(3)->publish($store, 'booth')['warning'], "\n";
$store->script = null;
check($disjoint(3)->publish($store, 'booth') === ['chunks' => $chunks, 'chunksWritten' => 0, 'bytesWritten' => 0, 'warning' => null],
    'publishing the previous version again writes nothing');
check(count($store->chunks('booth')) === 2 * $chunks && !isset($store->values['booth:collecting']),
    'the leftovers are deleted');

echo "-- some are deleted\n";
$store = new ScriptedStore;
array_map(fn ($number) => $disjoint($number)->publish($store, 'booth'), [1, 2]);
$store->script = function (string $called, $keys = null) use ($store, $refuse) {
    $called === 'delete' && count($keys) > 3 && $store->values = array_diff_key($store->values, array_flip(array_slice($keys, 3)));
    return $refuse($called, $keys);
};
echo $disjoint(3)->publish($store, 'booth')['warning'], "\n";
check(strlen($store->values['booth:collecting']) === 2 + 3 * 16, 'the mark lists three chunks');

echo "-- what was left belongs to a version again\n";
$store = new ScriptedStore;
$one = $version(1, 'one');
array_map(fn ($blob) => $blob->publish($store, 'booth'), [$one, $version(2, 'two')]);
$store->script = $refuse;
echo $version(3, 'three')->publish($store, 'booth')['warning'], "\n";
$store->script = null;
check($version(4, 'one')->publish($store, 'booth')['chunksWritten'] === 0, 'the chunk is still there');
check($is($store, $version(4, 'one')), 'the chunk is kept');
$version(3, 'three')->publish($store, 'booth');
check(Bloom\Blob::fetch($store, 'booth')->mightContain('three'), 'the other name is complete too');

echo "-- everything fails once the head is there\n";
foreach (['replace', 'get', 'missing', 'delete'] as $failing) {
    $store = new ScriptedStore;
    array_map(fn ($number) => $disjoint($number)->publish($store, 'booth'), [1, 2]);
    $fails = false;
    $store->script = function (string $called, $key = null) use (&$fails, $failing) {
        $fails = $fails || $called === 'delete';
        return $fails && ($called === $failing || $called === 'delete') ? throw new DomainException('down') : null;
    };
    echo "$failing: ", $disjoint(3)->publish($store, 'booth')['warning'], "\n";
    $store->script = null;
    check($is($store, $disjoint(3)), "$failing: published");
}

echo "-- a publisher that died while it deleted\n";
$store = new ScriptedStore;
array_map(fn ($number) => $disjoint($number)->publish($store, 'booth'), [1, 2]);
$store->script = fn (string $called) => $called === 'delete' ? Fiber::suspend() : null;
$fiber = new Fiber(fn () => $disjoint(3)->publish($store, 'booth'));
$fiber->start();
$store->script = null;
$mark = $store->values['booth:collecting'];
check(strlen(strstr($mark, "\n")) === 1 + 16 * $chunks && preg_match('/^\d{13} \S* [0-9a-f]{16}\n/', $mark) === 1,
    'the mark lists the chunks and the publisher');
$store->values['booth:collecting'] = '1' . strstr($mark, "\n");
$disjoint(4)->publish($store, 'booth');
check(count($store->chunks('booth')) === 2 * $chunks, 'the next publish deletes the leftovers');

echo "-- marks of others\n";
foreach (['', '0', "\n", "0\nshort", 'garbage', '1700000000000', "1700000000000\n", "0\n" . str_repeat('x', 160)] as $mark) {
    $store = new ScriptedStore;
    array_map(fn ($number) => $disjoint($number)->publish($store, 'booth'), [1, 2]);
    $store->values['booth:collecting'] = $mark;
    check($disjoint(3)->publish($store, 'booth')['warning'] === null && $is($store, $disjoint(3)), 'published');
    check(!isset($store->values['booth:collecting']) && count($store->chunks('booth')) === 2 * $chunks, json_encode($mark));
}

echo "-- two publishers, step by step, and deletions that fail\n";
for ($seed = 1; $seed <= 100; $seed++) {
    mt_srand($seed);
    $store = new ScriptedStore;
    $store->script = $refuse;
    array_map(fn ($blob) => $blob->publish($store, 'booth'), [$one, $version(2, 'two'), $version(3, 'three')]);
    $store->script = function (string $called, $keys = null) use ($refuse, $seed) {
        Fiber::suspend();
        return mt_rand(0, 1) === 0 ? $refuse($called, $keys) : null;
    };
    $fibers = array_map(fn ($blob) => new Fiber(function () use ($blob, $store) {
        try {
            $blob->publish($store, 'booth');
        } catch (Bloom\BusyException) {
            // The other one has published a newer version.
        }
    }), [$version(5, 'one'), $version(6, 'four')]);
    while ($fibers) {
        $who = array_rand($fibers);
        for ($steps = mt_rand(1, 6); $steps > 0 && isset($fibers[$who]); $steps--) {
            $fibers[$who]->isStarted() ? $fibers[$who]->resume() : $fibers[$who]->start();
            if ($fibers[$who]->isTerminated()) {
                unset($fibers[$who]);
            }
        }
    }
    $store->script = null;
    $text = thrown(fn () => Bloom\Blob::fetch($store, 'booth'));
    check($text === 'nothing', "seed $seed: $text");
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
-- of one version, and of two
10 old chunks could not be deleted; the next publish tries again: the store failed: DomainException: not yours
20 old chunks could not be deleted; the next publish tries again: the store failed: DomainException: not yours
-- the same version again
10 old chunks could not be deleted; the next publish tries again: the store failed: DomainException: not yours
-- some are deleted
3 old chunks could not be deleted; the next publish tries again: the store failed: DomainException: not yours
-- what was left belongs to a version again
1 old chunk could not be deleted; the next publish tries again: the store failed: DomainException: not yours
-- everything fails once the head is there
replace: 10 old chunks could not be deleted; the next publish tries again: the store failed: DomainException: down
get: 10 old chunks could not be deleted; the next publish tries again: the store failed: DomainException: down
missing: 10 old chunks could not be deleted; the next publish tries again: the store failed: DomainException: down
delete: 10 old chunks could not be deleted; the next publish tries again: the store failed: DomainException: down
-- a publisher that died while it deleted
-- marks of others
-- two publishers, step by step, and deletions that fail
done
