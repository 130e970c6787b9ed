<?php
/* Measures the cost of a secret per lookup and add, and of a signature per load, compared with filters that have neither. */

namespace BloomBench;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\Filter;

require __DIR__ . '/common.php';

$keys = 80_000;
$directory = getenv('BLOOM_BENCH_DIRECTORY');
$secret = hash('sha256', (string) SEED, true);
file_put_contents("$directory/secrets", bin2hex($secret) . "\n");
chmod("$directory/secrets", 0600); // bench/run sets bloom.secret_file to this file

$filters = $added = [];
mt_srand(SEED);
foreach ([16, 64, 1024] as $length) {
    $asked[$length] = [];
    for ($i = 0; $i < 20_000; $i++) {
        $asked[$length][] = str_pad('absent-' . mt_rand(), $length, '-');
    }
}
foreach (['unkeyed' => false, 'keyed' => true] as $name => $keyed) {
    $builder = new Builder($keys, 0.01, seed: SEED, keyed: $keyed);
    for ($i = 0; $i < $keys; $i++) {
        $builder->add("tag-$i");
    }
    $filters[$name] = Filter::load($name, $builder->build());
}

$tasks = [];
foreach ($filters as $name => $filter) {
    $tasks["mightContain(), 16 bytes, $name"] = function () use ($filter, $asked) {
        foreach ($asked[16] as $key) {
            $filter->mightContain($key);
        }
    };
    foreach ($asked as $length => $list) {
        $pages = array_chunk($list, 20);
        $tasks["candidates() of 20, $length bytes, $name"] = function () use ($filter, $pages) {
            foreach ($pages as $page) {
                $filter->candidates($page);
            }
        };
    }
    $tasks["Builder::addMany(), 16 bytes, $name"] = function () use ($name, $asked) {
        (new Builder(20_000, seed: SEED, keyed: $name === 'keyed'))->addMany($asked[16]);
    };
}
$times = interleaved($tasks, 51);
$rows = [['per key', 'median ns', 'p5', 'p95', '× unkeyed']];
foreach ($times as $name => $rounds) {
    $base = $times[preg_replace('/, keyed$/', ', unkeyed', $name)];
    $ns = fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / 20_000);
    $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $base);
    $rows[] = [$name, $ns(0.5), $ns(0.05), $ns(0.95), sprintf('%.2f', quantile($ratios, 0.5))];
}

// A different process signs, because a process with bloom.signing_key_file does not load unsigned blobs.
$builder = new Builder(20_000_000, 0.01, seed: SEED);
$builder->addMany($asked[16]);
$builder->build()->save("$directory/unsigned.bloom");
$php = PHP_BINARY . " -d extension=" . escapeshellarg((string) getenv('BLOOM_BENCH_MODULE'));
echo shell_exec("$php -d bloom.signing_key_file=$directory/secrets -r " . escapeshellarg(
    "Bloom\\Blob::open('$directory/unsigned.bloom')->sign('signed')->save('$directory/signed.bloom');"
));
$blobs = ['unsigned' => Blob::open("$directory/unsigned.bloom"), 'signed' => Blob::open("$directory/signed.bloom")];
$tasks = [];
foreach ($blobs as $name => $blob) {
    $tasks["Filter::load(), $name"] = fn () => Filter::load($name, $blob);
}
$bytes = $blobs['signed']->info()->bytes;
$times = interleaved($tasks, 21);
$rows[] = ['per byte', 'median ns', 'p5', 'p95', '× unsigned'];
foreach ($times as $name => $rounds) {
    $ns = fn (float $share) => sprintf('%.3f', quantile($rounds, $share) / $bytes);
    $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $times['Filter::load(), unsigned']);
    $rows[] = [$name, $ns(0.5), $ns(0.05), $ns(0.95), sprintf('%.2f', quantile($ratios, 0.5))];
}
report('Keyed filters and signed blobs compared with plain ones, interleaved', $rows, $argv[1]);
array_map(Filter::drop(...), ['unkeyed', 'keyed', 'unsigned', 'signed']);
