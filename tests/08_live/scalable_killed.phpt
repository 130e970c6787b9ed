--TEST--
When a process is killed while a scalable filter grows, no key is lost, and other processes can grow it
--DESCRIPTION--
fault: killed-anywhere
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-scalable_killed
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\ScalableFilter;

$seed = seeded(20260707);
$layers = [];
for ($round = 0; $round < 50; $round++) {
    $filter = ScalableFilter::create('scalable', 1, 1e-6, 1.2, 0.9, 21);
    // Three processes are killed in turn. Each continues where the previous one ended.
    $counts = [];
    for ($life = 0; $life < 3; $life++) {
        $counts[$life] = strlen(fork_and_kill(function ($journal) use ($filter, $life) {
            for ($n = 0; ; $n++) {
                $filter->add("v$life.$n");
                fwrite($journal, '+');
            }
        }, mt_rand(0, 700), $round % 2 * mt_rand(0, 300)));
        check_held($filter, keys("v$life.", $counts[$life]), "seed $seed, round $round, life $life");
    }
    $before = $filter->info();
    // This process can still add keys, and so can a process that attaches now.
    $filter->addMany(keys('after', 400));
    $said = $round % 10 ? '' : worker('
        $filter = Bloom\ScalableFilter::open("scalable");
        check_held($filter, keys("after", 400), "elsewhere");
        $filter->addMany(keys("there", 400));
    ')->end();
    check($said === '', "seed $seed, round $round: $said");
    $info = $filter->info();
    check_held($filter, [...keys('after', 400), ...($round % 10 ? [] : keys('there', 400))], "seed $seed, round $round");
    foreach ($counts as $life => $count) {
        check_held($filter, keys("v$life.", $count), "seed $seed, round $round, life $life, in the end");
    }
    check($info->growthFailures === 0 && count($info->layers) >= count($before->layers), "seed $seed, round $round: it grows on");
    check($info->capacity >= $info->keys && $info->warning === null, "seed $seed, round $round: {$info->keys} keys, room for {$info->capacity}");
    $layers[count($before->layers)] = true;
    check_left("seed $seed, round $round");
    ScalableFilter::drop('scalable');
    check_left("seed $seed, round $round, dropped", 0);
}
check(count($layers) > 1, 'killed at different sizes: ' . implode(' ', array_keys($layers)));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
