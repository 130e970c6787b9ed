<?php

/**
 * The nightly job of the cluster's demo: `php cluster_night.php FILE` builds a filter of FILE's lines and publishes it. It tries
 * again until the store has taken it. After the first chunks, it prints a line and waits for one, so that a master can be
 * killed in the middle.
 */

namespace Demo;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\Layout;
use Bloom\Store;
use Bloom\StoreException;

require __DIR__ . '/common.php';

/** With 0.2 s between them, the job gives up after a minute. */
const ATTEMPTS = 300;

[, $file] = $argv;
$hasPaused = false;
$pause = function () use (&$hasPaused): void {
    if (!$hasPaused) {
        $hasPaused = true;
        echo "publishing\n";
        fgets(STDIN);
    }
};
/** Builds the filter like the published one, if there is one. */
function build(Store $store, string $file): Blob
{
    $previous = Blob::find($store, FILTER);
    $builder = $previous !== null
        ? Builder::like($previous)
        : new Builder(count(read_lines($file)), 0.01, seed: 1, layout: new Layout(chunkBytes: 8192), source: 'SKK-JISYO.L');
    $builder->addFile($file);
    return $builder->build();
}

$store = open_store();
$blob = null;
for ($attempt = 1; ; $attempt++) {
    try {
        $blob ??= build($store, $file);
        $published = $blob->publish($store, FILTER, $pause);
        break;
    } catch (StoreException $error) {
        if ($attempt >= ATTEMPTS) {
            throw $error;
        }
        usleep(200_000);
    }
}
echo json_encode(['attempts' => $attempt] + $published), "\n";
