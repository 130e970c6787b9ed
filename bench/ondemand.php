<?php
/* Measures on-demand filters with chunks of 8 KiB and of 1 KiB. The memory has space for 5 %, 20 % or all of the chunks. The
 * frequency of looked-up keys follows Zipf's law. For comparison, the keys are also looked up with a query to the store for
 * each key, and in a filter that is completely loaded. The store is a redis-server on a unix socket, to be as fast as possible.
 *
 * Half of the looked-up keys are in the filter. They are spread over all ranks. */

namespace BloomBench;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\Filter;
use Bloom\Layout;
use Bloom\OnDemandFilter;
use Bloom\RedisStore;

require __DIR__ . '/common.php';

const KEYS = 10_000_000;      // in the filter
const ASKED = 1_000_000;      // distinct keys that are looked up
const PAGE = 20;
const ROUND_KEYS = 2000;
const ROUNDS = 31;
const WARM_KEYS = 60_000;     // looked up before the measurement
const CHUNK_BYTES = [8192, 1024];
const SHARES = [0.05, 0.2, 1.0];

/** Returns the key of a rank. Every second key is in the filter. */
function key_of(int $rank): string
{
    return $rank % 2 === 0 ? 'tag-' . $rank * 5 : "absent-$rank";
}

/** Returns keys in the order of lookups: rank r has a probability proportional to 1 / r^exponent. */
function stream(float $exponent, int $count): array
{
    $sums = [];
    $sum = 0.0;
    for ($rank = 1; $rank <= ASKED; $rank++) {
        $sum += $rank ** -$exponent;
        $sums[] = $sum;
    }
    mt_srand(SEED);
    $keys = [];
    for ($i = 0; $i < $count; $i++) {
        $wanted = mt_rand() / mt_getrandmax() * $sum;
        [$low, $high] = [0, ASKED - 1];
        while ($low < $high) {
            $middle = $low + $high >> 1;
            [$low, $high] = $sums[$middle] < $wanted ? [$middle + 1, $high] : [$low, $middle];
        }
        $keys[] = key_of($low);
    }
    return $keys;
}

/** Returns the memory that a fraction of a blob's chunks needs. */
function memory_for(Blob $blob, float $share): int
{
    $info = $blob->info();
    $slots = (int) round($share * $info->chunks);
    $head = $info->bytes - $info->shards * $info->shardBytes;
    return 4096 * (int) ceil((4096 + $head + 8 * $info->chunks + 9 * $slots) / 4096) + $slots * $info->chunkBytes;
}

/** @var array<int, Blob> $blobs by chunk size in bytes */
$blobs = [];
foreach (CHUNK_BYTES as $bytes) {
    fwrite(STDERR, 'building a filter of ' . number_format(KEYS) . " keys in chunks of $bytes bytes…\n");
    $builder = new Builder(KEYS, 0.01, seed: SEED, layout: new Layout(shardBytes: $bytes, chunkBytes: $bytes));
    for ($i = 0; $i < KEYS; $i++) {
        $builder->add("tag-$i");
    }
    $blobs[$bytes] = $builder->build();
}
unset($builder);
$redis = start_redis(getenv('BLOOM_BENCH_DIRECTORY') . '/redis');
$store = new RedisStore($redis);
for ($rank = 0; $rank < ASKED; $rank += 2) { // looked-up keys that exist, as keys of the store
    $redis->rawCommand('SET', key_of($rank), '1');
}
$loaded = Filter::load('loaded', $blobs[8192]);

$rows = [['exponent', 'asked', 'chunks of', 'here', 'MiB', 'hit rate', 'median µs a key', 'p5', 'p95', '× EXISTS', 'chunks fetched per 1,000 keys']];
foreach ([1.0, 1.2] as $exponent) {
    $keys = stream($exponent, WARM_KEYS + (ROUNDS + 1) * ROUND_KEYS);
    $warm = array_splice($keys, 0, WARM_KEYS);
    $rounds = array_chunk($keys, ROUND_KEYS);
    $one_by_one = static fn (callable $ask): callable => static function (array $keys) use ($ask): void {
        foreach ($keys as $key) {
            $ask($key);
        }
    };
    $in_pages = static fn (callable $ask): callable => static function (array $keys) use ($ask): void {
        foreach (array_chunk($keys, PAGE) as $page) {
            $ask($page);
        }
    };
    $asking = [
        'EXISTS' => $one_by_one($redis->exists(...)),
        'MGET of ' . PAGE => $in_pages($redis->mGet(...)),
        'loaded' => $one_by_one($loaded->mightContain(...)),
        'loaded, pages of ' . PAGE => $in_pages($loaded->candidates(...)),
    ];
    /** @var array<string, OnDemandFilter> $filters */
    $filters = [];
    foreach ($blobs as $bytes => $blob) {
        foreach (SHARES as $share) {
            foreach (['one by one', 'pages of ' . PAGE] as $how) {
                $name = sprintf('%d-%d-%d-%s', $bytes, 100 * $share, 10 * $exponent, strtok($how, ' '));
                $blob->publish($store, $name);
                $filter = Filter::attach($name, $store, memory_for($blob, $share));
                $ask = $how === 'one by one'
                    ? $one_by_one($filter->mightContain(...))
                    : $in_pages($filter->candidates(...));
                $ask($warm);
                if ($share === 1.0) { // fetches the remaining chunks, so that all are resident
                    $filter->candidates(array_map(static fn (int $i): string => "all-$i", range(1, 200_000)));
                }
                $asking["$name, $how"] = $ask;
                $filters["$name, $how"] = $filter;
            }
        }
    }
    $before = array_map(static fn (OnDemandFilter $filter): \Bloom\OnDemandInfo => $filter->info(), $filters);
    $tasks = [];
    foreach ($asking as $name => $ask) {
        $round = 0;
        $tasks[$name] = static function () use ($ask, $rounds, &$round): void {
            $ask($rounds[$round++]);
        };
        unset($round);
    }
    fwrite(STDERR, "measuring with exponent {$exponent}…\n");
    $times = interleaved($tasks, ROUNDS);
    foreach ($times as $name => $nanoseconds) {
        $us = static fn (float $share): string => sprintf('%.3f', quantile($nanoseconds, $share) / 1000 / ROUND_KEYS);
        $ratios = array_map(static fn ($one, $other) => $one / $other, $nanoseconds, $times['EXISTS']);
        $row = ['-', '-', '-', '-', '-'];
        if (isset($filters[$name])) {
            $info = $filters[$name]->info();
            $asked = count($keys);
            if ($info->untold > 0 || $info->fetchFailures > 0) {
                throw new \RuntimeException("$name: $info->untold untold, $info->lastError");
            }
            $row = [
                sprintf('%d KiB', $info->chunkBytes / 1024),
                sprintf('%d (%.0f %%)', $info->chunksHere, 100 * $info->chunksHere / $info->chunks),
                sprintf('%.1f', $info->memory / 1048576),
                sprintf('%.1f %%', 100 * (1 - ($info->misses - $before[$name]->misses) / $asked)),
                sprintf('%.0f', 1000 * ($info->fetched - $before[$name]->fetched) / $asked),
            ];
            $name = 'on demand' . strstr($name, ',');
        } elseif (str_starts_with($name, 'loaded')) {
            $row = ['-', 'all', sprintf('%.1f', $loaded->info()->bytes / 1048576), '100.0 %', '-'];
        }
        $rows[] = [
            sprintf('%.1f', $exponent), $name, $row[0], $row[1], $row[2], $row[3], $us(0.5), $us(0.05), $us(0.95),
            sprintf('%.3f', quantile($ratios, 0.5)), $row[4],
        ];
    }
}
report('A filter of ' . number_format(KEYS) . ' keys at 1 %, lookups of ' . number_format(ASKED)
    . " keys by Zipf's law, " . ROUNDS . ' interleaved rounds of ' . number_format(ROUND_KEYS), $rows, $argv[1]);
