<?php
/* Measures building with both schemes and with one and two jobs: keys per second from memory, and lines per second from a
 * file in the page cache. For comparison, it also fills a PHP array with the same keys, only reads the file, and runs `wc -l`.
 * Each figure includes build() and is measured in wall-clock time and in processor time. Processor time shows the speed of
 * one core even if the machine is busy. */

namespace BloomBench;

use Bloom\Builder;

require __DIR__ . '/common.php';

/** Returns the processor time of this process and its children, in nanoseconds. */
function worked(): int
{
    $sum = 0;
    foreach ([0, 1] as $whose) {
        $used = getrusage($whose);
        $sum += ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1_000_000_000
            + ($used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']) * 1000;
    }
    return $sum;
}

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$rows = [['keys', 'what', 'rounds', 'M/s a core', 'p5', 'p95', 'M/s on the clock', 'p5', 'p95', '× array', 'load']];
foreach ([1_000_000 => 11, 10_000_000 => 7, 100_000_000 => 3] as $count => $rounds) {
    $file = "$directory/keys";
    exec("seq $count >" . escapeshellarg($file));
    $builder = fn (string $scheme, int $jobs) => new Builder($count, 0.01, seed: SEED, scheme: \Bloom\Scheme::tryFrom($scheme), jobs: $jobs);
    $tasks = [];
    if ($count <= 10_000_000) { // 100 million strings would take 5 GB
        $keys = array_map(fn (int $i): string => "key-$i", range(1, $count));
        $tasks['$array[$key] = true of strings'] = function () use (&$keys) {
            $array = [];
            foreach ($keys as $key) {
                $array[$key] = true;
            }
        };
        $tasks['add() of strings, one by one'] = function () use (&$keys, $builder) {
            $one = $builder('bloom', 1);
            foreach ($keys as $key) {
                $one->add($key);
            }
            $one->build();
        };
        foreach (['bloom', 'ribbon'] as $scheme) {
            $tasks["addMany() of strings, $scheme"] = function () use (&$keys, $builder, $scheme) {
                $many = $builder($scheme, 1);
                $many->addMany($keys);
                $many->build();
            };
        }
    }
    foreach (['bloom', 'ribbon'] as $scheme) {
        foreach ($scheme === 'ribbon' && $count > 10_000_000 ? [] : [1, 2] as $jobs) {
            $tasks["addFile(), $scheme, jobs: $jobs"] = function () use ($file, $builder, $scheme, $jobs) {
                $lines = $builder($scheme, $jobs);
                $lines->addFile($file);
                $lines->build();
            };
        }
    }
    $tasks['fgets() of all lines'] = function () use ($file) {
        $handle = fopen($file, 'r');
        while (fgets($handle) !== false) {
        }
    };
    $tasks['wc -l'] = fn () => exec('wc -l <' . escapeshellarg($file));

    $clock = $core = [];
    for ($round = -1; $round < $rounds; $round++) {
        foreach ($tasks as $name => $task) {
            $start = hrtime(true);
            $before = worked();
            $task();
            if ($round >= 0) { // the first round is a warm-up
                $core[$name][] = $count / max(1, worked() - $before) * 1e3;
                $clock[$name][] = $count / (hrtime(true) - $start) * 1e3;
            }
        }
    }
    $shares = [0.5, 0.05, 0.95];
    $base = $core['$array[$key] = true of strings'] ?? null;
    foreach ($tasks as $name => $task) {
        $ratios = $base === null ? [] : array_map(fn (float $one, float $other): float => $one / $other, $core[$name], $base);
        $rows[] = [
            $count, $name, $rounds,
            ...array_map(fn (float $share): string => sprintf('%.1f', quantile($core[$name], $share)), $shares),
            ...array_map(fn (float $share): string => sprintf('%.1f', quantile($clock[$name], $share)), $shares),
            $ratios === [] ? '–' : sprintf('%.2f', quantile($ratios, 0.5)),
            sprintf('%.1f', sys_getloadavg()[0]),
        ];
    }
    $keys = [];
    unlink($file);
}
report(
    'Building at 1 %, including build(): millions of keys or lines per second. Lines are the decimal numbers from 1; strings have the prefix key-',
    $rows,
    $argv[1]
);
