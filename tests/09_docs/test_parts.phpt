--TEST--
Each test belongs to exactly one part of scripts/test --all, and each job of CI runs one of the parts
--SKIPIF--
<?php
if (shell_exec('command -v bash') === null) {
    echo 'skip bash is not installed';
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$root = dirname(__DIR__, 2);

/** Returns the tests that a command selects, with their parts. */
function listed(string $arguments): array
{
    global $root;
    exec("$root/scripts/test --list $arguments", $lines, $status);
    check($status === 0, "scripts/test --list $arguments: exit status $status");
    $parts = [];
    foreach ($lines as $line) {
        [$part, $test] = explode(' ', $line, 2);
        check(!isset($parts[$test]), "$test is listed once");
        $parts[$test] = $part;
    }
    return $parts;
}

$all = listed('--all');
foreach (array_unique(array_values($all)) as $part) {
    check(listed("--part $part") === array_filter($all, fn ($other) => $other === $part), "--part $part selects the tests of this part");
}

// Whatever looks like a test is in the list.
$files = [...explode("\n", trim(shell_exec("cd $root && find . -name '*.phpt' -not -path './build/*'"))),
    ...explode("\n", trim(shell_exec("cd $root && ls -d ./tests/unit/*_test.c ./tests/fuzz/*_fuzz.c ./packages/*/tests")))];
foreach ($files as $file) {
    $test = preg_replace('~^\./|\.phpt$|\.c$|/tests$~', '', $file);
    check(isset($all[$test]), "$test is in scripts/test --list --all");
}
check(array_diff_key(listed(''), $all) === [], 'the short run has no test that --all lacks');

$workflow = file_get_contents("$root/.github/workflows/ci.yml");
preg_match('/^ +part: \[(.*)\]$/m', $workflow, $found);
$jobs = explode(', ', $found[1] ?? '');
sort($jobs);
$parts = array_unique(array_values($all));
sort($parts);
echo implode(' ', $parts), "\n";
check($jobs === $parts, 'the jobs of CI are the parts');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
browser core fuzz packages php stores tools
