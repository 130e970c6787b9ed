<?php
/* Measures what the proof of an answer costs: each operation of RedisStore, which is a script with a random number and a
 * digest, beside the bare command of the same client. */

namespace BloomBench;

use Bloom\RedisStore;

require __DIR__ . '/common.php';

const ROUNDS = 201;

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$redis = start_redis("$directory/redis");
$store = new RedisStore($redis);

/** Returns a record of a journal with a valid frame. */
$record = static function (string $body): string {
    $record = 'BLJ2' . pack('V', strlen($body) + 48) . str_repeat("\0", 32) . $body;
    return $record . hash('xxh3', $record, true);
};
mt_srand(SEED);
$bytes = static fn (int $count): string => implode('', array_map(static fn () => pack('V', mt_rand()), range(1, intdiv($count, 4))));
$values = [4096 => $bytes(4096), 65536 => $bytes(65536), 1 << 20 => $bytes(1 << 20)];
$chunks = array_map(static fn (int $n): string => "chunk$n", range(1, 64));
foreach (['head' => $values[4096], ...array_fill_keys($chunks, $values[65536])] as $key => $value) {
    $store->set($key, $value);
}
$many = array_map(static fn (int $n): string => "absent$n", range(1, 1000));
$one = $record(str_repeat('k', 60));
$large = $record($bytes(500_000));
$position = $store->last('journal')[0];
$bare = static fn (array $keys): array => array_map(static fn (string $key): string => "bloom:$key", $keys);

// The scripts do what those of the store do, without the proof.
$append = $redis->script('load', "return redis.call('XADD', KEYS[1], '*', 'r', ARGV[1])");
$read = $redis->script('load', "redis.call('INFO', 'replication') redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1]) "
    . "return redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', 2)");
$id = substr($position, 0, strrpos($position, '-'));
$pairs = [
    'get a head of 4 KiB' => [static fn () => $redis->mget($bare(['head', 'head:override'])), static fn () => $store->getMultiple(['head', 'head:override'])],
    'get 64 chunks of 64 KiB' => [static fn () => $redis->mget($bare($chunks)), static fn () => $store->getMultiple($chunks)],
    'which of 1,000 keys are missing' => [static fn () => $redis->exists($bare($many)), static fn () => $store->missing($many)],
    'set 64 KiB' => [static fn () => $redis->set('bloom:set', $values[65536]), static fn () => $store->set('set', $values[65536])],
    'set 1 MiB' => [static fn () => $redis->set('bloom:set', $values[1 << 20]), static fn () => $store->set('set', $values[1 << 20])],
    'delete 64 keys' => [static fn () => $redis->del($bare(array_slice($many, 0, 64))), static fn () => $store->deleteMultiple(array_slice($many, 0, 64))],
    'append a record of 108 bytes' => [static fn () => $redis->evalSha($append, ['bloom:bare', $one], 1), static fn () => $store->append('appended', [$one])],
    'append a record of 0.5 MB' => [static fn () => $redis->evalSha($append, ['bloom:bare', $large], 1), static fn () => $store->append('appended', [$large])],
    'read a journal without new records' => [static fn () => $redis->evalSha($read, ['bloom:journal', $id], 1), static fn () => $store->read(['journal' => $position], 1 << 20)],
];
$rows = [['operation', 'bare, median', 'p5', 'p95', 'proven, median', 'p5', 'p95', 'unit', 'proven : bare']];
foreach ($pairs as $what => [$without, $with]) {
    $times = interleaved(['bare' => $without, 'proven' => $with], ROUNDS);
    $redis->del('bloom:bare', 'bloom:appended:journal', 'bloom:appended');
    $ratio = array_map(static fn (float $one, float $other): float => $one / $other, $times['proven'], $times['bare']);
    $cells = [];
    foreach ($times as $all) {
        foreach ([0.5, 0.05, 0.95] as $share) {
            $cells[] = sprintf('%.4g', quantile($all, $share) / 1000);
        }
    }
    $rows[] = [$what, ...$cells, 'us', sprintf('%.2f', quantile($ratio, 0.5))];
}
report('The proof of an answer', $rows, $argv[1]);
