<?php
/* Loading a blob of 100 MB, verified, against `cp` of the same bytes to the same file system. */

namespace BloomBench;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\Filter;

require __DIR__ . '/common.php';

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$keys = 84_000_000;
$builder = new Builder($keys, 0.01, seed: SEED);
fwrite(STDERR, "building a filter of $keys keys…\n");
for ($i = 0; $i < $keys; $i++) {
    $builder->add($i);
}
$blob = $builder->build();
$file = "$directory/blob";
$blob->save($file);
$bytes = filesize($file);

$copy = function () use ($file, $directory) {
    @unlink("$directory/copy"); // as a load, it writes a new file
    exec('cp ' . escapeshellarg($file) . ' ' . escapeshellarg("$directory/copy"));
};
$times = interleaved([
    'cp' => $copy,
    'Filter::load()' => fn () => Filter::load('bench', $blob),
    'Blob::open(), verified' => fn () => Blob::open($file),
], 15);
$rows = [['what', 'median ms', 'p5', 'p95', 'GB/s', 'speed of cp']];
foreach ($times as $name => $rounds) {
    $ratios = array_map(fn ($a, $b) => $b / $a, $rounds, $times['cp']);
    $ms = fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / 1e6);
    $rows[] = [
        $name, $ms(0.5), $ms(0.05), $ms(0.95), sprintf('%.2f', $bytes / quantile($rounds, 0.5)),
        sprintf('%.2f ×', quantile($ratios, 0.5)),
    ];
}
report(sprintf('Loading %.1f MB into tmpfs, 15 interleaved rounds', $bytes / 1e6), $rows, $argv[1]);
Filter::drop('bench');
