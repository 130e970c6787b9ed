<?php
/* Measures a lookup in filters of 10^3 to 10^9 keys:
 *
 *   warm    the same 2,000 keys again and again: their part of the filter remains in the cache
 *   spread  new keys each time, like pages: if the filter is larger than the cache, each key is a cache miss
 *   cold    the first 200 keys after all caches have been overwritten, like the next page of an idle worker
 *
 * In each case, keys are looked up one by one and with candidates(). An empty method is measured for comparison. All keys are
 * absent. Building the largest filter takes a few minutes and needs 4 GB of memory. */

namespace BloomBench;

use Bloom\Filter;

require __DIR__ . '/common.php';

const WARM = 2_000;
const SPREAD = 20_000;
const COLD = 200;
const PAGE = 20;
const ROUNDS = 41;
const CACHES_BYTES = 1 << 27; // larger than the caches of a processor

$empty = new EmptyFilter();
$junk = str_repeat('x', CACHES_BYTES);
$overwrite = function () use ($junk): void {
    hash('xxh3', $junk);
};
mt_srand(SEED);
$asked = [];
for ($i = 0; $i < 400_000; $i++) {
    $asked[] = 'absent-' . mt_rand();
}
$warm = array_slice($asked, 0, WARM);
$ways = [
    'empty method' => function (array $keys) use ($empty): void {
        foreach ($keys as $key) {
            $empty->mightContain($key);
        }
    },
    'mightContain()' => function (array $keys) use (&$filter): void {
        $it = $filter;
        foreach ($keys as $key) {
            $it->mightContain($key);
        }
    },
    'candidates() of 20' => function (array $keys) use (&$filter): void {
        foreach ($keys as $page) {
            $filter->candidates($page);
        }
    },
    'candidates() of all' => function (array $keys) use (&$filter): void {
        $filter->candidates($keys);
    },
];

$rows = [['keys', 'MB', 'keys are', 'asked by', 'median ns', 'p5', 'p95', '× empty', 'p5', 'p95']];
$largest = (int) $argv[2];
for ($count = 1000; $count <= $largest; $count *= 10) {
    fwrite(STDERR, "a filter of $count keys…\n");
    $filter = null;
    $filter = Filter::load('bench', builder_of($count)->build());
    $bytes = $filter->info()->bytes;
    foreach (['warm' => WARM, 'spread' => SPREAD, 'cold' => COLD] as $state => $number) {
        $tasks = $before = [];
        $at = 0;
        foreach ($ways as $way => $ask) {
            $before[$way] = function () use ($state, $number, $way, $asked, $warm, $overwrite, &$keys, &$at) {
                $keys = $state === 'warm' ? $warm : array_slice($asked, $at = ($at + $number) % (count($asked) - $number), $number);
                if ($way === 'candidates() of 20') {
                    $keys = array_chunk($keys, PAGE);
                }
                if ($state === 'cold') {
                    $overwrite();
                }
            };
            $tasks[$way] = function () use ($ask, &$keys): void {
                $ask($keys);
            };
        }
        if ($state === 'warm') {
            array_walk($ways, fn (callable $ask, string $way) => $ask($way === 'candidates() of 20' ? array_chunk($warm, PAGE) : $warm));
        }
        $times = interleaved($tasks, ROUNDS, $before);
        foreach ($times as $way => $rounds) {
            $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $times['empty method']);
            $rows[] = [
                $count, sprintf('%.3f', $bytes / 1e6), $state, $way,
                ...array_map(fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / $number), [0.5, 0.05, 0.95]),
                ...array_map(fn (float $share) => sprintf('%.2f', quantile($ratios, $share)), [0.5, 0.05, 0.95]),
            ];
        }
    }
    Filter::drop('bench');
}
report(sprintf('Lookups of absent keys by the size of the filter, 1 %%, %d rounds, interleaved', ROUNDS), $rows, $argv[1]);
