--TEST--
A publish that cannot delete old chunks succeeds with a warning, and a later one deletes them
--DESCRIPTION--
fault: collect-killed
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-sync_publish_leftovers
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/../lib/clock.inc';
Clock::own();
Clock::skipPauses(); // of publishers that wait for each other

$version = fn (int $number, string ...$more) => chunked([...keys('k', 5000), ...$more], builtAt: 1_700_000_000 + $number);
$disjoint = fn (int $number) => chunked(keys("v$number", 5000), builtAt: 1_700_000_000 + $number);
$chunks = $disjoint(1)->info()->chunks;
/** A store that keeps chunks, as with files of another user. */
$refuse = fn (string $called, $keys = null) => $called === 'delete' && !str_ends_with($keys[0], ':staged')
    ? throw new DomainException('not yours') : null;
$is = fn (ScriptedStore $store, Bloom\Blob $blob) => Bloom\Blob::fetch($store, 'booth')->toString() === $blob->toString();

echo "-- of one version, and of two\n";
$store = new ScriptedStore;
foreach ([1, 2] as $number) {
    check($disjoint($number)->publish($store, 'booth', retain: 2)['warning'] === null,
        'the first publishes have nothing to delete');
}
$store->script = $refuse;
foreach ([3, 4] as $number) {
    echo $disjoint($number)->publish($store, 'booth', retain: 2)['warning'], "\n";
    check($is($store, $disjoint($number)), "$number is published");
    check(count($store->chunks('booth')) === $number * $chunks, 'no chunk is deleted');
}
check($store->values['booth:publisher'] === '', 'the lock is free');
check(count(heads_in($store->values['booth:versions'])) === 3, 'the list has the versions whose chunks are left');
$store->script = null;
$started = hrtime(true);
check($disjoint(5)->publish($store, 'booth', retain: 2)['warning'] === null, 'no warning');
check(hrtime(true) - $started < 20e9, 'publish does not wait');
check(count($store->chunks('booth')) === 2 * $chunks && $is($store, $disjoint(5)),
    'the chunks of two versions are kept');
check(count(heads_in($store->values['booth:versions'])) === 1, 'the list has only the version that is kept');
$disjoint(4)->publish($store, 'booth', retain: 2);
check($is($store, $disjoint(4)), 'the previous version is complete');

echo "-- the same version again\n";
$store = new ScriptedStore;
array_map(fn ($number) => $disjoint($number)->publish($store, 'booth', retain: 2), [1, 2]);
$store->script = $refuse;
$disjoint(3)->publish($store, 'booth', retain: 2);
echo $disjoint(3)->publish($store, 'booth', retain: 2)['warning'], "\n";
$store->script = null;
check($disjoint(3)->publish($store, 'booth', retain: 2) === ['chunks' => $chunks, 'chunksWritten' => 0, 'bytesWritten' => 0, 'warning' => null],
    'publishing the version again writes nothing');
check(count($store->chunks('booth')) === 2 * $chunks && count(heads_in($store->values['booth:versions'])) === 1,
    'the leftovers are deleted');

echo "-- some are deleted\n";
$store = new ScriptedStore;
array_map(fn ($number) => $disjoint($number)->publish($store, 'booth', retain: 2), [1, 2]);
$store->script = function (string $called, $keys = null) use ($store, $refuse) {
    $called === 'delete' && count($keys) > 3 && $store->values = array_diff_key($store->values, array_flip(array_slice($keys, 3)));
    return $refuse($called, $keys);
};
echo $disjoint(3)->publish($store, 'booth', retain: 2)['warning'], "\n";
$store->script = null;
$disjoint(4)->publish($store, 'booth', retain: 2);
check(count($store->chunks('booth')) === 2 * $chunks, 'the next publish deletes the rest');

echo "-- what was left belongs to a version again\n";
$store = new ScriptedStore;
$one = $version(1, 'one');
array_map(fn ($blob) => $blob->publish($store, 'booth', retain: 2), [$one, $version(2, 'two')]);
$store->script = $refuse;
echo $version(3, 'three')->publish($store, 'booth', retain: 2)['warning'], "\n";
$store->script = null;
check($version(4, 'one')->publish($store, 'booth', retain: 2)['chunksWritten'] === 0, 'the chunk is still there');
check($is($store, $version(4, 'one')), 'the chunk is kept');
$version(3, 'three')->publish($store, 'booth', retain: 2);
check(Bloom\Blob::fetch($store, 'booth')->mightContain('three'), 'the other name is complete too');

echo "-- everything fails once the head is there\n";
foreach (['replace', 'get', 'missing', 'delete'] as $failing) {
    $store = new ScriptedStore;
    array_map(fn ($number) => $disjoint($number)->publish($store, 'booth', retain: 2), [1, 2]);
    $fails = false;
    $store->script = function (string $called, $key = null) use (&$fails, $failing) {
        $fails = $fails || $called === 'delete';
        return $fails && ($called === $failing || $called === 'delete') ? throw new DomainException('down') : null;
    };
    echo "$failing: ", $disjoint(3)->publish($store, 'booth', retain: 2)['warning'], "\n";
    $store->script = null;
    check($is($store, $disjoint(3)), "$failing: published");
}

echo "-- a publisher that died while it deleted\n";
$store = new ScriptedStore;
array_map(fn ($number) => $disjoint($number)->publish($store, 'booth', retain: 2), [1, 2]);
$store->script = fn (string $called) => $called === 'delete' ? Fiber::suspend() : null;
$fiber = new Fiber(fn () => $disjoint(3)->publish($store, 'booth', retain: 2));
$fiber->start();
$store->script = null;
check(preg_match('/^\S* [0-9a-f]{16}$/', $store->values['booth:publisher']) === 1, 'the claim identifies the publisher');
check(count(heads_in($store->values['booth:versions'])) === 2, 'the list still has the old version');
$store->values['booth:publisher'] = '';
$disjoint(4)->publish($store, 'booth', retain: 2);
check(count($store->chunks('booth')) === 2 * $chunks, 'the next publish deletes the leftovers');

echo "-- lists of others\n";
foreach (['', 'garbage', str_repeat("\0", 5000)] as $list) {
    foreach (['', substr($disjoint(1)->toString(), 0, 4096)] as $before) {
        $store = new ScriptedStore;
        array_map(fn ($number) => $disjoint($number)->publish($store, 'booth', retain: 2), [1, 2]);
        $store->values['booth:versions'] = $before . $list;
        check($disjoint(3)->publish($store, 'booth', retain: 2)['warning'] === null && $is($store, $disjoint(3)), 'published');
        check(count($store->chunks('booth')) === ($before === '' ? 3 : 2) * $chunks, 'the chunks of the versions before the garbage are deleted');
        check(heads_in($store->values['booth:versions']) === [substr($disjoint(2)->toString(), 0, 4096)], 'the list is valid again');
    }
}

echo "-- two publishers, step by step, and deletions that fail\n";
for ($seed = 1; $seed <= 100; $seed++) {
    mt_srand($seed);
    $store = new ScriptedStore;
    $store->script = $refuse;
    array_map(fn ($blob) => $blob->publish($store, 'booth', retain: 2), [$one, $version(2, 'two'), $version(3, 'three')]);
    $store->script = function (string $called, $keys = null) use ($refuse, $seed) {
        Fiber::suspend();
        return mt_rand(0, 1) === 0 ? $refuse($called, $keys) : null;
    };
    $fibers = array_map(fn ($blob) => new Fiber(function () use ($blob, $store) {
        try {
            $blob->publish($store, 'booth', retain: 2);
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
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- of one version, and of two
the chunks of 1 old version could not be deleted; the next publish tries again: the store failed: DomainException: not yours
the chunks of 2 old versions could not be deleted; the next publish tries again: the store failed: DomainException: not yours
-- the same version again
the chunks of 1 old version could not be deleted; the next publish tries again: the store failed: DomainException: not yours
-- some are deleted
the chunks of 1 old version could not be deleted; the next publish tries again: the store failed: DomainException: not yours
-- what was left belongs to a version again
the chunks of 1 old version could not be deleted; the next publish tries again: the store failed: DomainException: not yours
-- everything fails once the head is there
replace: the chunks of 1 old version could not be deleted; the next publish tries again: the store failed: DomainException: down
get: the chunks of 1 old version could not be deleted; the next publish tries again: the store failed: DomainException: down
missing: the chunks of 1 old version could not be deleted; the next publish tries again: the store failed: DomainException: down
delete: the chunks of 1 old version could not be deleted; the next publish tries again: the store failed: DomainException: down
-- a publisher that died while it deleted
-- lists of others
-- two publishers, step by step, and deletions that fail
done
