<?php
/* Measures the time of a save and a restore of live and counting filters of 100 MB, to memory and to a disk, and how much a
 * save slows down a process that adds keys to the filter. */

namespace BloomBench;

use Bloom\CountingFilter;
use Bloom\Filter;
use Bloom\LiveFilter;

require __DIR__ . '/common.php';

const ROUNDS = 11;
const BYTES = 100_000_000;
const ADDING_MS = 1000;

/** Adds keys and prints, for each period with and without saves, the number of adds and the longest one. */
const ADDER = <<<'PHP'
    [, $name, $file, $seconds] = $argv;
    $filter = Bloom\Filter::open($name);
    mt_srand(7);
    $keys = [];
    for ($i = 0; $i < 1_000_000; $i++) {
        $keys[] = mt_rand();
    }
    echo "ready\n";
    while (($line = fgets(STDIN)) !== false) {
        $end = hrtime(true) + 1_000_000 * (int) $line;
        $adds = $longest = $i = 0;
        for ($before = hrtime(true); $before < $end; $before = $after) {
            for ($last = $i + 10; $i < $last; $i++) {
                $filter->add($keys[$i % 1_000_000]);
            }
            $after = hrtime(true);
            $adds += 10;
            $longest = max($longest, $after - $before);
        }
        echo json_encode([$adds, $longest]), "\n";
    }
    PHP;

$directories = ['memory' => getenv('BLOOM_BENCH_DIRECTORY'), 'disk' => '/var/tmp'];
$rows = [];
foreach (['live' => [LiveFilter::class, 10.0], 'counting' => [CountingFilter::class, 50.0]] as $kind => [$class, $bits]) {
    $capacity = (int) (BYTES * 8 / $bits);
    $filter = $class::create($kind, $capacity, seed: SEED);
    for ($i = 0; $i < $capacity / 2; $i += 1_000_000) {
        $filter->addMany((static function () use ($i) {
            for ($n = $i; $n < $i + 1_000_000; $n++) {
                yield $n;
            }
        })());
    }
    $bytes = $filter->info()->bytes;
    foreach ($directories as $where => $directory) {
        $path = "$directory/bloom-bench-" . getmypid() . ".snapshot";
        $filter->save($path);
        $times = interleaved([
            'save' => static fn () => $filter->save($path),
            'restore' => static fn () => Filter::restore('again', $path),
        ], ROUNDS, ['restore' => static fn () => Filter::drop('again')]);
        foreach ($times as $what => $all) {
            $rows[] = [
                'kind' => $kind, 'what' => "$what, $where", 'filter_bytes' => $bytes, 'file_bytes' => filesize($path),
                'ms' => round(quantile($all, 0.5) / 1e6, 1), 'ms_5' => round(quantile($all, 0.05) / 1e6, 1),
                'ms_95' => round(quantile($all, 0.95) / 1e6, 1), 'gb_per_s' => round($bytes / quantile($all, 0.5), 2),
            ];
        }
        Filter::drop('again');
        unlink($path);
    }
    // A process adds for a second without saves, then for a second during saves to memory, and so on.
    $path = "{$directories['memory']}/snapshot";
    $command = [PHP_BINARY, '-n', '-d', 'extension=' . getenv('BLOOM_BENCH_MODULE'), '-d', 'bloom.path=' . ini_get('bloom.path'),
        '-d', 'memory_limit=-1', '-r', ADDER, '--', $kind, $path, '1'];
    $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
    fgets($pipes[1]);
    $adds = $longest = ['alone' => [], 'saving' => []];
    $saves = 0;
    for ($round = 0; $round < ROUNDS; $round++) {
        foreach (['alone', 'saving'] as $what) {
            fwrite($pipes[0], ADDING_MS . "\n");
            $end = hrtime(true) + ADDING_MS * 1_000_000;
            while (hrtime(true) < $end) {
                if ($what === 'saving') {
                    $filter->save($path);
                    $saves++;
                } else {
                    usleep(1000);
                }
            }
            [$adds[$what][], $longest[$what][]] = json_decode(fgets($pipes[1]));
        }
    }
    fclose($pipes[0]);
    proc_close($process);
    unlink($path);
    foreach (['alone', 'saving'] as $what) {
        $rows[] = [
            'kind' => $kind, 'what' => 'adds, ' . ($what === 'alone' ? 'no save' : 'during saves'), 'filter_bytes' => $bytes,
            'file_bytes' => '', 'ms' => '', 'ms_5' => '', 'ms_95' => '', 'gb_per_s' => '',
            'adds_per_s' => round(quantile($adds[$what], 0.5) * 1000 / ADDING_MS),
            'longest_10_adds_ms' => round(quantile($longest[$what], 0.5) / 1e6, 3),
        ];
    }
    Filter::drop($kind);
}
$rows = array_map(static fn (array $row): array => $row + ['adds_per_s' => '', 'longest_10_adds_ms' => ''], $rows);
report('Snapshots of filters of 100 MB', [array_keys($rows[0]), ...array_map(array_values(...), $rows)], $argv[1]);
