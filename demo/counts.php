<?php

/**
 * The nightly job of the second act: php counts.php FILE [TAG COUNT] publishes a map from FILE's lines, a tag, a TAB and a
 * count. With a tag and its new count, it publishes the next version. Prints its results as JSON.
 */

namespace Demo;

use Bloom\Blob;
use Bloom\Layout;
use Bloom\MapBuilder;

require __DIR__ . '/common.php';

[, $file, $tag, $count] = $argv + [2 => null, 3 => null];
$store = new CountingStore();
$previous = Blob::find($store, COUNTS);
$start = hrtime(true);
/* A count has ten bits. One absent tag in 10,000 shows a count that is not its own. The seed and the chunk size are set as in
 * nightly.php. */
$builder = $previous !== null
    ? MapBuilder::like($previous, onDuplicate: 'last')
    : new MapBuilder(count(read_lines($file)), 10, 0.0001, seed: 1, layout: new Layout(chunkBytes: 65536));
$builder->addFile($file);
if ($tag !== null) {
    $builder->set($tag, (int) $count);
}
$blob = $builder->build();
echo json_encode([
    'buildMs' => (hrtime(true) - $start) / 1e6,
    'published' => $blob->publish($store, COUNTS),
    'info' => $blob->info(),
]);
