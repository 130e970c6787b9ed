<?php

/** The main process of the demo, which scripts/demo starts. The exit status is 0 if every promise was kept. */

namespace {
    /** Tells tests/lib/cluster.inc where its files belong. */
    function own_file(string $name): string
    {
        return getenv('BLOOM_DEMO_HOME') . "/$name";
    }
}

namespace Demo {

    require __DIR__ . '/common.php';
    require __DIR__ . '/../tests/lib/FastCgiClient.php';
    require __DIR__ . '/../tests/lib/cluster.inc';
    require __DIR__ . '/../examples/status/index.php';

    $report = new Report((float) getenv('BLOOM_DEMO_STARTED'), (float) getenv('BLOOM_DEMO_LOAD'), (int) getenv('BLOOM_DEMO_PROCESSORS'));
    $site = null;
    $status = 1;
    try {
        $site = new Site(getenv('BLOOM_DEMO_HOME'), getenv('BLOOM_DEMO_SHARED'), getenv('BLOOM_DEMO_STORE'), getenv('BLOOM_DEMO_FPM'));
        $status = (new Story($report, $site, new Load($site)))->tell();
    } catch (\Throwable $thrown) {
        fwrite(STDERR, "\nscripts/demo: {$thrown->getMessage()}\n");
    } finally {
        $site?->end();
    }
    exit($status);
}
