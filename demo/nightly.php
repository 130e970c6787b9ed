<?php

/**
 * The nightly job: php nightly.php FILE [SECONDS] publishes a filter of FILE's lines. With SECONDS it is slow, so
 * that the store can fail in its midst, and then tries again every second, for so long. Run by the demo in a
 * process of its own; tells what it did as JSON.
 */

namespace Demo;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\StoreException;

require __DIR__ . '/common.php';

const STORE_DOES_NOT_HAVE_IT = 59; /* docs/errors.md */

function night(string $file, ?callable $progress): array
{
    $store = new CountingStore();
    try {
        /* The same seed and size as the night before: shards without a change stay the same bytes. */
        ['seed' => $seed, 'capacity' => $capacity] = Blob::fetch($store, FILTER)->info();
    } catch (StoreException $thrown) {
        if ($thrown->getCode() !== STORE_DOES_NOT_HAVE_IT) {
            throw $thrown;
        }
        /* Leave the seed out and get a random one; the demo shall show the same numbers every time. */
        [$seed, $capacity] = [1, count(read_lines($file))];
    }
    $start = hrtime(true);
    /* Chunks of one shard: the filter is small, and a small change shall travel as a small change. */
    $builder = new Builder($capacity, 0.01, seed: $seed, chunkBytes: 8192, source: 'SKK-JISYO.L');
    $builder->addFile($file);
    $blob = $builder->build();
    $built = hrtime(true);
    $published = $blob->publish($store, FILTER, $progress);
    return [
        'buildMs' => ($built - $start) / 1e6,
        'publishMs' => (hrtime(true) - $built) / 1e6,
        'published' => $published,
        'info' => $blob->info(),
    ];
}

$until = microtime(true) + ($argv[2] ?? 0);
$slowly = function (): void {
    touch(home() . '/run/publishing');
    usleep(50_000);
};
$failures = [];
do {
    try {
        $told = night($argv[1], isset($argv[2]) ? $slowly : null);
    } catch (StoreException $thrown) {
        if (microtime(true) >= $until) {
            throw $thrown;
        }
        $failures[] = $thrown->getMessage();
        sleep(1);
    }
} while (!isset($told));
echo json_encode($told + ['failures' => $failures]);
