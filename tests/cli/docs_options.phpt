--TEST--
docs/cli.md documents every command and option
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$page = file_get_contents(dirname(__DIR__, 2) . '/docs/cli.md');
$cli = new Cli();
$common = ['help', 'quiet', 'silent', 'version', 'ansi', 'no-interaction', 'verbose', 'format', 'progress']; // silent: Symfony 7.2 and later
foreach (['plan', 'build', 'info', 'check', 'sign', 'load', 'publish', 'mark', 'nightly', 'add', 'relay', 'sync', 'diff', 'rollback', 'pin', 'unpin', 'health', 'list', 'metrics', 'export', 'snapshot', 'restore', 'drop', 'completion'] as $command) {
    check((bool) preg_match("/^## $command\n(.*?)(?=^## |\z)/ms", $page, $section), "a section on $command");
    preg_match_all('/^  (?:-\w, |    )--([\w-]+)/m', $cli->run([$command, '--help'])->output, $options);
    foreach (array_diff($options[1], $common) as $option) {
        $where = $option === 'timeout' ? $page : $section[1];
        check(str_contains($where, "--$option"), "$command --$option");
    }
    echo $command, ' ', implode(' ', array_diff($options[1], $common)), "\n";
}
?>
--EXPECT--
plan keys rate scheme shard-bytes chunk-bytes changed bandwidth memory
build capacity rate max-rate like seed bits-per-key shard-bytes block-bytes probes chunk-bytes scheme source keyed mark built-at sign allow-empty force field delimiter digests fold jobs
info verify filter plot timeout
check print served limit repair timeout force field delimiter digests
sign 
load journal max-lag timeout
publish force end-journal retain timeout
mark timeout
nightly settle max-fall rate keyed fold fresh force retain timeout
add fold force field delimiter digests timeout
relay every table timeout
sync every log-format ttl force on-demand max-lag timeout
diff timeout
rollback timeout
pin timeout
unpin timeout
health max-build-age max-sync-age max-rate max-failures store ready timeout
list timeout
metrics output
export source
snapshot all timeout
restore all timeout
drop 
completion
