--TEST--
Absent keys are answered "maybe" at the requested rate, within 4 sigma
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

foreach ([
    ['capacity' => 20000, 'falsePositiveRate' => 0.01],
    ['capacity' => 20000, 'falsePositiveRate' => 0.1],
    ['capacity' => 20000, 'falsePositiveRate' => 0.001],
    ['capacity' => 20000, 'falsePositiveRate' => 0.01, 'blockBytes' => 8192, 'shardBytes' => 8192],
    ['capacity' => 20000, 'falsePositiveRate' => 0.01, 'blockBytes' => 32],
    ['capacity' => 5000, 'bitsPerKey' => 8.0],
] as $arguments) {
    $builder = new Bloom\Builder(...laid_out($arguments), seed: 12345);
    $count = $arguments['capacity'];
    for ($i = 0; $i < $count; $i++) {
        $builder->add("in$i");
    }
    $predicted = $builder->info()->predictedFalsePositiveRate;
    $blob = $builder->build(1.0);
    $measured = $blob->info()->measuredFalsePositiveRate;
    $tries = 200000;
    $hits = 0;
    for ($i = 0; $i < $tries; $i++) {
        $hits += $blob->mightContain("out$i");
    }
    $sigma = sqrt($tries * $measured * (1 - $measured));
    $text = json_encode($arguments);
    check(abs($hits - $tries * $measured) < 4 * $sigma, "$text: $hits hits, expected " . $tries * $measured);
    check(abs($measured - $predicted) < 0.1 * $predicted, "$text: measured $measured, predicted $predicted");
    if (isset($arguments['falsePositiveRate'])) {
        check($predicted <= $arguments['falsePositiveRate'], "$text: predicted $predicted");
    }
    for ($i = 0; $i < $count; $i++) {
        if (!$blob->mightContain("in$i")) {
            die("lost: in$i\n");
        }
    }
    $estimated = $blob->info()->estimatedKeys;
    check(abs($estimated - $count) < 0.02 * $count, "$text: estimated $estimated keys");
}
?>
--EXPECT--
