<?php
/* Compares a warm lookup with an empty method that has the same signature. Both times include the loop.
 *
 * The share of existing keys matters: the more keys are found, the larger the array that candidates() returns. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\Filter;

require __DIR__ . '/common.php';

const KEYS = 80_000;
const ASKED = 20_000;
const SHARES = [0, 5, 20, 100];

/** Returns ASKED different keys in random order, of which $percent percent exist. */
function asked(int $percent): array
{
    mt_srand(SEED);
    $existing = intdiv(ASKED * $percent, 100);
    $numbers = array_merge(
        $existing > 0 ? (array) array_rand(array_fill(0, KEYS, true), $existing) : [],
        array_map(fn (int $i): int => KEYS + 1000 * $i + mt_rand(0, 999), range(0, ASKED - 1)),
    );
    $numbers = array_slice($numbers, 0, ASKED);
    shuffle($numbers);
    return array_map(fn (int $number): string => "tag-$number", $numbers);
}

// For the keyed filters of lookup-kinds.php. bench/run sets bloom.secret_file to this file, and a process reads it only once.
$secrets = getenv('BLOOM_BENCH_DIRECTORY') . '/secrets';
file_put_contents($secrets, hash('sha256', (string) SEED) . "\n");
chmod($secrets, 0600);

$builder = new Builder(KEYS, 0.01, seed: SEED);
for ($i = 0; $i < KEYS; $i++) {
    $builder->add("tag-$i");
}
$filter = Filter::load('bench', $builder->build());
$empty = new EmptyFilter();
$one_by_one = fn (object $filter, array $keys) => function () use ($filter, $keys): void {
    foreach ($keys as $key) {
        $filter->mightContain($key);
    }
};
$in_pages = fn (array $pages) => function () use ($filter, $pages): void {
    foreach ($pages as $page) {
        $filter->candidates($page);
    }
};

$keys = asked(0);
$urls = array_map(fn (string $key): string => "https://www.example.org/articles/tagged/$key", $keys);
$tasks = [
    'empty method' => $one_by_one($empty, $keys),
    'crc32()' => function () use ($keys): void {
        foreach ($keys as $key) {
            \crc32($key);
        }
    },
    'mightContain(), URLs of about 50 bytes' => $one_by_one($filter, $urls),
    'candidates() of 20 such URLs' => $in_pages(array_chunk($urls, 20)),
];
foreach (SHARES as $percent) {
    $keys = asked($percent);
    $tasks["mightContain(), $percent % exist"] = $one_by_one($filter, $keys);
    foreach ([20, 2000] as $count) {
        $tasks["candidates() of $count, $percent % exist"] = $in_pages(array_chunk($keys, $count));
    }
}
$times = interleaved($tasks, 101, before: $tasks); // each task warms the caches for itself

$rows = [['per key', 'median ns', 'p5', 'p95', '× empty']];
foreach ($times as $name => $rounds) {
    $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $times['empty method']);
    $ns = fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / ASKED);
    $rows[] = [$name, $ns(0.5), $ns(0.05), $ns(0.95), sprintf('%.2f', quantile($ratios, 0.5))];
}
report('Lookup, warm, ' . KEYS . ' keys at 1 %, 101 interleaved rounds of ' . ASKED . ' keys', $rows, $argv[1]);
Filter::drop('bench');

require __DIR__ . '/lookup-kinds.php';
