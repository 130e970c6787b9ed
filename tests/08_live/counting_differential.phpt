--TEST--
Random adds and removes of a counting filter agree with an exact multiset
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-counting_differential
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Blob;
use Bloom\CountingFilter;

$seed = seeded(20260202);
// The filter is small, so that keys share counters. Its rate is so low that no key is a false positive.
foreach ([[300, 0.2, false], [3000, 1e-9, true]] as [$capacity, $rate, $is_exact]) {
    $filter = CountingFilter::create('counting', $capacity, $rate, 7);
    $other = worker('
        $filter = Bloom\CountingFilter::open("counting");
        while (($line = fgets(STDIN)) !== false) {
            [$what, $key] = json_decode($line);
            echo json_encode($filter->$what($key)), "\n";
        }
    ');
    $do = function (string $what, string $key) use ($filter, $other) {
        if (mt_rand(0, 4) > 0) {
            return $filter->$what($key);
        }
        $other->say(json_encode([$what, $key]));
        return json_decode($other->hear());
    };
    $exact = [];
    for ($step = 0; $step < 6000; $step++) {
        $key = 'k' . mt_rand(0, $capacity);
        $times = $exact[$key] ?? 0;
        $at = "seed $seed, rate $rate, step $step: $key, there $times times:";
        switch (mt_rand(0, 3)) {
            case 0:
            case 1:
                $new = $do('add', $key);
                check(!$new || $times === 0, "$at new");
                check(!$is_exact || $new === ($times === 0), "$at new or not");
                $exact[$key] = $times + 1;
                break;
            case 2:
                // Remove only added keys here. Absent keys are removed below, where that does no harm.
                if ($times > 0) {
                    check($do('remove', $key), "$at not removed");
                    $exact[$key]--;
                } elseif (!$filter->mightContain($key)) {
                    $before = $filter->info();
                    check($do('remove', $key) === false, "$at removed");
                    check($filter->info() == $before, "$at changed");
                }
                break;
            default:
                $count = $do('count', $key);
                check($count >= min($times, 15), "$at counted $count");
                check(!$is_exact || $count === min($times, 15), "$at counted $count");
                check($filter->mightContain($key) === ($count > 0), "$at mightContain");
        }
    }
    $there = array_keys(array_filter($exact));
    check_held($filter, $there, "seed $seed, rate $rate");
    $blob = $filter->export();
    check(Blob::fromString($blob->toString())->info()->setBits === $filter->info()->setBits, 'the export has the bits');
    foreach ($there as $key) {
        check($blob->mightContain($key), "seed $seed: $key is in the export");
    }
    check($filter->info()->keys === array_sum($exact), "seed $seed: keys are adds less removes");
    // After all keys have been removed, only the counters that have reached 15 remain set.
    foreach ($exact as $key => $times) {
        for (; $times > 0; $times--) {
            check($filter->remove($key), "seed $seed: $key is there to be removed");
        }
    }
    if ($is_exact) {
        check($filter->info()->setBits === 0, "seed $seed: " . $filter->info()->setBits . ' bits are left');
        check($filter->candidates($there) === [], 'no key is left');
    }
    check($other->end() === '', 'the other process reports no error');
    CountingFilter::drop('counting');
}

// A counter that has reached 15 stays there, so its key stays too. Neighboring counters still count down.
$filter = CountingFilter::create('counting', 1000, 1e-9, 7);
for ($i = 1; $i <= 40; $i++) {
    $filter->add('often');
    $filter->add("once $i");
    check($filter->count('often') === min($i, 15), "added $i times: " . $filter->count('often'));
}
for ($i = 0; $i < 14; $i++) {
    $filter->add('nearly');
}
for ($i = 0; $i < 100; $i++) {
    check($filter->remove('often'), 'removed');
    check($filter->count('often') === 15 && $filter->mightContain('often'), "stays after $i removes");
}
for ($i = 13; $i >= 0; $i--) {
    check($filter->remove('nearly') && $filter->count('nearly') === $i, "$i times left");
}
check(!$filter->remove('nearly') && !$filter->mightContain('nearly'), 'gone');
for ($i = 1; $i <= 40; $i++) {
    check($filter->remove("once $i") && !$filter->mightContain("once $i"), "once $i is gone");
}
check($filter->count('never') === 0 && !$filter->remove('never') && !$filter->remove(''), 'never added');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
