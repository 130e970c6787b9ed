<?php
/* Measures what a journal costs: adding keys beside bare commands of Redis, an idle pull of 100 filters, the first sync of a
 * host that has 10^6 keys to read, lookups, and 1,000 pollers of one server. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\JournalStore;
use Bloom\RedisStore;

require __DIR__ . '/common.php';

const ROUNDS = 201;
const KEYS = 1_000_000;
const POLLERS = 1000;

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$redis = start_redis("$directory/redis");
mkdir("$directory/store");
$store = new RedisStore($redis);
$files = new DirectoryStore("$directory/store");
$rows = [['what', 'median', 'p5', 'p95', 'unit', 'relative to']];

/** Adds a row for nanoseconds per round. */
$row = static function (string $what, array $times, float $divisor, string $unit, string $relative = '') use (&$rows): void {
    $rows[] = [$what, ...array_map(static fn (float $share): string => sprintf('%.4g', quantile($times, $share) / $divisor), [0.5, 0.05, 0.95]), $unit, $relative];
};
/** Publishes and loads a filter of KEYS keys with a mark. */
$make = static function (string $name, JournalStore $store, int $keys = 1000): Journal {
    $journal = new Journal($name, $store);
    $mark = $journal->mark();
    $builder = new Builder(max(1000, $keys), 0.01, seed: SEED);
    $builder->addMany(range(1, $keys));
    $builder->build(mark: $mark)->publish($store, $name);
    return $journal;
};

// 1. Adding. The host serves the filter, so each add also inserts the keys here.
$journal = $make('adds', $store);
$inFiles = $make('adds-in-files', $files);
Filter::sync('adds', $store);
Filter::sync('adds-in-files', $files);
$elsewhere = new Journal('not-loaded-here', $store);
$i = 0;
$key = static function () use (&$i): string {
    return 'https://shop.example/item/' . ++$i;
};
$keys = static fn (): array => array_map(static fn () => $key(), range(1, 100));
$times = interleaved([
    'APPEND' => static fn () => $redis->append('bare', str_repeat('x', 80)),
    'XADD' => static fn () => $redis->xAdd('stream', '*', ['r' => str_repeat('x', 80)]),
    'add, not served here' => static fn () => $elsewhere->add($key()),
    'add' => static fn () => $journal->add($key()),
    'add of 100 keys' => static fn () => $journal->add($keys()),
    'add, directory in memory' => static fn () => $inFiles->add($key()),
], ROUNDS);
foreach ($times as $what => $all) {
    $ratio = array_map(static fn (float $one, float $bare): float => $one / $bare, $all, $times['APPEND']);
    $row($what, $all, 1000, 'us', sprintf('%.2f x APPEND', quantile($ratio, 0.5)));
}

// 2. An idle pull.
$names = array_map(static fn (int $n): string => "pull$n", range(1, 100));
foreach ($names as $name) {
    $make($name, $store);
    Filter::sync($name, $store);
}
$stat = static function (string $section, string $pattern) use ($redis): float {
    $found = 0.0;
    foreach ($redis->info($section) as $field => $value) {
        $found += preg_match($pattern, $field) ? (float) (preg_match('/usec=([\d.]+)/', (string) $value, $parts) ? $parts[1] : $value) : 0;
    }
    return $found;
};
Journal::pull($store, $names);
[$usec, $in, $out] = [$stat('commandstats', '/evalsha/'), $stat('stats', '/^total_net_input_bytes$/'), $stat('stats', '/^total_net_output_bytes$/')];
$times = interleaved(['100 names' => static fn () => Journal::pull($store, $names), '1 name' => static fn () => Journal::pull($store, ['pull1'])], ROUNDS);
$row('idle pull of 100 names', $times['100 names'], 1000, 'us');
$row('idle pull of 1 name', $times['1 name'], 1000, 'us');
$pulled = (ROUNDS + 1) * 101;
$rows[] = ['server time of a script, per name', sprintf('%.3g', ($stat('commandstats', '/evalsha/') - $usec) / $pulled), '', '', 'us', ''];
$rows[] = ['bytes to and from the server, per name', round(($stat('stats', '/^total_net_input_bytes$/') - $in + $stat('stats', '/^total_net_output_bytes$/') - $out) / $pulled), '', '', 'bytes', ''];

// 3. The first sync.
foreach ([1, 1000] as $each) {
    $replay = $make("replay$each", $store);
    for ($from = 0; $from < KEYS; $from += $each) {
        $replay->add(range($from, $from + $each - 1));
    }
    $times = interleaved(['sync' => static fn () => Filter::sync("replay$each", $store)], 3, ['sync' => static fn () => Filter::drop("replay$each")]);
    $row("first sync with 10^6 keys, $each per record", $times['sync'], 1e9, 's', sprintf('%.3g keys/s', KEYS / quantile($times['sync'], 0.5) * 1e9));
    $info = Filter::open("replay$each")->info()->journal;
    $rows[] = ["memory of the keys, $each per record", sprintf('%.3g', $info->bytes / $info->keys), '', '', 'bytes per key', ''];
}

// 4. Lookups, in filters of 10^6 keys.
$ask = [];
mt_srand(SEED);
for ($n = 0; $n < 100_000; $n++) {
    $ask[] = 'absent ' . mt_rand();
}
$filters = [];
foreach (['no mark' => null, 'no added keys' => 0, '10^4 added keys' => 10_000, '10^6 added keys' => 1_000_000] as $what => $added) {
    $name = 'ask' . (int) $added . ($added === null ? 'plain' : '');
    if ($added === null) {
        $builder = new Builder(KEYS, 0.01, seed: SEED);
        $builder->addMany(range(1, KEYS));
        $filters[$what] = Filter::load($name, $builder->build());
        continue;
    }
    $journal = $make($name, $store, KEYS);
    if ($added > 0) {
        $journal->add(range(KEYS + 1, KEYS + $added));
    }
    Filter::sync($name, $store, maxLag: 0);
    $filters[$what] = Filter::open($name);
}
$parts = [20 => array_chunk(array_slice($ask, 0, 20_000), 20), 1000 => array_chunk($ask, 1000)];
$tasks = [];
foreach ($filters as $what => $filter) {
    $tasks["mightContain, $what"] = static function () use ($filter, $ask): void {
        for ($n = 0; $n < 20_000; $n++) {
            $filter->mightContain($ask[$n]);
        }
    };
    foreach ($parts as $size => $lists) {
        $tasks["candidates of $size, $what"] = static function () use ($filter, $lists): void {
            foreach ($lists as $list) {
                $filter->candidates($list);
            }
        };
    }
}
$times = interleaved($tasks, 51);
foreach ($times as $what => $all) {
    $base = $times[preg_replace('/, .*/', ', no mark', $what)];
    $ratio = array_map(static fn (float $one, float $other): float => $one / $other, $all, $base);
    $row($what, $all, str_contains($what, '1000') ? 100_000 : 20_000, 'ns per key', sprintf('%.2f x no mark', quantile($ratio, 0.5)));
}

// 5. Pollers: connections that each call the script of read() once a second, as hosts do. One process drives them all.
$position = $journal->mark();
$calls = [];
$redis->rawCommand('CONFIG', 'SET', 'maxclients', '2000');
$clients = [];
for ($n = 0; $n < POLLERS; $n++) {
    $client = new \Redis();
    $client->connect("$directory/redis/redis.sock");
    $client->ping(); // the server's queue of new connections is short
    $clients[] = new RedisStore($client);
}
$cpu = static fn (): float => $stat('cpu', '/^used_cpu_(sys|user)$/');
[$before, $bytes, $start] = [$cpu(), $stat('stats', '/^total_net_(in|out)put_bytes$/'), hrtime(true)];
$late = 0;
for ($second = 0; $second < 10; $second++) {
    foreach ($clients as $n => $client) {
        $due = $start + (int) (($second + $n / POLLERS) * 1e9);
        $wait = $due - hrtime(true);
        $wait > 0 ? usleep((int) ($wait / 1000)) : $late++;
        $asked = hrtime(true);
        $client->read(["$name:journal" => $position], 1 << 20);
        $calls[] = hrtime(true) - $asked;
    }
}
$seconds = (hrtime(true) - $start) / 1e9;
$row('poll by one of 1,000 hosts', $calls, 1000, 'us');
$rows[] = ['server CPU for 1,000 polls per second', sprintf('%.2f', ($cpu() - $before) / $seconds * 100), '', '', '%', sprintf('%.1f s', $seconds)];
$rows[] = ['network for 1,000 polls per second', sprintf('%.0f', ($stat('stats', '/^total_net_(in|out)put_bytes$/') - $bytes) / $seconds / 1000), '', '', 'kB/s', ''];

report('A journal', $rows, $argv[1]);
