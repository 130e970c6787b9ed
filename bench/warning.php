<?php
/* Measures the share of live filters that have a warning when they contain exactly as many keys as their capacity. The rate of
 * such a filter is slightly above or below the requested rate. */

namespace BloomBench;

use Bloom\LiveFilter;

require __DIR__ . '/common.php';

$rows = [['capacity', 'filters', 'with a warning', 'lowest rate', 'highest rate']];
foreach ([1_000, 80_000] as $capacity) {
    $keys = range(1, $capacity);
    $rates = [];
    $warnings = 0;
    for ($i = 0; $i < 200; $i++) {
        $filter = LiveFilter::create('full', $capacity, seed: SEED + $i);
        $filter->addMany($keys);
        $info = $filter->info();
        $rates[] = $info->measuredFalsePositiveRate;
        $warnings += $info->warning !== null ? 1 : 0;
        LiveFilter::drop('full');
    }
    $rows[] = [$capacity, 200, $warnings, sprintf('%.4f %%', 100 * min($rates)), sprintf('%.4f %%', 100 * max($rates))];
}
report('Live filters filled to their capacity at 1 %', $rows, $argv[1]);
