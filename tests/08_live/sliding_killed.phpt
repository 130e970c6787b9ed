--TEST--
When a process is killed while it rotates a sliding filter, the next process rotates it, and old keys are forgotten
--DESCRIPTION--
fault: killed-anywhere
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-sliding_killed
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\SlidingFilter;

Clock::own();
$seed = seeded(20260808);
// The filter is large, so that clearing a slot takes a large part of half a window.
$filter = SlidingFilter::create('sliding', 1_000_000, 1e-9, 0.03, 31);
$total = 0;
for ($round = 0; $round < 50; $round++) {
    $count = strlen(fork_and_kill(function ($journal) use ($filter, $round) {
        for ($n = 0; ; $n++) {
            $filter->add("r$round.$n");
            fwrite($journal, '+');
        }
    }, mt_rand(0, 20_000), mt_rand(3, 100)));
    $total += $count;
    // This process can add keys immediately, and finds them unless it was suspended for too long in between.
    for ($n = 0; $n < 20; $n++) {
        $before = hrtime(true);
        check($filter->add("after$round.$n"), "seed $seed, round $round: after$round.$n is new");
        $found = $filter->mightContain("after$round.$n");
        check($found || hrtime(true) - $before > 0.015e9, "seed $seed, round $round: after$round.$n is found");
    }
    Clock::advance(0.031);
    check($filter->candidates(keys("r$round.", $count)) === [], "seed $seed, round $round: all are forgotten");
    // The forgotten keys do not reappear when their slots are used again.
    for ($n = 0; $n < 3; $n++) {
        $filter->add("turn$round.$n");
        check($filter->candidates(keys("r$round.", $count)) === [], "seed $seed, round $round, turn $n: they do not come back");
        Clock::advance(0.016);
    }
}
check($total > 100, "$total keys in all");
check_left('in the end');
SlidingFilter::drop('sliding');
check_left('dropped', 0);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
