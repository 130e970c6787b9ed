<?php
/* Would a function that is told a filter by its name beat the method? What the two calls cost, empty but for finding
 * the name; from PHP 8.4 on the function is a frameless one, where its name is known to the compiler. */

namespace BloomBench;

require __DIR__ . '/common.php';

mt_srand(SEED);
$asked = [];
for ($i = 0; $i < 20_000; $i++) {
    $asked[] = 'absent-' . mt_rand();
}
$empty = new EmptyFilter();
$times = interleaved([
    'empty method' => function () use ($empty, $asked) {
        $found = 0;
        foreach ($asked as $key) {
            if ($empty->mightContain($key)) {
                $found++;
            }
        }
    },
    'empty function, by name' => function () use ($asked) {
        $found = 0;
        foreach ($asked as $key) {
            if (\BloomBench\might_contain('tags1', $key)) {
                $found++;
            }
        }
    },
], 301);
$rows = [['per call', 'median ns', 'p5', 'p95', '× method', 'p5', 'p95']];
foreach ($times as $name => $rounds) {
    $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $times['empty method']);
    $rows[] = [
        $name, ...array_map(fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / count($asked)), [0.5, 0.05, 0.95]),
        ...array_map(fn (float $share) => sprintf('%.2f', quantile($ratios, $share)), [0.5, 0.05, 0.95]),
    ];
}
report(sprintf('What calling costs in PHP %s, %d rounds of %d', PHP_VERSION, 301, count($asked)), $rows, $argv[1]);
