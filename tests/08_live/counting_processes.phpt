--TEST--
Removing keys in one process never affects another process's keys
--DESCRIPTION--
fault: concurrent-changes
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-counting_processes
bloom.lock_timeout=300
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\CountingFilter;

// The filter is small, so that all workers change the same blocks. At this rate no key is a false positive.
$seed = seeded(20260404);
$filter = CountingFilter::create('counting', 3000, 1e-9, 4);
$filter->addMany(keys('stays', 500));
$worker = '
    [, $i, $seed, $steps] = $argv;
    mt_srand($seed + $i);
    $filter = Bloom\CountingFilter::open("counting");
    $exact = [];
    await();
    for ($step = 0; $step < $steps; $step++) {
        $key = "k$i." . mt_rand(0, 200);
        $times = $exact[$key] ?? 0;
        if ($times > 0 && mt_rand(0, 1)) {
            check($filter->remove($key), "$key is removed");
            $exact[$key]--;
        } elseif ($times < 3) {
            check($filter->add($key) === ($times === 0), "$key, there $times times, is new or not");
            $exact[$key] = $times + 1;
        }
        if ($step % 10 === 0) {
            check($filter->count($key) === $exact[$key], "$key is counted");
            check($filter->mightContain($key) === ($exact[$key] > 0), "$key is there or not");
            // All workers keep adding and removing this key.
            $filter->add("shared");
            check($filter->mightContain("shared") && $filter->count("shared") >= 1, "shared is there");
            check($filter->remove("shared"), "shared is removed");
        }
    }
    echo json_encode(array_filter($exact));
';
$reader = '
    $filter = Bloom\CountingFilter::open("counting");
    $keys = keys("stays", 500);
    await();
    for ($n = 0; $n < 150; $n++) {
        check($filter->candidates($keys) === $keys, "a key is lost for a reader");
        check($filter->count("stays$n") === 1, "stays$n is counted once");
    }
';
for ($round = 0; $round < 3; $round++) {
    // Each key is added only a few times, because a counter that reaches 15 stays there.
    $said = race([...array_map(fn ($i) => worker($worker, $i, $seed + 100 * $round, 3000), range(1, 4)), worker($reader), worker($reader)]);
    check($said[4] === '' && $said[5] === '', 'the readers report no error: ' . $said[4] . $said[5]);
    $exact = [];
    foreach (array_slice($said, 0, 4) as $json) {
        $one = json_decode($json, true);
        check(is_array($one) && count($one) > 50, "seed $seed, a worker reports no error: $json");
        $exact += $one ?? [];
    }
    foreach ($exact as $key => $times) {
        check($filter->count($key) === $times, "seed $seed: $key was left $times times, counted {$filter->count($key)}");
    }
    check($filter->candidates(keys('stays', 500)) === keys('stays', 500), "seed $seed: all stay");
    check($filter->info()->keys === array_sum($exact) + 500, "seed $seed: keys");
    // After all keys of the workers have been removed, exactly the bits of the remaining keys are set.
    foreach ($exact as $key => $times) {
        while ($times-- > 0) {
            check($filter->remove($key), "$key is there");
        }
    }
    $builder = new Bloom\Builder(3000, 1e-9, 4);
    $builder->addMany(keys('stays', 500));
    $blob = $builder->build();
    check($filter->info()->setBits === $blob->info()->setBits, "seed $seed: {$filter->info()->setBits} bits instead of {$blob->info()->setBits}");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
