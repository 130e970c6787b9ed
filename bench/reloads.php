<?php
/* Measures the latency of a page of 20 keys in a php-fpm with one worker while its filter is replaced, either once per second
 * or without a pause: percentiles of Filter::open()->candidates(). For comparison, it measures the same on an idle machine and
 * during a `cp` of the same size, which affects the caches as much as a load but replaces nothing.
 *
 * Each case is measured in /dev/shm and, as root, also in a tmpfs mounted with huge=within_size. Building the filter of 1.2 GB
 * takes minutes and needs 6 GB of memory. */

namespace BloomBench;

use Bloom\Blob;
use FastCgiClient;

require __DIR__ . '/common.php';

const SIZES = [800_000, 80_000_000, 1_000_000_000];
const SECONDS = 10;
const PAGES = 200; // per request
const PAGE = '<?php
    for ($i = 0; $i < ' . PAGES . '; $i++) {
        $page = [];
        for ($k = 0; $k < 20; $k++) {
            $page[] = "absent-" . mt_rand();
        }
        $start = hrtime(true);
        Bloom\Filter::open("bench")->candidates($page);
        $times[] = hrtime(true) - $start;
    }
    echo json_encode(["times" => $times, "loads" => Bloom\Filter::open("bench")->info()->loads]);';

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$module = getenv('BLOOM_BENCH_MODULE');
chmod($directory, 0711);

/** Sends requests for SECONDS and, if filters are being loaded, until at least ten loads have completed. */
function ask(FastCgiClient $client, bool $loads): array
{
    $times = [];
    $from = null;
    for ($end = microtime(true) + SECONDS;;) {
        $answer = $client->ask('');
        array_push($times, ...$answer['times']);
        $from ??= $answer['loads'];
        if (microtime(true) > $end && (!$loads || $answer['loads'] >= $from + 10)) {
            sort($times);
            return [$times, $answer['loads'] - $from];
        }
    }
}

$places = ['/dev/shm' => $directory];
if (posix_geteuid() === 0) { // bench/run starts this part in a separate mount namespace
    mkdir("$directory/huge");
    exec('mount -t tmpfs -o huge=within_size,mode=0711 none ' . escapeshellarg("$directory/huge"), $output, $failed);
    $failed ?: $places['huge=within_size'] = "$directory/huge";
}
$rows = [['keys', 'MB', 'in', 'beside', 'loads', 'pages', 'median µs', 'p99', 'p99.9', 'p99.99', 'longest', 'p99.9 × quiet']];
$php = PHP_BINARY . ' -n -d extension=' . escapeshellarg($module) . ' -d memory_limit=-1';
foreach (SIZES as $count) {
    if ($count > (int) $argv[2]) {
        break;
    }
    fwrite(STDERR, "building a filter of $count keys…\n");
    builder_of($count)->build()->save("$directory/blob");
    clearstatcache();
    $bytes = filesize("$directory/blob");
    foreach ($places as $place => $path) {
        $home = own("$path/$count");
        chmod($home, 0711);
        $segment = own("$home/segment");
        $code = escapeshellarg("\$blob = Bloom\\Blob::open('$directory/blob'); while (true) { Bloom\\Filter::load('bench', \$blob); if (\$argc === 1) { break; } usleep((int) \$argv[1]); }");
        exec("$php -d bloom.path=$segment -r $code", $output, $failed);
        if ($failed) {
            throw new \RuntimeException(implode("\n", $output));
        }
        $client = start_fpm($home, PAGE, $segment);
        $quiet = null;
        foreach (['nothing' => null, 'cp' => "while cp $directory/blob $home/copy && rm $home/copy; do :; done",
            'a load a second' => "exec $php -d bloom.path=$segment -r $code 1000000",
            'loads' => "exec $php -d bloom.path=$segment -r $code 0"] as $beside => $command) {
            fwrite(STDERR, sprintf("%.0f MB in %s, beside %s…\n", $bytes / 1e6, $place, $beside));
            $process = $command === null ? null : proc_open(['sh', '-c', $command], [['file', '/dev/null', 'r']], $pipes);
            [$times, $loads] = ask($client, str_contains($beside, 'load'));
            if ($process) {
                proc_terminate($process, 9);
                proc_close($process);
            }
            $at = fn (float $share) => $times[(int) round($share * (count($times) - 1))] / 1e3;
            $quiet ??= $at(0.999);
            $rows[] = [
                $count, sprintf('%.1f', $bytes / 1e6), $place, $beside, $loads, count($times),
                ...array_map(fn (float $share) => sprintf('%.1f', $at($share)), [0.5, 0.99, 0.999, 0.9999, 1.0]),
                sprintf('%.2f', $at(0.999) / $quiet),
            ];
        }
        exec($php . " -d bloom.path=$segment -r " . escapeshellarg("Bloom\\Filter::drop('bench');"));
        @unlink("$home/copy");
    }
}
report('Pages of 20 absent keys while their filter is replaced without a pause', $rows, $argv[1]);
