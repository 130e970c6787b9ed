<?php
/* Compares imported filters of other programs with a native one of the same keys: answers, sizes, and warm lookups.
 *
 * BLOOM_BENCH_FOREIGN is a folder that `tests/vectors/foreign/make --keys N FOLDER` has filled; the default is the committed
 * files of 1,000 keys. Every file is checked against all of its keys and against the list of absent keys for which the
 * program that wrote it says "maybe". */

namespace BloomBench;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\Filter;
use Bloom\ForeignFormat;

require __DIR__ . '/common.php';

$folder = getenv('BLOOM_BENCH_FOREIGN') ?: __DIR__ . '/../tests/vectors/foreign';
$formats = [
    'valkeyprob' => ForeignFormat::ValkeyProb, 'guava64' => ForeignFormat::Guava, 'guava32' => ForeignFormat::Guava,
    'redisbloom-nonscaling-dump' => null, 'redisbloom-dump' => null, 'redisbloom-scandump' => ForeignFormat::RedisBloom,
    'valkeybloom-nonscaling-dump' => null, 'valkeybloom-dump' => null,
];

/** Imports a file, and returns the blob and the number of its keys. The number is at the end of the file's name. */
function import_file(string $file, ?ForeignFormat $format): array
{
    $count = (int) preg_replace('/.*-(\d+)\.bin$/', '$1', $file);
    $isBare = $format === ForeignFormat::ValkeyProb;
    return [Blob::import(file_get_contents($file), $format, $isBare ? $count : null, $isBare ? 0.01 : null), $count];
}

/** Checks the answers of a blob. Returns the number of absent keys for which it says "maybe". */
function check_answers(Blob $blob, int $count, string $list): int
{
    $absent = $count < 10_000 ? 20_000 : 100_000;
    for ($i = 0; $i < $count; $i++) {
        $blob->mightContain("key:$i") or throw new \Exception("$list: key:$i is denied");
    }
    $found = array_values(array_filter(range(0, $absent - 1), fn (int $i): bool => $blob->mightContain("absent:$i")));
    $found === array_map(intval(...), file($list, FILE_IGNORE_NEW_LINES)) or throw new \Exception("$list: other false positives");
    return count($found);
}

mt_srand(SEED);
$sizes = [['keys', 'format', 'layers', 'bits a key', 'denied keys', 'false positives', 'as the writer', 'measured rate']];
$lookups = [['per key', 'median ns', 'p5', 'p95', '× native', 'p5', 'p95']];
$files = [];
foreach ($formats as $name => $format) {
    foreach (glob("$folder/$name-[0-9]*0000.bin") ?: glob("$folder/$name-1000.bin") as $file) {
        [$blob, $count] = import_file($file, $format);
        $wrong = check_answers($blob, $count, preg_replace('/bin$/', 'fp', $file));
        $info = $blob->info();
        $sizes[] = [$count, $name, $info->layers, sprintf('%.2f', $info->bytes * 8 / $count), 0, $wrong, 'same',
            sprintf('%.3f %%', $info->measuredFalsePositiveRate * 100)];
        $files[$count][$name] = $blob;
    }
}
ksort($files);
foreach ($files as $count => $blobs) {
    $native = new Builder($count, 0.01, seed: SEED);
    for ($i = 0; $i < $count; $i++) {
        $native->add("key:$i");
    }
    $blobs = ['native' => $native->build()] + $blobs;
    // Every twentieth looked-up key exists, as on a page of tags most of which have no article.
    $asked = [];
    for ($i = 0; $i < 2000; $i++) {
        $asked[] = $i % 20 === 0 ? 'key:' . mt_rand(0, $count - 1) : 'absent:' . mt_rand();
    }
    $pages = array_chunk($asked, 20);
    $tasks = [];
    foreach ($blobs as $name => $blob) {
        $filter = Filter::load($name, $blob);
        $tasks["mightContain(), $count keys, $name"] = function () use ($filter, $asked): void {
            foreach ($asked as $key) {
                $filter->mightContain($key);
            }
        };
        $tasks["candidates() of 20, $count keys, $name"] = function () use ($filter, $pages): void {
            foreach ($pages as $page) {
                $filter->candidates($page);
            }
        };
    }
    $times = interleaved($tasks, 301);
    foreach ($times as $name => $each) {
        $base = $times[preg_replace('/, [^,]+$/', ', native', $name)];
        $ratios = array_map(fn ($a, $b) => $a / $b, $each, $base);
        $lookups[] = [
            $name,
            ...array_map(fn (float $share) => sprintf('%.1f', quantile($each, $share) / count($asked)), [0.5, 0.05, 0.95]),
            ...array_map(fn (float $share) => sprintf('%.2f', quantile($ratios, $share)), [0.5, 0.05, 0.95]),
        ];
    }
    array_map(Filter::drop(...), array_keys($blobs));
}
report('Imported filters of other programs: answers and whole blobs', $sizes, $argv[1]);
report('Warm lookups, one key in 20 present, interleaved', $lookups, preg_replace('/\.tsv$/', '-lookup.tsv', $argv[1]));
