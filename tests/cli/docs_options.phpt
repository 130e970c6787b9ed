--TEST--
docs/cli.md lists every command, and docs/reference/commands.md documents it with its options
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

$docs = dirname(__DIR__, 2) . '/docs';
$overview = file_get_contents("$docs/cli.md");
$reference = file_get_contents("$docs/reference/commands.md");
$help = (new Cli())->help();
unset($help['']);
ksort($help);
$common = ['help', 'quiet', 'silent', 'version', 'ansi', 'no-interaction', 'verbose', 'format', 'progress']; // silent: Symfony 7.2 and later
foreach ($help as $command => $text) {
    check(str_contains($overview, "[`$command`](reference/commands.md#bloom-$command)"), "$command in the overview");
    check((bool) preg_match("/^## bloom $command\n(.*?)(?=^## |\z)/ms", $reference, $section), "a section on $command");
    preg_match_all('/^  (?:-\w, |    )--([\w-]+)/m', $text, $options);
    foreach (array_diff($options[1], $common) as $option) {
        check((bool) preg_match("/^\| `(?:-\w, )?--$option\b[^`]*` \| .{10,} \|$/m", $section[1]), "$command --$option");
    }
    echo $command, ' ', implode(' ', array_diff($options[1], $common)), "\n";
}
?>
--EXPECT--
add fold force field delimiter digests timeout
build capacity rate max-rate like seed bits-per-key shard-bytes block-bytes probes chunk-bytes scheme map value-bits on-duplicate source keyed mark built-at sign allow-empty force field delimiter digests fold jobs
check print served limit repair timeout force field delimiter digests
completion 
diff timeout
doctor timeout
drop 
export source to key
get file mask
health max-build-age max-sync-age max-rate max-failures store ready timeout
import from key scandump capacity rate check force source built-at sign timeout
info verify filter plot timeout
list timeout
load journal max-lag timeout
mark timeout
metrics output
nightly settle max-fall rate keyed field delimiter digests fold fresh force retain timeout
pin timeout
plan keys rate scheme map value-bits shard-bytes chunk-bytes changed bandwidth memory
publish force end-journal retain timeout
relay every table timeout
restore all timeout
rollback timeout
sign 
snapshot all timeout
sync every log-format ttl force on-demand max-lag timeout
unpin timeout
