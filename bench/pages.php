<?php
/* Measures lookups of new keys in large filters, in /dev/shm and, as root, in a tmpfs mounted with huge=within_size. Shows the
 * effect of the page size if each key is in a different page. Each file system has its own process, and the processes run
 * alternately, one round at a time. */

namespace BloomBench;

use Bloom\Blob;
use Bloom\Filter;

require __DIR__ . '/common.php';

const SIZES = [10_000_000, 100_000_000, 1_000_000_000];
const KEYS = 20_000; // per round
const ROUNDS = 31;

/** Returns the kinds of lookup. Each gets KEYS keys and the same keys in pages of 20. */
function ways(Filter $filter): array
{
    return [
        'mightContain()' => function (array $keys) use ($filter): void {
            foreach ($keys as $key) {
                $filter->mightContain($key);
            }
        },
        'candidates() of 20' => function (array $keys, array $pages) use ($filter): void {
            foreach ($pages as $page) {
                $filter->candidates($page);
            }
        },
        'candidates() of all' => function (array $keys) use ($filter): void {
            $filter->candidates($keys);
        },
    ];
}

/** Runs in its own process. For each line from the parent, it runs a round of one kind and prints the nanoseconds. */
if (isset($argv[3])) {
    Filter::load('bench', Blob::open($argv[3]));
    $ways = ways(Filter::open('bench'));
    mt_srand(SEED);
    echo "ready\n";
    while (($way = fgets(STDIN)) !== false) {
        $keys = [];
        for ($i = 0; $i < KEYS; $i++) {
            $keys[] = 'absent-' . mt_rand();
        }
        $pages = array_chunk($keys, 20);
        $start = hrtime(true);
        $ways[trim($way)]($keys, $pages);
        echo hrtime(true) - $start, "\n";
    }
    Filter::drop('bench');
    exit;
}

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$places = ['4 KiB' => "$directory/segment"];
if (posix_geteuid() === 0) { // bench/run starts this part in a separate mount namespace
    mkdir("$directory/huge");
    exec('mount -t tmpfs -o huge=within_size,mode=0700 none ' . escapeshellarg("$directory/huge"), $output, $failed);
    $failed ?: $places['huge'] = "$directory/huge/segment";
}
$rows = [['keys', 'MB', 'asked by', 'pages', 'median ns', 'p5', 'p95', '× one by one', 'p5', 'p95']];
foreach (SIZES as $count) {
    if ($count > (int) $argv[2]) {
        break;
    }
    fwrite(STDERR, "a filter of $count keys…\n");
    builder_of($count)->build()->save("$directory/blob");
    clearstatcache();
    $children = [];
    foreach ($places as $pages => $path) {
        $command = [PHP_BINARY, '-d', 'extension=' . getenv('BLOOM_BENCH_MODULE'), '-d', "bloom.path=$path", '-d', 'memory_limit=-1',
            __FILE__, '-', '0', "$directory/blob"];
        $children[$pages] = [proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes), ...$pipes];
        fgets($pipes[1]);
    }
    $times = [];
    for ($round = -3; $round < ROUNDS; $round++) { // the first rounds map the pages
        foreach (['mightContain()', 'candidates() of 20', 'candidates() of all'] as $way) {
            foreach ($children as $pages => [, $in, $out]) {
                fwrite($in, "$way\n");
                $time = (int) fgets($out);
                if ($round >= 0) {
                    $times[$way][$pages][] = $time;
                }
            }
        }
    }
    foreach ($children as [$process, $in]) {
        fclose($in);
        proc_close($process);
    }
    foreach ($times as $way => $of) {
        foreach ($of as $pages => $rounds) {
            $ratios = array_map(fn (int $one, int $all): float => $one / $all, $times['mightContain()'][$pages], $rounds);
            $rows[] = [
                $count, sprintf('%.0f', filesize("$directory/blob") / 1e6), $way, $pages,
                ...array_map(fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / KEYS), [0.5, 0.05, 0.95]),
                ...array_map(fn (float $share) => sprintf('%.2f', quantile($ratios, $share)), [0.5, 0.05, 0.95]),
            ];
        }
    }
}
report('Lookups of new absent keys in filters on pages of 4 KiB and on huge pages, 1 %', $rows, $argv[1]);
