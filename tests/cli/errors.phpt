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
$cli->show(['hlep']);
$cli->show(['version']);
$cli->show(['--verison']);
$cli->show(['', 'tags']);
$cli->show(['--format', 'json', 'list']);
$cli->show(['list', '--nonsense']);
$cli->show(['plan', 'too', 'many']);
$cli->show(['plan', '50M']);
// Options suggest the nearest one, or the one of this command with the same meaning.
foreach ([['plan', '--kyes=1'], ['plan', '--capacity=1'], ['build', '--keys=1'], ['build', '--false-positive-rate=1'], ['list', '--json'],
    ['sync', '--interval=1'], ['sync', '--all'], ['publish', '--forse']] as $call) {
    $cli->show($call);
}
// Numbers say how to write them.
foreach (['--capacity=50m', '--capacity=50MB', '--capacity=80,000', '--capacity=1000G', '--rate=5', '--rate=1', '--rate=0,01', '--rate=500',
    '--shard-bytes=8KB'] as $options) {
    $result = $cli->shell("bloom build $options a.bloom " . __FILE__);
    echo "$options: $result->code ", preg_replace('/\d[\d.]* [GT]iB/', 'N GiB', $result->errors);
}
$cli->show(['sync', '--ttl=5x', 'tags', './store']);
$cli->show(['sync', '--ttl=5m', '--timeout=2s', 'tags', './store']);
// A negative value after a space is parsed as an option.
$cli->show(['build', '--seed', '-345', 'a.bloom']);
$cli->show(['build', 'a.bloom', '--seed']);
$cli->show(['metrics', '--output', '-']);
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
$ bloom hlep
bloom: there is no command "hlep": did you mean help?
exit 64
$ bloom version
bloom: there is no command "version": did you mean bloom --version?
exit 64
$ bloom --verison
bloom: there is no option --verison: did you mean --version?
exit 64
$ bloom  tags
bloom: COMMAND is empty: bloom --help lists the commands (is a shell variable not set?)
exit 64
$ bloom --format json list
bloom: there is no command "json": the command comes before its options; bloom --help lists the commands
exit 64
$ bloom list --nonsense
bloom: list has no option --nonsense: bloom list --help lists the options
exit 64
$ bloom plan too many
bloom: plan takes no arguments: write bloom plan --keys=too
exit 64
$ bloom plan 50M
bloom: plan takes no arguments: write bloom plan --keys=50M
exit 64
$ bloom plan --kyes=1
bloom: plan has no option --kyes: did you mean --keys?
exit 64
$ bloom plan --capacity=1
bloom: plan has no option --capacity: did you mean --keys?
exit 64
$ bloom build --keys=1
bloom: build has no option --keys: did you mean --capacity?
exit 64
$ bloom build --false-positive-rate=1
bloom: build has no option --false-positive-rate: did you mean --rate?
exit 64
$ bloom list --json
bloom: list has no option --json: did you mean --format=json?
exit 64
$ bloom sync --interval=1
bloom: sync has no option --interval: did you mean --every?
exit 64
$ bloom sync --all
bloom: sync has no option --all: bloom sync --help lists the options
exit 64
$ bloom publish --forse
bloom: publish has no option --forse: did you mean --force?
exit 64
--capacity=50m: 64 bloom: --capacity: "50m" is not a number of keys such as 80000, 80k or 50M
--capacity=50MB: 64 bloom: --capacity: "50MB" is not a number of keys such as 80000, 80k or 50M
--capacity=80,000: 64 bloom: --capacity: "80,000" is not a number of keys such as 80000, 80k or 50M
--capacity=1000G: 71 bloom: a filter for 1,000,000,000,000 keys needs N GiB, but this machine has only N GiB of memory: give a smaller --capacity or a higher --rate
--rate=5: 64 bloom: --rate: "5" is more than 0.5; for 5 percent write 5% or 0.05
--rate=1: 64 bloom: --rate: "1" is more than 0.5; for 1 percent write 1% or 0.01
--rate=0,01: 64 bloom: --rate: "0,01" is not a rate such as 0.01 or 1%
--rate=500: 64 bloom: --rate: "500" is more than 0.5, which is 50%
--shard-bytes=8KB: 64 bloom: --shard-bytes: "8KB" is not a number of bytes such as 65536, 64K, 64M or 2G (powers of 1,024)
$ bloom sync --ttl=5x tags ./store
bloom: --ttl: "5x" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom sync --ttl=5m --timeout=2s tags ./store
bloom: the store ./store does not exist: create the directory, or mount the file system that contains it
exit 66
$ bloom build --seed -345 a.bloom
bloom: --seed needs a value: write --seed=-345
exit 64
$ bloom build a.bloom --seed
bloom: --seed needs a value: write --seed=VALUE
exit 64
$ bloom metrics --output -
bloom: --output needs a value: write --output=-
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
bloom: {dir}/segment/none: no such filter is loaded (bloom list shows those that are)
exit 66
bloom: missing: neither a file nor a filter on this host
Bloom\Cli\Failure: missing: neither a file nor a filter on this host in …
Stack trace:
