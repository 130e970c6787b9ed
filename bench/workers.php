<?php
/* Measures the throughput of 1, 2, 4 and 8 concurrent processes that look up keys in one filter, relative to one process. An
 * empty method shows how the machine itself scales. Any further loss is due to the filter. */

namespace BloomBench;

use Bloom\Filter;

require __DIR__ . '/common.php';

const SECONDS = 0.3;
const ROUNDS = 15;

/** Starts processes that repeat a task for SECONDS. Returns their total number of runs per second. */
function together(int $processes, callable $task): float
{
    $pipes = [];
    for ($i = 0; $i < $processes; $i++) {
        [$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if (pcntl_fork() === 0) {
            $task();
            fwrite($theirs, 'r');
            fread($theirs, 1); // waits until all are ready
            $start = microtime(true);
            for ($count = 0; microtime(true) < $start + SECONDS; $count++) {
                $task();
            }
            fwrite($theirs, (string) ($count / (microtime(true) - $start)));
            posix_kill(posix_getpid(), SIGKILL); // skips the shutdown of the parent's objects
        }
        fclose($theirs);
        $pipes[] = $ours;
    }
    array_map(fn ($pipe) => fread($pipe, 1), $pipes);
    array_map(fn ($pipe) => fwrite($pipe, 'g'), $pipes);
    $sum = array_sum(array_map(fn ($pipe): float => (float) stream_get_contents($pipe), $pipes));
    while (pcntl_wait($status) > 0) {
    }
    return $sum;
}

mt_srand(SEED);
$asked = [];
for ($i = 0; $i < 10_000; $i++) {
    $asked[] = 'absent-' . mt_rand();
}
$pages = array_chunk($asked, 20);
$empty = new EmptyFilter();
$rows = [['keys', 'asked by', 'processes', 'M keys/s', 'p5', 'p95', '× one']];
foreach ([80_000, 10_000_000] as $count) {
    $filter = Filter::load('bench', builder_of($count)->build());
    $tasks = [
        'empty method' => function () use ($empty, $asked): void {
            foreach ($asked as $key) {
                $empty->mightContain($key);
            }
        },
        'mightContain()' => function () use ($filter, $asked): void {
            foreach ($asked as $key) {
                $filter->mightContain($key);
            }
        },
        'candidates() of 20' => function () use ($filter, $pages): void {
            foreach ($pages as $page) {
                $filter->candidates($page);
            }
        },
    ];
    $speeds = [];
    for ($round = 0; $round < ROUNDS; $round++) {
        foreach ($tasks as $name => $task) {
            foreach ([1, 2, 4, 8] as $processes) {
                $speeds[$name][$processes][] = together($processes, $task) * count($asked) / 1e6;
            }
        }
    }
    foreach ($speeds as $name => $of) {
        foreach ($of as $processes => $rounds) {
            $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $of[1]);
            $rows[] = [
                $count, $name, $processes,
                ...array_map(fn (float $share) => sprintf('%.1f', quantile($rounds, $share)), [0.5, 0.05, 0.95]),
                sprintf('%.2f', quantile($ratios, 0.5)),
            ];
        }
    }
    Filter::drop('bench');
}
$cores = (int) shell_exec('nproc');
report(sprintf('Concurrent lookups in one filter, on %d processors, %d interleaved rounds', $cores, ROUNDS), $rows, $argv[1]);
