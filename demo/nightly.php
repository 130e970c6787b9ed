<?php

/**
 * The nightly job: php nightly.php FILE publishes a filter of FILE's lines. The demo runs this script in its
 * own process. The script prints its results as JSON.
 */

namespace Demo;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\Layout;

require __DIR__ . '/common.php';

[, $file] = $argv;
$store = new CountingStore();
$previous = Blob::find($store, FILTER);
$start = hrtime(true);
/* like() keeps the seed and the layout, so shards without a change keep their bytes. The first night uses
 * chunks of one shard, because the filter is small and a small change should transfer little. It sets a seed
 * so that the demo always shows the same figures. In your own job, omit the seed to get a random seed. */
$builder = $previous !== null
    ? Builder::like($previous)
    : new Builder(count(read_lines($file)), 0.01, seed: 1, layout: new Layout(chunkBytes: 8192), source: 'SKK-JISYO.L');
$builder->addFile($file);
$blob = $builder->build();
$built = hrtime(true);
$published = $blob->publish($store, FILTER);
echo json_encode([
    'buildMs' => ($built - $start) / 1e6,
    'publishMs' => (hrtime(true) - $built) / 1e6,
    'published' => $published,
    'info' => $blob->info(),
]);
