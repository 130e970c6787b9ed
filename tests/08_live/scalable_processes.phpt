--TEST--
A scalable filter grows while many processes add and look up keys, and loses no key
--DESCRIPTION--
fault: concurrent-changes
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-scalable_processes
bloom.lock_timeout=300
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\ScalableFilter;

for ($round = 0; $round < 3; $round++) {
    // The filter starts with one key and grows in small steps, about thirty times.
    $filter = ScalableFilter::create('scalable', 1, 1e-6, 1.3, 0.9);
    $filter->addMany(keys('before', 3));
    $adder = '
        [, $i] = $argv;
        $filter = Bloom\ScalableFilter::open("scalable");
        await();
        for ($n = 0; $n < 1500; $n++) {
            $new = $filter->add("k$i.$n");
            check($filter->mightContain("k$i.$n") && !$filter->add("k$i.$n"), "k$i.$n is there at once");
            $filter->add("shared$n");
            $old = "k$i." . intdiv($n, 3);
            check($filter->mightContain($old), "$old is still there");
        }
        check_held($filter, keys("k$i.", 1500), "of adder $i");
    ';
    $reader = '
        $filter = Bloom\ScalableFilter::open("scalable");
        await();
        for ($n = 0; $n < 3000; $n++) {
            check(count($filter->candidates(keys("before", 3))) === 3, "those before are there");
        }
        check_held($filter, keys("before", 3), "for a reader");
    ';
    $said = race([worker($reader), worker($reader), ...array_map(fn ($i) => worker($adder, $i), range(1, 4))]);
    check(array_filter($said) === [], "no process reports an error: " . implode("\n", $said));
    for ($i = 1; $i <= 4; $i++) {
        check_held($filter, keys("k$i.", 1500), "adder $i");
    }
    check_held($filter, keys('shared', 1500), 'shared');
    check_held($filter, keys('before', 3), 'those before');
    $info = $filter->info();
    check(count($info->layers) > 20 && $info->growthFailures === 0, count($info->layers) . ' layers');
    check($info->keys >= 7400 && $info->keys <= 7503 + 3 * 1500, "{$info->keys} keys");
    // Writers wait while the next layer is created, so each process adds at most about one extra key to a layer.
    foreach ($info->layers as $i => $layer) {
        check($layer['keys'] <= $layer['capacity'] + 6, "layer $i, for {$layer['capacity']}, has {$layer['keys']} keys");
    }
    clearstatcache();
    $size = filesize(in_segment('scalable/0000000000000001.bloom'));
    check($info->bytes === $size && $info->segmentBytes === $size + 8192, 'the file is as long as its layers');
    // Six extra keys overfill a layer of four. The rate holds for layers without extra keys.
    $in_time = array_filter($info->layers, fn ($layer) => $layer['keys'] <= $layer['capacity']);
    $rate = array_sum(array_column($in_time, 'measuredFalsePositiveRate'));
    check(count($in_time) > 10 && $rate < 2e-6, count($in_time) . " layers in time, measured $rate");
    ScalableFilter::drop('scalable');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
