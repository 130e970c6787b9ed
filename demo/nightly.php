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

function night(string $file, ?callable $progress): array
{
    $store = new CountingStore();
    $previous = Blob::find($store, FILTER);
    $start = hrtime(true);
    /* The same seed and layout as the night before: shards without a change stay the same bytes. The first night has
     * chunks of one shard, because the filter is small, and a small change shall travel as a small change. A job of your
     * own leaves the seed out and gets a random one; the demo shall show the same numbers every time. */
    $builder = $previous !== null
        ? Builder::like($previous)
        : new Builder(count(read_lines($file)), 0.01, seed: 1, chunkBytes: 8192, source: 'SKK-JISYO.L');
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
