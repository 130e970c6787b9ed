<?php

/**
 * The nightly job: php nightly.php FILE publishes a filter of FILE's lines. Run by the demo in a process
 * of its own; tells what it did as JSON.
 */

namespace Demo;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\StoreException;

require __DIR__ . '/common.php';

$store = open_store();
try {
    /* The same seed and size as the night before: shards without a change stay the same bytes. */
    ['seed' => $seed, 'capacity' => $capacity] = Blob::fetch($store, FILTER)->info();
} catch (StoreException) {
    /* Leave the seed out and get a random one; the demo shall show the same numbers every time. */
    [$seed, $capacity] = [1, count(read_lines($argv[1]))];
}

$start = hrtime(true);
/* Chunks of one shard: the filter is small, and a small change shall travel as a small change. */
$builder = new Builder($capacity, 0.01, seed: $seed, chunkBytes: 8192, source: 'SKK-JISYO.L');
$builder->addFile($argv[1]);
$blob = $builder->build();
$built = hrtime(true);
$published = $blob->publish($store, FILTER);

echo json_encode([
    'buildMs' => ($built - $start) / 1e6,
    'publishMs' => (hrtime(true) - $built) / 1e6,
    'published' => $published,
    'info' => $blob->info(),
]);
