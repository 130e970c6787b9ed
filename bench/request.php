<?php
/* Measures what a filter costs a request in all: finding it, 20 keys, and what happens when the request ends. Each figure is
 * the difference to a request that uses no filter.
 *
 * The times are those of a php-fpm worker, as its client sees them. Valgrind counts the instructions and strace the system calls
 * of PHP's own web server, whose requests begin and end like those of a worker. */

namespace BloomBench;

use Bloom\Filter;

require __DIR__ . '/common.php';

const ROUNDS = 101;
const REQUESTS = 100; // per round
const WARM_UP = 20;   // requests before those that are counted

const PAGE = <<<'PHP'
    <?php
    $page = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't'];
    switch ($_SERVER['ACTION'] ?? $_SERVER['QUERY_STRING']) {
        case 'find':
            Bloom\Filter::find('bench');
            break;
        case 'page':
            Bloom\Filter::find('bench')->candidates($page);
            break;
        case 'places': // ten places that each find the filter for themselves
            for ($i = 0; $i < 10; $i++) {
                Bloom\Filter::find('bench')->candidates($page);
            }
            break;
    }
    echo '{}';
    PHP;

const WHAT = [
    'find' => 'find()',
    'page' => 'find() and candidates() of 20 keys',
    'places' => 'ten times find() and candidates() of 20 keys',
];

/** Returns what a tool prints about PHP's web server while it answers requests. */
function output_of(array $tool, string $action, int $requests): string
{
    $directory = getenv('BLOOM_BENCH_DIRECTORY');
    $log = "$directory/request.log";
    $address = '127.0.0.1:' . free_port();
    $command = [...$tool, PHP_BINARY, '-d', 'extension=' . getenv('BLOOM_BENCH_MODULE'), '-d', "bloom.path=$directory/fpm",
        '-d', 'opcache.enable_cli=1', '-d', 'opcache.file_update_protection=0', '-S', $address, "$directory/page.php"];
    $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', $log, 'w'], ['redirect', 1]], $pipes);
    for ($i = 0; @file_get_contents("http://$address/?none") !== '{}'; $i++) {
        if ($i > 1000) {
            throw new \RuntimeException(implode(' ', $command) . ' does not start: ' . file_get_contents($log));
        }
        usleep(10_000);
    }
    for ($i = 0; $i < $requests; $i++) {
        file_get_contents("http://$address/?$action");
    }
    proc_terminate($process, SIGINT);
    proc_close($process);
    return file_get_contents($log);
}

/** Returns how often something happens per request. */
function per_request(array $tool, string $action, callable $count): float
{
    $few = $count(output_of($tool, $action, WARM_UP));
    return ($count(output_of($tool, $action, WARM_UP + REQUESTS)) - $few) / REQUESTS;
}

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$segment = own("$directory/fpm");
builder_of(80_000)->build()->save("$directory/bench.bloom");
chmod("$directory/bench.bloom", 0644);
chmod($directory, 0755);
$as_user = fn (string $code): ?string => shell_exec((posix_geteuid() === 0 ? 'setpriv --reuid=' . fpm_user() . ' --clear-groups ' : '') . implode(' ', array_map(
    escapeshellarg(...),
    [PHP_BINARY, '-d', 'extension=' . getenv('BLOOM_BENCH_MODULE'), '-d', "bloom.path=$segment", '-r', $code]
)));
$as_user('Bloom\Filter::load("bench", Bloom\Blob::open(' . var_export("$directory/bench.bloom", true) . '));');
$client = start_fpm($directory, PAGE, $segment);
$tasks = [];
foreach (['none', ...array_keys(WHAT)] as $action) {
    $tasks[$action] = function () use ($client, $action): void {
        for ($i = 0; $i < REQUESTS; $i++) {
            $client->ask($action);
        }
    };
}
$times = interleaved($tasks, ROUNDS);

$tools = [
    [['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null'],
        fn (string $log): int => preg_match('/Collected : (\d+)/', $log, $found) ? (int) $found[1] : throw new \RuntimeException($log)],
    [['strace'], fn (string $log): int => preg_match_all('/^\w+\(/m', $log)],
];
$nothing = array_map(fn (array $tool): float => per_request($tool[0], 'none', $tool[1]), $tools);
$rows = [['a request with', 'median µs', 'p5', 'p95', 'instructions', 'system calls']];
foreach (WHAT as $action => $what) {
    $us = array_map(fn (float $with, float $without): float => ($with - $without) / REQUESTS / 1000, $times[$action], $times['none']);
    $counts = array_map(fn (array $tool, float $less): float => per_request($tool[0], $action, $tool[1]) - $less, $tools, $nothing);
    $rows[] = [$what, ...array_map(fn (float $share): string => sprintf('%.1f', quantile($us, $share)), [0.5, 0.05, 0.95]),
        number_format($counts[0], 0, '.', ''), sprintf('%.1f', $counts[1])];
}
report('A request more than one without a filter, ' . ROUNDS . ' interleaved rounds of ' . REQUESTS, $rows, $argv[1]);
