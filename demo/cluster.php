<?php

/**
 * The main process of the demo with a Redis Cluster: masters are killed while a filter is published to four hosts. Each host
 * has its own shared memory, a process that syncs and one that looks up pages. scripts/demo starts this process as the pool's
 * user. The exit status is 0 if every promise was kept.
 */

namespace {
    /** Tells tests/lib/cluster.inc where its files belong. */
    function own_file(string $name): string
    {
        return getenv('BLOOM_DEMO_HOME') . "/redis/$name";
    }
}

namespace Demo {

    require __DIR__ . '/common.php';
    require __DIR__ . '/parts.php';
    require __DIR__ . '/../tests/lib/cluster.inc';
    require __DIR__ . '/../examples/status/index.php';
    require __DIR__ . '/Machine.php';
    require __DIR__ . '/Report.php';
    require __DIR__ . '/words.php';
    require __DIR__ . '/Hosts.php';
    require __DIR__ . '/Outage.php';

    const HOSTS = 4;

    $machine = new Machine((float) getenv('BLOOM_DEMO_LOAD'), (int) getenv('BLOOM_DEMO_PROCESSORS'));
    $report = new Report((float) getenv('BLOOM_DEMO_STARTED'), $machine);
    try {
        exit((new Outage($report))->show());
    } catch (\Throwable $thrown) {
        $report->step('aborted: ' . $thrown->getMessage());
        exit(1);
    }
}
