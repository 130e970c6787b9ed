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
foreach (["\x9b31m", "\u{9b}31m", "\u{202E}txt", "\u{2066}a\u{2069}", "\u{200E}\u{200F}\u{61C}\u{2028}\u{2029}", "\xff\xc3", "é ねこ 🐈"] as $bytes) {
    echo $cli->run(['info', $bytes])->errors, $cli->run(["--$bytes"])->errors;
}
$cli->run(['build', '--source', "a\x9b\u{9b}\u{202E}é", '--allow-empty', '--capacity=9', 'odd.bloom', '/dev/null']);
echo preg_replace('/^.*("source":"[^"]*").*$/s', '$1', $cli->run(['info', '--format=json', 'odd.bloom'])->output), "\n";
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
bloom: list has no option --nonsense: bloom list --help lists the options
exit 64
$ bloom plan too many
bloom: plan takes no arguments: write bloom plan --keys=too
exit 64
$ bloom build --seed -345 a.bloom
bloom: --seed needs a value: write --seed=-345
exit 64
$ bloom build a.bloom --seed
bloom: --seed needs a value: write --seed=VALUE
exit 64
$ bloom sync --ttl --force tags store
bloom: --ttl needs a value: write --ttl=VALUE
exit 64
$ bloom info no
such[31m file
bloom: no such\x1B[31m file: no such file
exit 66
bloom: \x9B31m: no such file
bloom: there is no option --\x9B31m: bloom --help lists the options
bloom: \u{009B}31m: no such file
bloom: there is no option --\u{009B}31m: bloom --help lists the options
bloom: \u{202E}txt: no such file
bloom: there is no option --\u{202E}txt: bloom --help lists the options
bloom: \u{2066}a\u{2069}: no such file
bloom: there is no option --\u{2066}a\u{2069}: bloom --help lists the options
bloom: \u{200E}\u{200F}\u{061C}\u{2028}\u{2029}: no such file
bloom: there is no option --\u{200E}\u{200F}\u{061C}\u{2028}\u{2029}: bloom --help lists the options
bloom: \xFF\xC3: no such file
bloom: there is no option --\xFF\xC3: bloom --help lists the options
bloom: é ねこ 🐈: no such file
bloom: there is no option --é ねこ 🐈: bloom --help lists the options
"source":"a�\u009b\u202eé"
$ bloom info --filter=none -q
bloom: {dir}/segment/none: no such filter is loaded
exit 66
bloom: missing: neither a file nor a filter on this host
Bloom\Cli\Failure: missing: neither a file nor a filter on this host in …
Stack trace:
