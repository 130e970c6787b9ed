--TEST--
fish completes commands, options, values, filter names and files
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/completion.inc';
skip_without_shell('fish');
?>
--FILE--
<?php
require __DIR__ . '/completion.inc';

$cli = completing('fish', 'completion.fish');
foreach (LINES as $line) {
    $found = $cli->shell("HOME=.. fish --no-config -c 'source ../completion.fish; complete -C \"$line\"'")->output;
    echo "$line: ", implode(' ', array_map(fn (string $row): string => strtok($row, "\t"), explode("\n", trim($found)))), "\n";
}
?>
--EXPECT--
bloom bu: build
bloom build --cap: --capacity
bloom build --scheme=ri: --scheme=ribbon
bloom health bo: booth_tags
bloom build out.bloom key: keys.txt
