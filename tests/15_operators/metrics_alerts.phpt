--TEST--
Each alert in examples/monitoring fires and ends as its tests expect, and changing a rule makes them fail
--SKIPIF--
<?php
require __DIR__ . '/monitoring.inc';
skip_without_program('promtool');
?>
--FILE--
<?php
require __DIR__ . '/monitoring.inc';
$examples = dirname(__DIR__, 2) . '/examples/monitoring';
echo preg_replace('~^Checking .*\n~', '', shell_exec(PLAIN . "promtool check rules $examples/bloom-alerts.yml 2>&1"));

/** Tests the rules after a replacement, and prints the result. */
function try_rules(string $title, string $from = '', string $to = ''): void
{
    global $examples;
    $rules = file_get_contents("$examples/bloom-alerts.yml");
    check(str_contains($rules, $from), $from);
    file_put_contents(own_file('bloom-alerts.yml'), str_replace($from, $to, $rules));
    copy("$examples/bloom-alerts-test.yml", own_file('bloom-alerts-test.yml'));
    exec('cd ' . escapeshellarg(own_file()) . ' && ' . PLAIN . 'promtool test rules bloom-alerts-test.yml 2>&1', $lines, $status);
    echo "$title: ", $status === 0 ? 'passes' : 'fails', "\n";
}

try_rules('the rules');
try_rules('an hour more', '26 * 3600', '27 * 3600');
try_rules('a higher rate', '1.5 *', '5 *');
try_rules('more failures', 'in_row > 3', 'in_row > 9');
try_rules('without the journal', 'or bloom_filter_journal_complete == 0', '');
try_rules('hosts that are down', 'and on (job, instance) bloom_segment_used_bytes', '');
try_rules('without the limit', 'bloom_segment_memory_limit_bytes -', '1e12 -');
try_rules('all filters', ' and bloom_filter_built_timestamp_seconds', '');
try_rules('blobs of on-demand filters', 'bloom_filter_ondemand_memory_bytes or', '');
try_rules('never unreadable', 'bloom_filter_up == 0', 'bloom_filter_up == 2');
try_rules('denied keys', 'denied_total[1h]) > 0', 'denied_total[1h]) > 9');

// Each alert is expected at one time, and expected not to fire at another.
$tests = file_get_contents("$examples/bloom-alerts-test.yml");
preg_match_all('/^      - alert: (\w+)$/m', file_get_contents("$examples/bloom-alerts.yml"), $alerts);
foreach ($alerts[1] as $alert) {
    foreach (['exp_alerts: \[\]', "exp_alerts:\n *- exp_labels"] as $what) {
        check(preg_match("/alertname: $alert\n +$what/", $tests) === 1, "$alert: $what");
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/monitoring.inc';
clean();
?>
--EXPECT--
  SUCCESS: 8 rules found

the rules: passes
an hour more: fails
a higher rate: fails
more failures: fails
without the journal: fails
hosts that are down: fails
without the limit: fails
all filters: fails
blobs of on-demand filters: fails
never unreadable: fails
denied keys: fails
