--TEST--
scripts/demo keeps its promises with every store, compares pages with and without the filter, and writes a report
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
foreach (['/usr/share/skk/SKK-JISYO.L', '/usr/share/edict/edict', PHP_EXTENSION_DIR . '/apcu.so', PHP_EXTENSION_DIR . '/igbinary.so'] as $file) {
    if (!is_file($file)) {
        die("skip $file is not installed (scripts/install-packages demo)");
    }
}
if (getenv('LD_PRELOAD')) {
    die('skip the demo does not run with the sanitizers');
}
skip_without_fpm();
skip_without_redis();
skip_without_cluster();
?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$root = dirname(__DIR__, 2);
$demos = [];
foreach (['directory', 'redis', 'cluster'] as $store) {
    mkdir(own_file($store));
    $environment = [
        'PHP_CONFIG' => trim(shell_exec("$root/scripts/php config")),
        'BLOOM_EXTENSION' => ini_get('extension_dir') . '/bloom.so',
        'BLOOM_BUILD' => own_file($store),
    ];
    $output = ['file', own_file("$store/output"), 'w'];
    $demos[$store] = proc_open(["$root/scripts/demo", '--store', $store], [['file', '/dev/null', 'r'], $output, ['redirect', 1]], $pipes, null, $environment + getenv());
}
foreach ($demos as $store => $demo) {
    $status = proc_close($demo);
    $output = file_get_contents(own_file("$store/output"));
    $text = preg_replace('/\s+/', ' ', $output); // without the line breaks of a terminal
    $report = (string) @file_get_contents(own_file("$store/demo-report.html"));
    check($status === 0, "$store: exit status $status: $output");
    check(!preg_match('/^.{81}/mu', $output), "$store: at most 80 columns");
    // Words that only statisticians and we know, and claims that this run may refute.
    check(!preg_match('/sigma|middle half|segment|only what had changed/i', $output . $report), "$store: plain words");
    foreach (['/^ok +\S+.* 0  of [\d,]+ lookups of articles$/m', '/ all \d+ promises kept$/m', '/^ +load before the demo +\d+\.\d  of \d+ processors/m',
        '/^Next: docs\/getting-started\.md/m'] as $pattern) {
        check(preg_match($pattern, $output) === 1, "$store: $pattern in $output");
    }
    // A busy machine is named, and no time counts as a kept promise.
    $isBusy = str_contains($text, 'This machine was busy with other work');
    check($isBusy === str_contains($report, 'This machine was busy with other work'), "$store: the report names a busy machine");
    check(preg_match('/ all (\d+) promises kept/', $output, $found) && preg_match_all('/^ok /m', $output) === (int) $found[1], "$store: counted promises");
    foreach (['<h2>Result</h2>', "all $found[1] promises kept", "scripts/demo --store $store ", '<h2>Next steps</h2>', 'class="mark"'] as $part) {
        check(str_contains($report, $part), "$store: $part in the report");
    }
    if ($store === 'cluster') {
        foreach (['/^ok +wrong answers +0  of [\d,]+ lookups of articles$/m', '/^ok +hosts switched +4 of 4  /m', '/^ +masters killed +5  /m',
            '/^\[ *\S+ s\] kill 5: master 2/m'] as $pattern) {
            check(preg_match($pattern, $output) === 1, "$pattern in $output");
        }
        continue;
    }
    check(preg_match('/^ +without the filter +[\d.]+ µs .*^ +pages\/s without the filter +[\d,]+ .*^ +with the filter +[\d.]+ µs .*^ +pages\/s with the filter +[\d,]+ /ms', $output) === 1,
        "$store: the same page without the filter in $output");
    check($isBusy === (preg_match('/^ok +the filter is faster by/m', $output) === 0), "$store: a time is judged only on a machine that is not busy");
    check(preg_match('/after [\d,]+ changes, (\d+) of \1, and after one more article 1 of \1\./', $text) === 1, "$store: chunks fetched in $output");
    check(preg_match('/>switch<\/text>/', $report) === 1, "$store: the switch is marked");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
