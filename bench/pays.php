<?php
/* Measures pages per second. A page looks up PAGE keys, of which a share exists, and gets the values of those from a Redis on this
 * host. Ways to do so:
 *
 *     nothing        no lookup: the cost of everything else
 *     filter, MGET   asks a filter first, and Redis only for the keys that may exist
 *     MGET           of all keys
 *     GET            for each key
 *
 * The pages run in a command-line process, and in a php-fpm with one worker, where each page is a request. A request connects only
 * if it asks Redis. Its persistent connection costs a second round trip, because ext-redis checks it with ECHO. Redis listens on a
 * Unix socket and on a TCP port of the loopback device. All is measured again while loops keep the processors awake ("busy",
 * see peers.php). All ways get the same pages. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\Filter;

require __DIR__ . '/common.php';
require __DIR__ . '/pays/page.php';

const KEYS = 1_000_000;
const PAGE = 20;
const SHARES = [0.0, 0.01, 0.05, 0.2];
const RATES = ['filter_1' => 0.01, 'filter_0.1' => 0.001];
const WAYS = ['nothing' => 'nothing', 'filter_1' => 'filter of 1 %, MGET', 'filter_0.1' => 'filter of 0.1 %, MGET', 'MGET' => 'MGET', 'GET' => 'GET'];
const PAGES = 1000; // per round
const REQUESTS = 100; // per round: the next ones of the same pages
const ROUNDS = 21;

/** Returns pages of keys that exist with a probability of $share. */
function pages_with(float $share): array
{
    $pages = [];
    for ($i = 0; $i < PAGES; $i++) {
        for ($page = []; count($page) < PAGE;) { // no key is twice in a page
            $page[mt_rand() / (mt_getrandmax() + 1) < $share ? 'tag-' . mt_rand(0, KEYS - 1) : 'absent-' . mt_rand()] = true;
        }
        $pages[] = array_keys($page);
    }
    return $pages;
}

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$port = free_port();
$control = start_redis("$directory/redis", port: $port);
$socket = "$directory/redis/redis.sock";
foreach ([$directory, "$directory/redis"] as $path) {
    chmod($path, 0711);
}
chmod($socket, 0777);
mkdir("$directory/fpm", 0711);
$segment = own("$directory/fpm/segment");

fwrite(STDERR, 'a Redis and filters of ' . number_format(KEYS) . " keys…\n");
foreach (range(0, KEYS - 1, 10_000) as $from) {
    $control->mSet(array_fill_keys(array_map(fn (int $i): string => "tag-$i", range($from, $from + 9_999)), 'a value'));
}
$filters = [];
foreach (RATES as $name => $rate) {
    $builder = new Builder(KEYS, $rate, seed: SEED);
    foreach (range(0, KEYS - 1, 10_000) as $from) {
        $builder->addMany(array_map(fn (int $i): string => "tag-$i", range($from, $from + 9_999)));
    }
    $builder->build()->save("$directory/blob");
    $filters[$name] = Filter::load($name, \Bloom\Blob::open("$directory/blob"));
    exec(sprintf(
        '%s -n -d extension=%s -d bloom.path=%s -r %s',
        PHP_BINARY,
        escapeshellarg(getenv('BLOOM_BENCH_MODULE')),
        $segment,
        escapeshellarg("Bloom\\Filter::load('$name', Bloom\\Blob::open('$directory/blob'));")
    ), $output, $failed);
    if ($failed) {
        throw new \RuntimeException(implode("\n", $output));
    }
}
$fpm = start_fpm("$directory/fpm", file_get_contents(__DIR__ . '/pays/page.php'), $segment, connections: 2);
$run_loops = start_idle_loops();

mt_srand(SEED);
$tasks = $before = $found = $processor = $asked = [];
$previous = null;
$seconds = static function () use ($control): float {
    $cpu = $control->info('cpu');
    return $cpu['used_cpu_user'] + $cpu['used_cpu_sys'];
};
foreach (SHARES as $share) {
    $pages = pages_with($share);
    $requests = array_chunk($pages, REQUESTS);
    foreach (['Unix socket' => [$socket, 0], 'TCP' => ['127.0.0.1', $port]] as $where => [$host, $at]) {
        $redis = new \Redis();
        $redis->connect($host, $at);
        $connect = static fn (): \Redis => $redis;
        foreach (WAYS as $way => $title) {
            if (isset($filters[$way])) {
                $candidates = array_map($filters[$way]->candidates(...), $pages);
                $asked["$share $way"] = [count(array_filter($candidates)) / PAGES, array_sum(array_map('count', $candidates)) / PAGES];
            } else {
                $asked["$share $way"] = $way === 'nothing' ? [0, 0] : [1, PAGE];
            }
            foreach (['', ', busy'] as $busy) {
                $name = "$share\t$where$busy\t$way\t";
                $tasks["{$name}CLI"] = static function () use ($name, $pages, $way, $filters, $connect, &$found): void {
                    $sum = 0;
                    foreach ($pages as $page) {
                        $sum += look_up($way, $page, $filters[$way] ?? null, $connect);
                    }
                    $found["{$name}CLI"] = $sum;
                };
                $round = 0;
                $tasks["{$name}php-fpm"] = static function () use ($name, $fpm, $requests, $way, $host, $at, &$found, &$round): void {
                    $sum = $found["{$name}php-fpm"] ?? 0;
                    $fpm->send(
                        array_map(fn (array $page): array => ['action' => "$way $host $at", 'body' => implode("\n", $page)], $requests[$round++ % count($requests)]),
                        static function (array $request, ?array $answer, string $problem) use (&$sum): void {
                            $sum += $answer['found'] ?? throw new \RuntimeException($problem);
                        }
                    );
                    $found["{$name}php-fpm"] = $sum;
                };
                unset($round);
                foreach (['CLI', 'php-fpm'] as $sapi) {
                    $before[$name . $sapi] = static function () use ($name, $sapi, $busy, $run_loops, $seconds, &$processor, &$previous): void {
                        $now = $seconds();
                        if ($previous !== null) {
                            $processor[$previous[0]][] = $now - $previous[1];
                        }
                        $run_loops($busy !== '');
                        $previous = [$name . $sapi, $seconds()];
                    };
                }
            }
        }
    }
}
$load = sys_getloadavg()[0];
fwrite(STDERR, sprintf("measuring, load %.1f…\n", $load));
$times = interleaved($tasks, ROUNDS, $before);
$run_loops(false);

$rows = [['exist', 'process', 'Redis on', 'way', 'pages/s', 'p5', 'p95', '× MGET', 'pages that ask', 'keys asked for', 'server µs a page']];
foreach (['CLI' => PAGES, 'php-fpm' => REQUESTS] as $sapi => $count) {
    foreach (SHARES as $share) {
        foreach (['Unix socket', 'Unix socket, busy', 'TCP', 'TCP, busy'] as $where) {
            $mget = "$share\t$where\tMGET\t$sapi";
            foreach (WAYS as $way => $title) {
                $name = "$share\t$where\t$way\t$sapi";
                if ($way !== 'nothing' && $found[$name] !== $found[$mget]) {
                    throw new \RuntimeException("$name: found $found[$name] keys instead of $found[$mget]");
                }
                $ratios = array_map(fn (int $time, int $all): float => $all / $time, $times[$name], $times[$mget]);
                $rows[] = [
                    sprintf('%.0f %%', 100 * $share), $sapi, $where, $title,
                    ...array_map(fn (float $at): string => sprintf('%.0f', 1e9 * $count / quantile($times[$name], 1 - $at)), [0.5, 0.05, 0.95]),
                    sprintf('%.2f', quantile($ratios, 0.5)),
                    sprintf('%.3f', $asked["$share $way"][0]),
                    sprintf('%.2f', $asked["$share $way"][1]),
                    sprintf('%.1f', 1e6 * quantile($processor[$name], 0.5) / $count),
                ];
            }
        }
    }
}
report(sprintf(
    'Pages of %d keys per second, of %d interleaved rounds; load of the machine before and after: %.1f, %.1f',
    PAGE,
    ROUNDS,
    $load,
    sys_getloadavg()[0]
), $rows, $argv[1]);
