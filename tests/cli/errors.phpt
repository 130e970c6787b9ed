--TEST--
A failure is reported in one line on standard error; -v adds the exception
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

$cli = new Cli();
$cli->show(['nonsense']);
$cli->show(['bild']);
$cli->show(['list', '--nonsense']);
$cli->show(['plan', 'too', 'many']);
// A negative value after a space is parsed as an option.
$cli->show(['build', '--seed', '-345', 'a.bloom']);
$cli->show(['build', 'a.bloom', '--seed']);
$cli->show(['sync', '--ttl', '--force', 'tags', 'store']);
$cli->show(['info', "no\nsuch\e[31m file"]);
$cli->show(['info', '--filter=none', '-q']);
$verbose = $cli->run(['info', 'missing', '-v']);
check($verbose->output === '', 'nothing on standard output');
echo implode("\n", array_slice(explode("\n", preg_replace('~ in /.*~', ' in …', $verbose->errors)), 0, 3)), "\n";

// With -v, the previous exception is also printed.
$cli->write('bad.bloom', 'x');
check(str_contains($cli->run(['info', 'bad.bloom', '-v'])->errors, 'Bloom\FormatException'), 'previous');
?>
--EXPECT--
$ bloom nonsense
bloom: there is no command "nonsense": bloom --help lists the commands
exit 64
$ bloom bild
bloom: there is no command "bild": did you mean build?
exit 64
$ bloom list --nonsense
bloom: The "--nonsense" option does not exist.
exit 64
$ bloom plan too many
bloom: No arguments expected for "plan" command, got "too".
exit 64
$ bloom build --seed -345 a.bloom
bloom: The "--seed" option requires a value. Write --seed=-345 for a value that begins with -
exit 64
$ bloom build a.bloom --seed
bloom: The "--seed" option requires a value.
exit 64
$ bloom sync --ttl --force tags store
bloom: The "--ttl" option requires a value.
exit 64
$ bloom info no
such[31m file
bloom: no such\033[31m file: no such file
exit 66
$ bloom info --filter=none -q
bloom: {dir}/segment/none: no such filter is loaded
exit 66
bloom: missing: neither a file nor a filter on this host
Bloom\Cli\Failure: missing: neither a file nor a filter on this host in …
Stack trace:
