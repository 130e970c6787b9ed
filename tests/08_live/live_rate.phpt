--TEST--
Absent keys are answered "maybe" at the predicted rate, within 4 sigma
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_rate
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
foreach (['live', 'counting', 'sliding'] as $kind) {
    foreach ([[20000, 0.01, 200_000], [3000, 0.1, 100_000], [50000, 0.001, 400_000]] as [$capacity, $rate, $tries]) {
        $text = "$kind for $capacity keys at $rate";
        $filter = made($kind, $capacity, $rate, 12345);
        $filter->addMany(keys('in', $capacity));
        $info = $filter->info();
        [$measured, $predicted] = [$info->measuredFalsePositiveRate, $info->predictedFalsePositiveRate];
        check_rate(hits($filter, "out$rate.", $tries), $tries, $measured, "$text, measured");
        check(abs($measured - $predicted) < 0.1 * $predicted, "$text: measured $measured, predicted $predicted");
        check(abs($info->estimatedKeys - $capacity) < 0.02 * $capacity, "$text: estimated {$info->estimatedKeys} keys");
        check($info->keys <= $capacity && $info->keys > $capacity * (1 - $rate), "$text: {$info->keys} keys");
        check($info->falsePositiveRate === $rate && $info->capacity === $capacity, "$text: what was asked for");
        // The rate that a builder with the same parameters predicts.
        $asked = (new Bloom\Builder($capacity, $rate, 12345))->info()->predictedFalsePositiveRate;
        check($asked <= $rate, "$text: predicted $asked");
        check_rate(hits($filter, "other$rate.", $tries), $tries, $asked, "$text, predicted");
        check_held($filter, keys('in', $capacity), $text);
        Bloom\Filter::drop($kind);
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
