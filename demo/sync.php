<?php

/** php sync.php [NAME]: the sync that cron runs on every web host as the pool's user. Prints its results as JSON. */

namespace Demo;

require __DIR__ . '/common.php';

echo json_encode(sync_watched(0, $argv[1] ?? FILTER));
