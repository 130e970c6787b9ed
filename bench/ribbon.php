<?php
/* Compares ribbon blobs with blocked Bloom blobs of the same keys and rate: bits per key, warm lookups, and building. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\Filter;

require __DIR__ . '/common.php';

$rate = 0.01;
mt_srand(SEED);
$size = [['keys', 'scheme', 'bits a key', '× bloom', 'measured rate', 'M keys/s', 'p5', 'p95']];
$lookups = [['per key', 'median ns', 'p5', 'p95', '× bloom', 'p5', 'p95']];
foreach ([10_000 => 21, 100_000 => 21, 1_000_000 => 11, 10_000_000 => 5] as $count => $rounds) {
    $keys = range(1, $count);
    $blobs = $tasks = [];
    foreach (['bloom', 'ribbon'] as $scheme) {
        $tasks[$scheme] = function () use ($scheme, $count, $rate, $keys, &$blobs) {
            $builder = new Builder($count, $rate, seed: SEED, scheme: \Bloom\Scheme::tryFrom($scheme));
            $builder->addMany($keys);
            $blobs[$scheme] = $builder->build();
        };
    }
    $built = interleaved($tasks, $rounds);

    // Every second looked-up key exists. All looked-up keys fit in the second-level cache.
    $asked = [];
    for ($i = 0; $i < 1000; $i++) {
        array_push($asked, $keys[mt_rand(0, $count - 1)], -mt_rand());
    }
    $tasks = [];
    foreach ($blobs as $scheme => $blob) {
        $info = $blob->info();
        $wrong = 0;
        for ($i = 1; $i <= 1_000_000; $i++) {
            $wrong += $blob->mightContain(-$i);
        }
        $speeds = array_map(fn (float $ns): float => $count / $ns * 1e3, $built[$scheme]);
        $size[] = [
            $count, $scheme, sprintf('%.2f', $info->bitsPerKey),
            sprintf('%.3f', $info->bytes / $blobs['bloom']->info()->bytes), sprintf('%.3f %%', $wrong / 1e4),
            ...array_map(fn (float $share): string => sprintf('%.1f', quantile($speeds, $share)), [0.5, 0.05, 0.95]),
        ];
        $filter = Filter::load($scheme, $blob);
        $tasks["mightContain(), $count keys, $scheme"] = function () use ($filter, $asked) {
            foreach ($asked as $key) {
                $filter->mightContain($key);
            }
        };
        $tasks["candidates() of 2,000, $count keys, $scheme"] = fn () => $filter->candidates($asked);
    }
    $times = interleaved($tasks, 301);
    foreach ($times as $name => $each) {
        $base = $times[preg_replace('/, ribbon$/', ', bloom', $name)];
        $ratios = array_map(fn ($a, $b) => $a / $b, $each, $base);
        $lookups[] = [
            $name,
            ...array_map(fn (float $share) => sprintf('%.1f', quantile($each, $share) / count($asked)), [0.5, 0.05, 0.95]),
            ...array_map(fn (float $share) => sprintf('%.2f', quantile($ratios, $share)), [0.5, 0.05, 0.95]),
        ];
    }
    array_map(Filter::drop(...), array_keys($blobs));
}
report('Ribbon and blocked Bloom blobs at 1 %: whole blobs, and building them from an array of ints', $size, $argv[1]);
report('Warm lookups, half of the keys present, interleaved', $lookups, preg_replace('/\.tsv$/', '-lookup.tsv', $argv[1]));
