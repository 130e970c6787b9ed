<?php
/* Measures loading and verifying a blob of 0.1 MB to 1.2 GB, compared with copying the same bytes to the same file system.
 * The copy is made with `cp`, which takes longer to start than to copy a small blob, and with PHP's copy(). */

namespace BloomBench;

use Bloom\Blob;
use Bloom\Filter;

require __DIR__ . '/common.php';

const SIZES = [80_000 => 41, 800_000 => 41, 8_000_000 => 41, 80_000_000 => 21, 1_000_000_000 => 7]; // keys, rounds

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$rows = [['MB', 'what', 'rounds', 'median ms', 'p5', 'p95', 'GB/s', 'speed of cp', 'p5', 'p95']];
foreach (SIZES as $keys => $rounds) {
    if ($keys > (int) $argv[2]) {
        break;
    }
    fwrite(STDERR, "building a filter of $keys keys…\n");
    $file = "$directory/blob";
    builder_of($keys)->build()->save($file);
    clearstatcache();
    $bytes = filesize($file);
    $blob = Blob::open($file);
    $copied = "$directory/copy";
    // Like a load, each copy writes a new file and renames it over the old file.
    $times = interleaved([
        'cp' => function () use ($file, $copied): void {
            exec('cp ' . escapeshellarg($file) . ' ' . escapeshellarg("$copied.new"));
            rename("$copied.new", $copied);
        },
        'copy()' => fn () => copy($file, "$copied.new") && rename("$copied.new", $copied),
        'Filter::load()' => fn () => Filter::load('bench', $blob),
        'Blob::open(), verified' => fn () => Blob::open($file),
    ], $rounds);
    foreach ($times as $name => $all) {
        $ratios = array_map(fn ($a, $b) => $b / $a, $all, $times['cp']);
        $rows[] = [
            sprintf('%.1f', $bytes / 1e6), $name, $rounds,
            ...array_map(fn (float $share): string => sprintf('%.3f', quantile($all, $share) / 1e6), [0.5, 0.05, 0.95]),
            sprintf('%.2f', $bytes / quantile($all, 0.5)),
            ...array_map(fn (float $share): string => sprintf('%.2f', quantile($ratios, $share)), [0.5, 0.05, 0.95]),
        ];
    }
    unset($blob);
    Filter::drop('bench');
    unlink($copied);
}
report('Loading into tmpfs, interleaved rounds', $rows, $argv[1]);
