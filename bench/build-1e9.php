<?php
/* Builds filters of a billion keys. Only `bench/run build-1e9` runs this part. It takes about half an hour, and it needs 14 GB
 * of disk space in build/ while it runs. It builds the ribbon filter only if 11 GB of memory are free. */

namespace BloomBench;

use Bloom\Blob;

require __DIR__ . '/common.php';

$count = (int) (getenv('BLOOM_BENCH_KEYS') ?: 1_000_000_000);
$root = dirname(__DIR__);
$directory = "$root/build/1e9";
is_dir($directory) || mkdir($directory, 0700, true);
register_shutdown_function(fn () => exec('rm -rf ' . escapeshellarg($directory)));

$bloom = implode(' ', array_map(escapeshellarg(...), [
    PHP_BINARY, '-d', 'extension=' . getenv('BLOOM_BENCH_MODULE'), "$root/packages/cli/bin/bloom",
])) . " build --quiet --capacity=$count --seed=" . SEED;
$rows = [['what', 'seconds', 'of the processor', 'M lines/s', 'M/s a core', 'peak MB', 'load']];
$row = function (string $what, array $figures) use (&$rows, $count): void {
    [$seconds, $worked, $megabytes] = $figures;
    $rows[] = [
        $what, sprintf('%.1f', $seconds), sprintf('%.1f', $worked), sprintf('%.1f', $count / $seconds / 1e6),
        sprintf('%.1f', $count / $worked / 1e6), sprintf('%.0f', $megabytes), sprintf('%.1f', sys_getloadavg()[0]),
    ];
};
chdir($directory);
$row('seq >keys', measured("seq $count >keys"));
$row('wc -l keys', measured('wc -l keys >/dev/null'));
$row('bloom build keys', measured("$bloom one keys"));
$row('bloom build --jobs=2 keys', measured("$bloom --jobs=2 two keys"));
$row('seq | bloom build', measured("seq $count | $bloom pipe"));
$one = Blob::open('one')->info();
$head = $one->bytes - $one->shards * $one->shardBytes; // contains the build time
foreach (['two', 'pipe'] as $other) {
    exec("cmp -i $head one $other", $said, $failed);
    if ($failed !== 0 || Blob::open($other)->info()->keys !== $one->keys) {
        throw new \RuntimeException("$other is another filter");
    }
    unlink($other);
}

$free = (int) filter_var(implode(preg_grep('/^MemAvailable/', file('/proc/meminfo'))), FILTER_SANITIZE_NUMBER_INT) * 1024;
$blobs = ['bloom' => 'one'];
if ($free > 11 * $count) {
    $row('bloom build --scheme=ribbon --jobs=2 keys', measured("$bloom --scheme=ribbon --jobs=2 ribbon keys"));
    $blobs['ribbon'] = 'ribbon';
}
unlink('keys');
report(sprintf('%s keys at 1 %%', number_format($count)), $rows, $argv[1]);

$asked = [['scheme', 'bytes', 'bits a key', 'keys', 'present, asked for', 'found', 'absent, asked for', 'maybe', 'predicted']];
mt_srand(SEED);
foreach ($blobs as $scheme => $file) {
    $blob = Blob::open($file);
    $info = $blob->info();
    $found = $maybe = 0;
    for ($i = 0; $i < 1_000_000; $i++) {
        $found += $blob->mightContain(mt_rand(1, $count));
    }
    for ($i = 1; $i <= 10_000_000; $i++) {
        $maybe += $blob->mightContain(-$i);
    }
    $asked[] = [
        $scheme, $info->bytes, sprintf('%.2f', $info->bitsPerKey), $info->keys, 1_000_000, $found, 10_000_000,
        sprintf('%.4f %%', $maybe / 1e5), sprintf('%.4f %%', 100 * $info->predictedFalsePositiveRate),
    ];
    unset($blob);
    if ($found !== 1_000_000) {
        throw new \RuntimeException('a key is not found');
    }
}
report('Asked of them', $asked, preg_replace('/\.tsv$/', '-asked.tsv', $argv[1]));
