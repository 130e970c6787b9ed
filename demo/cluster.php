<?php

/**
 * The demo with a Redis Cluster as the store, started by scripts/demo with FPM running: a pool a host. Exit
 * status 0 when every promise it shows held.
 */

namespace Demo;

require __DIR__ . '/common.php';
require __DIR__ . '/parts.php';
require __DIR__ . '/FastCgiClient.php';
require __DIR__ . '/Report.php';
require __DIR__ . '/words.php';
require __DIR__ . '/TwoNights.php';
require __DIR__ . '/Masters.php';
require __DIR__ . '/BadNight.php';

$report = new Report((float) getenv('BLOOM_DEMO_STARTED'));
try {
    $masters = new Masters(home() . '/redis', getenv('BLOOM_DEMO_USER'));
    write_lines(home() . '/run/masters', $masters->addresses());
    $report->step('Redis Cluster of ' . Masters::NUMBER . ' masters without replicas: ' . implode(', ', $masters->addresses()));
    $night = new BadNight($report, $masters, new Words(home()), (int) getenv('BLOOM_DEMO_HOSTS'));
    $night->show();
    exit($report->end());
} catch (\Throwable $thrown) {
    $report->step('broken off: ' . $thrown->getMessage());
    exit(1);
}
