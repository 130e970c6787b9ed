<?php
/* Measures the bytes that are transferred when a filter of 10^7 keys gets 1,000 more keys: by a publish, by a sync, and by a
 * sync without changes. Shows the expected number of chunks beside the counted number. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Layout;
use Bloom\Store;

require __DIR__ . '/common.php';

const KEYS = 10_000_000;
const ADDED = 1000;

/** Counts the bytes written to a store and read from it. */
final class CountingStore implements Store
{
    public array $counts;

    public function __construct(private readonly Store $store)
    {
        $this->reset();
    }

    public function reset(): void
    {
        $this->counts = ['reads' => 0, 'bytesRead' => 0, 'writes' => 0, 'bytesWritten' => 0];
    }

    public function getMultiple(array $keys): array
    {
        $values = $this->store->getMultiple($keys);
        $this->counts['reads']++;
        $this->counts['bytesRead'] += array_sum(array_map(static fn (?string $value): int => strlen($value ?? ''), $values));
        return $values;
    }

    public function missing(array $keys): array
    {
        $this->counts['reads']++;
        return $this->store->missing($keys);
    }

    public function set(string $key, string $value): void
    {
        $this->counts['writes']++;
        $this->counts['bytesWritten'] += strlen($value);
        $this->store->set($key, $value);
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        $this->counts['writes']++;
        $this->counts['bytesWritten'] += strlen($value);
        return $this->store->replace($key, $expected, $value);
    }

    public function deleteMultiple(array $keys): void
    {
        $this->counts['writes']++;
        $this->store->deleteMultiple($keys);
    }
}

$directory = getenv('BLOOM_BENCH_DIRECTORY') . '/store';
mkdir($directory);
$store = new CountingStore(new DirectoryStore($directory));
$rows = [['chunks of', 'step', 'chunks', 'expected', 'reads', 'bytes read', 'writes', 'bytes written', 'ms']];
foreach ([65536, 8192] as $chunkBytes) {
    fwrite(STDERR, 'building two filters of ' . KEYS . " keys, chunks of $chunkBytes bytes…\n");
    $blobs = [];
    foreach ([0, ADDED] as $added) {
        $builder = new Builder(KEYS, 0.01, seed: SEED, layout: new Layout(chunkBytes: $chunkBytes));
        for ($i = 0; $i < KEYS - ADDED + $added; $i++) {
            $builder->add($i);
        }
        $blobs[] = $builder->build(builtAt: 1_700_000_000 + $added);
    }
    $chunks = $blobs[0]->info()->chunks;
    $expected = $chunks * (1 - (1 - 1 / $chunks) ** ADDED);
    $name = "delta$chunkBytes";
    $step = static function (string $what, string $expected, callable $do) use (&$rows, $chunkBytes, $store): void {
        $store->reset();
        $start = hrtime(true);
        $did = $do();
        $ms = (hrtime(true) - $start) / 1e6;
        $rows[] = [
            number_format($chunkBytes), $what, number_format($did), $expected, ...array_map(number_format(...), array_values($store->counts)),
            sprintf('%.1f', $ms),
        ];
    };
    $publish = static fn (int $version) => static fn (): int => $blobs[$version]->publish($store, $name)['chunksWritten'];
    // Every value that was read, except the head, is a fetched chunk.
    $sync = static function (int $version) use ($blobs, $store, $name, $chunkBytes): callable {
        return static function () use ($blobs, $version, $store, $name, $chunkBytes): int {
            Filter::sync($name, $store, 0);
            $info = $blobs[$version]->info();
            $head = $info->bytes - $info->shards * $info->shardBytes;
            return (int) ceil(($store->counts['bytesRead'] - $head) / $chunkBytes);
        };
    };
    $step('publish, first', (string) $chunks, $publish(0));
    $step('sync, first', (string) $chunks, $sync(0));
    $step('publish, ' . ADDED . ' keys added', sprintf('%.0f', $expected), $publish(1));
    $step('sync, ' . ADDED . ' keys added', sprintf('%.0f', $expected), $sync(1));
    $step('publish, nothing changed', '0', $publish(1));
    $step('sync, nothing changed', '0', $sync(1));
    Filter::drop($name);
}
report('A filter of ' . number_format(KEYS) . ' keys at 1 %, ' . number_format(ADDED) . ' of them new', $rows, $argv[1]);
