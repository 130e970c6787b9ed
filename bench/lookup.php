<?php
/* Compares a warm lookup with an empty method that has the same signature. Both times include the loop. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\Filter;

require __DIR__ . '/common.php';

$keys = 80_000;
$builder = new Builder($keys, 0.01, seed: SEED);
for ($i = 0; $i < $keys; $i++) {
    $builder->add("tag-$i");
}
$filter = Filter::load('bench', $builder->build());
$empty = new EmptyFilter();

mt_srand(SEED);
$asked = [];
for ($i = 0; $i < 20_000; $i++) {
    $asked[] = 'absent-' . mt_rand(); // pages mostly look up absent keys
}
$pages = array_chunk($asked, 20);

$times = interleaved([
    'empty method' => function () use ($empty, $asked) {
        foreach ($asked as $key) {
            $empty->mightContain($key);
        }
    },
    'mightContain()' => function () use ($filter, $asked) {
        foreach ($asked as $key) {
            $filter->mightContain($key);
        }
    },
    'candidates() of 20' => function () use ($filter, $pages) {
        foreach ($pages as $page) {
            $filter->candidates($page);
        }
    },
    'candidates() of 20,000' => function () use ($filter, $asked) {
        $filter->candidates($asked);
    },
    'crc32()' => function () use ($asked) {
        foreach ($asked as $key) {
            \crc32($key);
        }
    },
], 101);

$rows = [['per key', 'median ns', 'p5', 'p95', '× empty']];
foreach ($times as $name => $rounds) {
    $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $times['empty method']);
    $ns = fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / count($asked));
    $rows[] = [$name, $ns(0.5), $ns(0.05), $ns(0.95), sprintf('%.2f', quantile($ratios, 0.5))];
}
report("Lookup, warm, $keys keys at 1 %, 101 interleaved rounds of " . count($asked) . ' keys', $rows, $argv[1]);
Filter::drop('bench');
