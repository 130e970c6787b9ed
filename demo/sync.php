<?php

/** What cron runs on every web host, under the pool's user. Tells what it did as JSON. */

namespace Demo;

require __DIR__ . '/common.php';

echo json_encode(sync_watched(0));
