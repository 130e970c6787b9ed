--TEST--
A sliding filter keeps each key for at least half a window and forgets it after a whole window
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-sliding_forgetting
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\SlidingFilter;

Clock::own();
Clock::skipPauses();

// At this rate no key is a false positive.
$filter = SlidingFilter::create('sliding', 20000, 1e-9, 0.4, 5);
[$window, $half] = [0.4e9, 0.2e9];
$added = [];   // key => [time before the add, time after the add]
$end = hrtime(true) + 2.5e9;
$looked = $found_young = $gone = 0;
for ($i = 0; hrtime(true) < $end; $i++) {
    $before = hrtime(true);
    check($filter->add("k$i"), "k$i is new");
    $added[] = [$before, hrtime(true)];
    foreach ([$i, $i - 40, $i - 100, $i - 150, $i - 250, $i - 400] as $j) {
        if ($j < 0) {
            continue;
        }
        $before = hrtime(true);
        $found = $filter->mightContain("k$j");
        $after = hrtime(true);
        // Compare only times that are certainly before or after the add and the lookup.
        if ($after - $added[$j][0] < $half) {
            $found_young++;
            check($found, "k$j is found after " . ($after - $added[$j][0]) / 1e6 . ' ms');
        } elseif ($before - $added[$j][1] > $window) {
            $gone++;
            check(!$found, "k$j is forgotten after " . ($before - $added[$j][1]) / 1e6 . ' ms');
        }
    }
    usleep(1000);
}
check($found_young > 0 && $gone > 0, "$found_young young, $gone old");

// Adding a key again renews it.
for ($round = 0; $round < 12; $round++) {
    $filter->add('kept');
    $before = hrtime(true);
    usleep(100_000);
    $found = $filter->mightContain('kept');
    check($found || hrtime(true) - $before >= $half, 'kept');
}

// After an idle period without any call, the keys have expired for lookups, export() and info().
$filter->addMany(keys('last', 1000));
usleep(450_000);
check($filter->candidates(keys('last', 1000)) === [], 'forgotten');
$info = $filter->info();
check([$info->keys, $info->estimatedKeys, $info->setBits, $info->nextFill, $info->measuredFalsePositiveRate] == [0, 0, 0, 0, 0], 'info: ' . json_encode($info));
check(array_sum(array_column($filter->shards(), 'setBits')) === 0, 'shards() are of what lookups use');
$blob = $filter->export();
check($blob->info()->setBits === 0 && !$blob->mightContain('last1'), 'the export is empty');
check($filter->add('last1'), 'new again');
check($filter->add('last2'), 'new again');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
