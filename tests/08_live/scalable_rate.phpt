--TEST--
A scalable filter keeps the requested rate up to 1024 times its initial capacity
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-scalable_rate
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\ScalableFilter;

foreach ([[100, 0.01, 2.0, 0.8], [64, 0.05, 1.3, 0.9], [20, 0.001, 4.0, 0.5], [1, 0.01, 16.0, 0.8]] as [$initial, $rate, $growth, $tightening]) {
    $filter = ScalableFilter::create('scalable', $initial, $rate, $growth, $tightening, 99);
    $added = 0;
    for ($times = 1; $times <= 1024; $times *= 2) {
        $text = "$initial keys at $rate, growth $growth, tightening $tightening, $times times";
        for (; $added < $initial * $times; $added++) {
            $filter->add("in$added");
        }
        $info = $filter->info();
        check($info->measuredFalsePositiveRate <= $rate, "$text: measured {$info->measuredFalsePositiveRate}");
        check($info->warning === null && $info->growthFailures === 0, "$text: {$info->warning}");
        check($info->capacity >= $info->keys, "$text: {$info->keys} keys, room for {$info->capacity}");
        $tries = (int) max(20_000, 100 / $rate);
        $hits = hits($filter, "out$times.", $tries);
        check_rate($hits, $tries, $rate, "$text, asked", at_most: true);
        if ($tries * $info->measuredFalsePositiveRate > 20) {
            check_rate($hits, $tries, $info->measuredFalsePositiveRate, "$text, measured");
        }
        $predicted = $info->predictedFalsePositiveRate;
        check(abs($info->measuredFalsePositiveRate - $predicted) < 0.15 * $predicted + 0.0001, "$text: measured {$info->measuredFalsePositiveRate}, predicted $predicted");
    }
    check_held($filter, keys('in', $added), $text);

    // The layers match their documentation.
    $capacity = $initial;
    $sum = 0;
    check(count($info->layers) > 2, 'it grew');
    foreach ($info->layers as $i => $layer) {
        check($layer['capacity'] === (int) $capacity, "$text: layer $i is for {$layer['capacity']} keys instead of $capacity");
        check(abs($layer['falsePositiveRate'] / ($rate * (1 - $tightening) * $tightening ** $i) - 1) < 1e-9 || $layer['falsePositiveRate'] === 1e-9, "$text: layer $i at {$layer['falsePositiveRate']}");
        check($layer['keys'] <= $layer['capacity'] && ($i === count($info->layers) - 1 || $layer['keys'] === $layer['capacity']), "$text: layer $i has {$layer['keys']} keys");
        check($layer['measuredFalsePositiveRate'] <= $layer['falsePositiveRate'] * 1.1, "$text: layer $i measures {$layer['measuredFalsePositiveRate']}");
        $capacity = ceil($capacity * $growth);
        $sum += $layer['falsePositiveRate'];
    }
    check($sum <= $rate, "$text: the layers' rates make $sum");
    check(array_sum(array_column($info->layers, 'shards')) === count($filter->shards()), 'shards() has all layers');
    check(array_sum(array_column($filter->shards(), 'setBits')) === $info->setBits, 'and all bits');
    check(array_sum(array_column($info->layers, 'keys')) === $info->keys, 'and info() all keys');
    ScalableFilter::drop('scalable');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
