--TEST--
scripts/demo keeps its promises with every store, and the commands to try next work as printed
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
foreach (['igbinary', 'intl', 'mbstring', 'posix'] as $extension) {
    if (!is_file(PHP_EXTENSION_DIR . "/$extension.so")) {
        die("skip $extension is not installed (scripts/install-packages demo)");
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
    [$story, $next] = explode("\nTry next:\n", $output) + [1 => ''];
    check(!preg_match('/^(?!The same).{81}/mu', $story), "$store: at most 80 columns");
    check(preg_match('/\] All (\d+) promises were kept: 0 wrong of ([\d,]+) answers about tags that have an article\./', $text, $found) === 1
        && preg_match_all('/^  kept    /m', $story) === (int) $found[1] && (int) strtr($found[2], [',' => '']) > 1_500_000, "$store: the verdict in $output");
    foreach (['2. Pages ask', '3. The next night', '4. A worker', '5. The store', '6. A page on host B'] as $act) {
        check(str_contains($story, $act) && str_contains($report, "<h2>$act"), "$store: $act");
    }
    // The chart has what went wrong, and a busy machine is named.
    check(preg_match('/3 after .*, 4 after .*, 5 after .*, back after .*, 6 after /', $report) === 1, "$store: the marks");
    check(str_contains($text, 'This machine was busy') === str_contains($report, 'This machine was busy'), "$store: the report names a busy machine");
    check(preg_match_all('/^  ([^#].*)$/m', $next, $commands) === 3, "$store: three commands in $next");
}
file_put_contents(own_file('cluster/bloom.ini'), 'bloom.path = ' . own_file('segment') . "\n", FILE_APPEND);
foreach ($commands[1] as $command) {
    exec("$command 2>&1", $lines, $status);
    // An absent key is 1 for `check`. What `doctor` finds wrong depends on this machine.
    $most = match (true) {
        str_contains($command, ' check ') => 1,
        str_contains($command, ' doctor ') => 2,
        default => 0,
    };
    check($status <= $most, "$command: exit status $status: " . implode("\n", $lines));
}
$lines = implode("\n", $lines);
foreach (['/programs.bloom: ', 'programs: loaded generation 1', "maybe\tls\nabsent\tnothing", "ok    programs: loaded, generation 1"] as $part) {
    check(str_contains($lines, $part), "$part in $lines");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
