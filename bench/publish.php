<?php
/* Measures what it costs that publish() reads back what it has written, beside a publish that trusts the store. The second one
 * uses a store that answers these reads from this process's memory, and asks the server only which chunks exist. */

namespace BloomBench;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\RedisStore;
use Bloom\Store;

require __DIR__ . '/common.php';

const ROUNDS = 41;
const KEYS = 5_000_000;

/** Counts the calls and bytes of a store.
 *
 * @param bool $trusts answer for chunks, and for the staged head, from memory */
final class CountingStore implements Store
{
    public int $calls = 0;
    public int $written = 0;
    public int $read = 0;

    /** @var array<string, string> chunks by key, since the first publish */
    private array $chunks = [];
    /** @var array<string, true> what was written since begin() */
    private array $fresh = [];

    public function __construct(private Store $store, private bool $trusts)
    {
    }

    public function begin(): void
    {
        $this->calls = $this->written = $this->read = 0;
        $this->fresh = [];
    }

    public function getMultiple(array $keys): array
    {
        $known = [];
        if ($this->trusts) {
            $known = array_intersect_key($this->chunks, $this->fresh, array_flip($keys));
            $older = array_keys(array_diff_key(array_intersect_key($this->chunks, array_flip($keys)), $known));
            $known += array_intersect_key($this->chunks, array_flip(array_diff($older, $older === [] ? [] : $this->missing($older))));
            $keys = array_values(array_filter($keys, fn (string $key): bool => !isset($known[$key]) && !$this->isChunk($key)));
        }
        if ($keys === []) {
            return $known;
        }
        $this->calls++;
        $found = $this->store->getMultiple($keys);
        $this->read += strlen(implode('', $found));
        return $found + $known;
    }

    public function missing(array $keys): array
    {
        $this->calls++;
        return $this->store->missing($keys);
    }

    public function set(string $key, string $value): void
    {
        $this->keep($key, $value);
        $this->store->set($key, $value);
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        $this->calls++;
        $this->written += strlen($value);
        return $this->store->replace($key, $expected, $value);
    }

    public function deleteMultiple(array $keys): void
    {
        $this->calls++;
        $this->store->deleteMultiple($keys);
    }

    /** Returns whether a key is that of a value that the publisher writes before it sets the head. */
    private function isChunk(string $key): bool
    {
        return preg_match('/:[0-9a-f]{32}$/', $key) === 1;
    }

    private function keep(string $key, string $value): void
    {
        $this->calls++;
        $this->written += strlen($value);
        if ($this->trusts && preg_match('/:([0-9a-f]{32}|staged)$/', $key)) {
            $this->chunks[$key] = $value;
            $this->fresh[$key] = true;
        }
    }
}

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$redis = start_redis("$directory/redis", port: $port = free_port());
$loopback = new \Redis;
$loopback->connect('127.0.0.1', $port);
$empty = static function () use ($redis, $directory): void {
    $redis->flushAll();
    exec('rm -rf ' . escapeshellarg("$directory/store"));
    mkdir("$directory/store");
};
$empty();
$stores = [
    'Redis, Unix socket' => new RedisStore($redis),
    'Redis, loopback TCP' => new RedisStore($loopback),
    'directory in memory' => new DirectoryStore("$directory/store"),
];

/** Builds a version of KEYS keys, the last of which depend on the number. */
$build = static function (int $number, int $seed, int $changed): Blob {
    $builder = new Builder(KEYS, 0.01, seed: $seed);
    $builder->addMany(range(1, KEYS - $changed));
    $builder->addMany(range(KEYS * $number, KEYS * $number + max(1, $changed) - 1));
    return $builder->build(builtAt: 1_700_000_000 + $number, maxFalsePositiveRate: 0.02);
};
$versions = [
    'nothing was published' => [null, $build(1, SEED, 10)],
    'all chunks are new' => [$build(1, SEED, 10), $build(2, SEED + 1, 10)],
    '10 keys are new' => [$build(1, SEED, 10), $build(2, SEED, 10)],
];
$rows = [['store', 'version', 'publish', 'median ms', 'p5', 'p95', 'calls', 'MB written', 'MB read']];
foreach ($stores as $where => $store) {
    foreach ($versions as $what => [$old, $new]) {
        $tasks = $before = $counts = [];
        foreach (['with the read-back' => false, 'without' => true] as $how => $trusts) {
            $counting = new CountingStore($store, $trusts);
            $before[$how] = static function () use ($empty, $counting, $old): void {
                $empty();
                $old?->publish($counting, 'tags');
                $counting->begin();
            };
            $tasks[$how] = static function () use ($counting, $new, $how, &$counts): void {
                $new->publish($counting, 'tags');
                $counts[$how] = [$counting->calls, $counting->written, $counting->read];
            };
        }
        foreach (interleaved($tasks, ROUNDS, $before) as $how => $times) {
            [$calls, $written, $read] = $counts[$how];
            $rows[] = [$where, $what, $how, ...array_map(static fn (float $share): string => sprintf('%.3g', quantile($times, $share) / 1e6), [0.5, 0.05, 0.95]),
                $calls, sprintf('%.3g', $written / 1e6), sprintf('%.3g', $read / 1e6)];
        }
    }
}
report('What it costs that publish() reads back what it has written, with ' . KEYS / 1e6 . ' million keys', $rows, $argv[1]);
