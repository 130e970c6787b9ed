--TEST--
When a process is killed while it adds keys, every finished add is kept, and other processes can add keys immediately
--DESCRIPTION--
fault: killed-anywhere
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_killed
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;

$seed = seeded(20260505);
foreach (['live', 'reverse'] as $kind) {
    $filter = made($kind, 200_000, 1e-6);
    $all = [];
    for ($round = 0; $round < 25; $round++) {
        $journal = fork_and_kill(function ($journal) use ($filter, $round) {
            for ($n = 0; ; $n++) {
                put($filter, "r$round.$n");
                fwrite($journal, '+');
            }
        }, mt_rand(0, 1500), $round % 2 * mt_rand(50, 200));
        $done = strlen($journal);
        check_held($filter, keys("r$round.", $done), "seed $seed, $kind, round $round");
        // Repeat the interrupted operation.
        put($filter, "r$round.$done");
        check(held($filter, "r$round.$done"), "seed $seed, $kind, round $round: tried again");
        $all[$round] = $done + 1;
    }
    foreach ($all as $round => $count) {
        check_held($filter, keys("r$round.", $count), "seed $seed, $kind, round $round, in the end");
    }
    check(array_sum($all) > 500, "$kind: " . array_sum($all) . ' keys in all');
    check_left($kind);
    Filter::drop($kind);
    check_left("$kind, dropped", 0);
}

// Processes are killed while they create a filter. The next process creates the filter, or attaches if it exists.
$there = 0;
for ($round = 0; $round < 40; $round++) {
    fork_and_kill(function () {
        foreach (KINDS as $kind) {
            made($kind, 1_000_000);
        }
    }, mt_rand(0, 4000));
    foreach (KINDS as $kind) {
        $there += Filter::find($kind) !== null;
        $filter = made($kind, 1_000_000);
        check(put($filter, 'a') && held($filter, 'a'), "seed $seed, round $round: $kind is made");
    }
    // Each filter has a directory, a control page and a file.
    check_left("seed $seed, round $round", 3 * count(KINDS));
    foreach (KINDS as $kind) {
        check(Filter::drop($kind), "seed $seed, round $round: $kind is dropped");
    }
    check_left("seed $seed, round $round, dropped", 0);
}
check($there > 0 && $there < 40 * count(KINDS), "$there of " . 40 * count(KINDS) . ' were there');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
