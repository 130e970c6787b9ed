--TEST--
A reverse index returns as many wrong groups as predicted, within 4 sigma
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-reverse_rate
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;
use Bloom\ReverseIndex;
use Bloom\ReverseIndexBuilder;

foreach ([[256, 20000, 0.001, 256], [3000, 20000, 0.01, 64], [1000, 30000, 0.005, 1024], [60000, 20000, 0.002, 256]] as [$groups, $capacity, $rate, $fan_out]) {
    $text = "$groups groups, $capacity values at $rate, fan-out $fan_out";
    $index = ReverseIndex::create('index', $groups, $capacity, $rate, $fan_out, 77);
    $builder = new ReverseIndexBuilder($groups, $capacity, $rate, $fan_out, 77);
    for ($i = 0; $i < $capacity; $i++) {
        $index->add(group_of("v$i", $groups), "v$i");
        $builder->add(group_of("v$i", $groups), "v$i");
    }
    $blob = $builder->build();
    $loaded = Filter::load('loaded', $blob);
    $info = $index->info();
    $measured = $info->measuredFalsePositiveRate;
    check($measured < $rate * 1.1, "$text: measured $measured");
    check(abs($measured - $info->predictedFalsePositiveRate) < 0.1 * $measured, "$text: measured $measured, predicted {$info->predictedFalsePositiveRate}");
    foreach (['groups' => $groups, 'fanOut' => $fan_out, 'levels' => (int) ceil(log($groups, $fan_out) - 1e-9)] as $name => $value) {
        check($info->$name === $value && $blob->info()->$name === $value && $loaded->info()->$name === $value, "$text: $name {$info->$name}");
    }
    foreach (['measuredFalsePositiveRate', 'predictedFalsePositiveRate', 'expectedWrongGroups'] as $name) {
        check(abs($info->$name / $blob->info()->$name - 1) < 1e-6, "$text: live and built say the same $name: {$info->$name}, {$blob->info()->$name}");
    }
    check($blob->info()->expectedWrongGroups === $loaded->info()->expectedWrongGroups, "$text: and loaded");

    // Values in one group. Errors propagate from nodes to children, so the deviation is measured from the answers.
    $sum = $squares = 0;
    $tries = 4000;
    for ($i = 0; $i < $tries; $i++) {
        $found = $index->groups("v$i");
        check(in_array(group_of("v$i", $groups), $found, true), "$text: the group of v$i");
        $wrong = count($found) - 1;
        $sum += $wrong;
        $squares += $wrong ** 2;
    }
    $mean = $sum / $tries;
    $sigma = sqrt(max($squares / $tries - $mean ** 2, 1 / $tries) / $tries);
    check(abs($mean - $info->expectedWrongGroups) <= 4 * $sigma, "$text: $mean wrong groups, expected {$info->expectedWrongGroups}, sigma $sigma");

    // Values in no group. mightContain() is true only if a child of the root passes, and a node on each level below it.
    $children = (int) min($groups, ceil($groups / $fan_out ** ($info->levels - 1)));
    $tries = 20000;
    if ($info->levels === 1) {
        $sum = 0;
        for ($i = 0; $i < $tries; $i++) {
            $sum += count($index->groups("absent$i"));
        }
        check_rate($sum, $tries * $groups, $measured, "$text, absent values");
    }
    check_rate(hits($index, 'none', $tries), $tries, 1 - (1 - $measured) ** $children, "$text, mightContain", at_most: true);
    Filter::drop('index');
    Filter::drop('loaded');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
