--TEST--
Two or three publishers, interleaved in any order, show no head without its chunks, leave the newest version and no superfluous chunk, also if some are killed or stall
--DESCRIPTION--
fault: chunk-twice, publishers
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-sync_publishers_interleaved
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\{Blob, BusyException};

Clock::own();
Clock::skipPauses(); // of publishers that wait for each other

// The versions share most chunks. Some reuse chunks that another publish deletes.
$version = fn (int $number, string ...$more) => chunked([...keys('k', 5000), ...$more], builtAt: 1_700_000_000 + $number);
$base = [$version(1, 'one'), $version(2, 'two')];
$racing = [$version(3, 'three'), $version(4, 'one', 'four'), $version(5, 'two', 'three')];
$last = [$version(8, 'eight'), $version(9, 'nine')];
$chunks = $names = [];
foreach ([...$base, ...$racing, ...$last] as $number => $blob) {
    $names[substr($blob->toString(), 0, 4096)] = $blob;
    $chunks[substr($blob->toString(), 0, 4096)] = chunk_keys($blob, 'booth');
}

/** Checks that the store has all chunks of both heads. */
function check_heads(ScriptedStore $store, array $chunks, string $when): void
{
    $heads = array_slice([$store->values['booth'], ...heads_in($store->values['booth:versions'] ?? '')], 0, 2);
    foreach ($heads as $i => $head) {
        $lacks = array_diff($chunks[$head] ?? ['a known head'], array_keys($store->values));
        check($lacks === [], "$when: version $i lacks " . implode(' ', $lacks));
    }
}

/** Lets the lock of a process that stalls or was killed expire. */
function expire(ScriptedStore $store): void
{
    if (isset($store->values['booth:publisher'])) {
        $store->values['booth:publisher'] = '';
    }
}

/** Publishes the blobs, interleaving store calls in an order set by the seed. Returns what each publisher said. */
function race(ScriptedStore $store, array $blobs, int $seed, string $fault, array $chunks): array
{
    mt_srand($seed);
    $store->script = function () {
        Fiber::suspend();
        return null;
    };
    $said = [];
    $fibers = array_map(fn (Blob $blob) => new Fiber(fn () => thrown(fn () => $blob->publish($store, 'booth', retain: 2))), $blobs);
    while ($fibers) {
        $who = array_rand($fibers);
        // With single steps, no publisher would fall far behind.
        for ($steps = mt_rand(1, 12); $steps > 0 && isset($fibers[$who]); $steps--) {
            $fibers[$who]->isStarted() ? $fibers[$who]->resume() : $fibers[$who]->start();
            if ($fault !== 'stalls') {
                check_heads($store, $chunks, "$fault, seed $seed");
            }
            if ($fibers[$who]->isTerminated()) {
                $said[$who] = $fibers[$who]->getReturn();
                unset($fibers[$who]);
            }
        }
        if ($fault === 'kills' && isset($fibers[$who]) && mt_rand(0, 8) === 0) {
            $GLOBALS['killed'][] = $fibers[$who]; // it is never resumed
            $said[$who] = 'killed';
            unset($fibers[$who]);
            expire($store);
        } elseif ($fault === 'stalls' && mt_rand(0, 5) === 0) {
            expire($store);
        }
    }
    $store->script = null;
    return $said;
}

$killed = $outcomes = [];
foreach (['nothing' => 20, 'kills' => 20, 'stalls' => 20] as $fault => $seeds) {
    for ($seed = 1; $seed <= $seeds; $seed++) {
        $store = new ScriptedStore;
        array_map(fn (Blob $blob) => $blob->publish($store, 'booth', retain: 2), $base);
        $said = race($store, array_slice($racing, 0, 2 + $seed % 2), $seed, $fault, $chunks);
        $when = "$fault, seed $seed";
        foreach ($said as $what) {
            $outcome = str_contains($what, 'built later') ? 'older' : preg_replace('/.*in the meantime/', 'overtaken', $what);
            $outcomes[$fault][$outcome] = ($outcomes[$fault][$outcome] ?? 0) + 1;
        }
        check_heads($store, $chunks, "$when, at the end");
        // The next publishes delete what was left.
        expire($store);
        array_map(fn (Blob $blob) => $blob->publish($store, 'booth', retain: 2), $last);
        check_heads($store, $chunks, "$when, later");
        $used = array_unique(array_merge(...array_map(fn (Blob $blob) => chunk_keys($blob, 'booth'), $last)));
        // A killed publisher may leave chunks that it has written before it took the lock.
        $left = array_diff($store->chunks('booth'), $used);
        check($fault === 'kills' || $left === [], "$when: chunks are left: " . implode(' ', $left));
        $other = array_diff(array_keys(array_filter($store->values)), $store->chunks('booth'), ['booth', 'booth:versions', 'booth:staged']);
        check($other === [], "$when: no mark is left: " . implode(' ', $other));
    }
}
foreach ($outcomes as $fault => $counts) {
    check(($counts['nothing'] ?? 0) > 10 && ($counts['older'] ?? 0) > 2, "$fault: both outcomes are frequent: " . json_encode($counts));
    check(array_diff(array_keys($counts), ['nothing', 'older', 'killed', 'overtaken']) === [], "$fault: " . json_encode($counts));
    check($fault !== 'nothing' || !isset($counts['overtaken']), "$fault: only an older version is refused: " . json_encode($counts));
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
