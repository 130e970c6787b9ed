--TEST--
When a process is killed while it adds and removes, each change is complete or absent
--DESCRIPTION--
fault: killed-anywhere
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-counting_killed
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\CountingFilter;

$seed = seeded(20260606);
$filter = CountingFilter::create('counting', 2000, 1e-9, 11);
$filter->addMany(keys('stays', 300));

/** Returns the next operation: [key, whether to add it]. It depends only on the earlier ones. Each key is added at most
 * three times, because a counter that reaches 15 stays there. */
function next_operation(array $exact, int &$random): array
{
    $random = ($random * 1103515245 + 12345) & 0x7fffffff;
    $key = 'k' . ($random >> 8) % 60;
    $times = $exact[$key] ?? 0;
    return [$key, $times === 0 || $times < 3 && ($random >> 20) % 2];
}

function note(array &$exact, string $key, bool $add): void
{
    $exact[$key] = ($exact[$key] ?? 0) + ($add ? 1 : -1);
}

$exact = [];
$operations = $in_doubt = 0;
for ($round = 0; $round < 100; $round++) {
    $random = $begin = mt_rand();
    $journal = fork_and_kill(function ($journal) use ($filter, $exact, $begin) {
        for ($random = $begin; ; note($exact, $key, $add)) {
            [$key, $add] = next_operation($exact, $random);
            fwrite($journal, '>');
            $add ? $filter->add($key) : $filter->remove($key);
            fwrite($journal, '.');
        }
    }, mt_rand(0, 1500), $round % 2 * mt_rand(22, 100));
    $done = substr_count($journal, '.');
    for ($n = 0; $n < $done; $n++) {
        [$key, $add] = next_operation($exact, $random);
        note($exact, $key, $add);
    }
    $operations += $done;
    if (str_ends_with($journal, '>')) {
        // The interrupted operation took effect completely or not at all. If it did not, the test repeats it.
        $in_doubt++;
        [$key, $add] = next_operation($exact, $random);
        $times = $exact[$key] ?? 0;
        $count = $filter->count($key);
        check($count === $times || $count === $times + ($add ? 1 : -1), "seed $seed, round $round: $key, there $times times, and " . ($add ? 'added' : 'removed') . " when killed, counts $count");
        if ($count === $times) {
            $add ? $filter->add($key) : $filter->remove($key);
        }
        note($exact, $key, $add);
    }
    foreach ($exact as $key => $times) {
        check($filter->count($key) === $times, "seed $seed, round $round: $key, there $times times, counts {$filter->count($key)}");
        check($filter->mightContain($key) === ($times > 0), "seed $seed, round $round: $key, there $times times, is found or not");
    }
    check($filter->candidates(keys('stays', 300)) === keys('stays', 300), "seed $seed, round $round: all others stay");
}
check($operations > 500 && $in_doubt > 5, "$operations operations, $in_doubt in doubt");
check_left('in the end');

// After all keys have been removed, no bit of an interrupted change is left.
foreach ($exact as $key => $times) {
    while ($times-- > 0) {
        check($filter->remove($key), "$key is there");
    }
}
check($filter->candidates(keys('k', 60)) === [], 'none is left');
$builder = new Bloom\Builder(2000, 1e-9, 11);
$builder->addMany(keys('stays', 300));
check($filter->info()->setBits === $builder->build()->info()->setBits,
    "seed $seed: the bits equal those of a builder: {$filter->info()->setBits} bits");
CountingFilter::drop('counting');
check_left('dropped', 0);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
