--TEST--
A blob in the format of RedisBloom or valkeyprob is exported as commands that store it in a server
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
skip_without_redis();
if (!shell_exec('command -v redis-cli')) {
    die('skip redis-cli is not installed');
}
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

use Bloom\{Blob, ForeignFormat};

/** @return list<list<string>> the commands in a text of the protocol */
function commands(string $text): array
{
    $commands = [];
    for ($at = 0; $at < strlen($text);) {
        check(preg_match('/\G\*(\d+)\r\n/', $text, $parts, 0, $at) === 1, "a command at $at");
        $at += strlen($parts[0]);
        $words = [];
        for ($left = (int) $parts[1]; $left > 0; $left--) {
            check(preg_match('/\G\$(\d+)\r\n/', $text, $parts, 0, $at) === 1, "a word at $at");
            $words[] = substr($text, $at + strlen($parts[0]), (int) $parts[1]);
            $at += strlen($parts[0]) + $parts[1];
            check(substr($text, $at, 2) === "\r\n", "the end of a word at $at");
            $at += 2;
        }
        $commands[] = $words;
    }
    return $commands;
}

/** Describes commands without their data. */
function described(array $commands): string
{
    return implode("\n", array_map(fn (array $words): string
        => implode(' ', array_map(fn (string $word): string => strlen($word) < 40 ? $word : '<' . strlen($word) . ' bytes>', $words)), $commands)) . "\n";
}

$cli = new Cli();
$cli->writeKeys('keys', 1, 5000);
$cli->show(['build', '--scheme=redisbloom', 'tags.bloom', 'keys']);
$cli->show(['export', '--to=redis', '--key=tags:new', 'tags.bloom', 'commands']);
$commands = commands(file_get_contents("$cli->files/commands"));
echo described($commands);
check($commands[0][3] . $commands[1][3] === Blob::open("$cli->files/tags.bloom")->export(), 'header and bits');
$result = $cli->shell('bloom export --to=redis --key=tags:new - - <tags.bloom');
check($result->output === file_get_contents("$cli->files/commands"), 'from standard input to standard output');
// A file of commands is replaced, anything else is not.
echo json_encode($cli->run(['export', '--to=redis', '--key=tags', '--format=json', 'tags.bloom', 'commands'])->json()), "\n";
$cli->show(['export', '--to=redis', '--key=tags', 'tags.bloom', 'keys']);
$cli->show(['export', '--to=redis', '--key=tags', 'commands', 'tags.bloom']);

// Chunks have at most 16 MiB, and never cross the end of a layer.
$cli->writeKeys('few', 1, 10);
$cli->run(['build', '--scheme=redisbloom', '--capacity=20M', 'large.bloom', 'few']);
echo described($commands = commands($cli->run(['export', '--to=redis', '--key=large', 'large.bloom', '-'])->output));
check(implode(array_column($commands, 3)) === Blob::open("$cli->files/large.bloom")->export(), 'two chunks');
unlink("$cli->files/large.bloom");
$scanned = file_get_contents(dirname(__DIR__) . '/vectors/foreign/redisbloom-scandump-1000.bin');
Blob::import($scanned, ForeignFormat::RedisBloom)->save("$cli->files/layers.bloom");
echo described($commands = commands($cli->run(['export', '--to=redis', '--key=layers', 'layers.bloom', '-'])->output));
check(implode(array_column($commands, 3)) === $scanned, 'four layers');

// A server has the keys of valkeyprob afterwards.
$redis = new RedisServer($cli->directory);
$cli->show(['build', '--scheme=valkeyprob', '--rate=0.1%', 'prob.bloom', 'keys']);
$result = $cli->shell("bloom export --to=redis --key=tags prob.bloom - | redis-cli -s $redis->socket --pipe; redis-cli -s $redis->socket GET {tags}:c");
echo preg_replace('/^.*\n(?=errors)/s', '', $result->output);
$bitmap = substr(shell_exec("redis-cli -s $redis->socket GET {tags}"), 0, -1);
$commands = array_map(fn (string $key): string => $cli->run(['export', '--to=redis', "--key=$key", 'prob.bloom', '-'])->output, ['tags', '{tags}']);
check($commands[0] !== '' && $commands[0] === $commands[1], 'braces around the key change nothing');
check($bitmap === Blob::open("$cli->files/prob.bloom")->export(), 'the bitmap');
check(Blob::import($bitmap, ForeignFormat::ValkeyProb, 5000, 0.001)->mightContain('1'), 'imported again');

foreach ([
    ['--to=redis', 'tags.bloom', 'no'], ['--key=tags', 'tags.bloom', 'no'], ['--to=valkey', '--key=tags', 'tags.bloom', 'no'],
    ['--to=redis', '--key=tags', '--source=x', 'tags.bloom', 'no'], ['--to=redis', '--key=tags', '--format=json', 'tags.bloom', '-'],
    ['--to=redis', '--key=tags', 'missing.bloom', 'no'], ['--to=redis', '--key=tags', 'keys', 'no'],
] as $arguments) {
    $cli->show(['export', ...$arguments]);
}
$cli->run(['build', 'own.bloom', 'keys']);
$cli->show(['export', '--to=redis', '--key=tags', 'own.bloom', 'no']);
foreach (['--seed=1', '--keyed', '--bits-per-key=9', '--block-bytes=64', '--probes=3', '--like=tags.bloom', '--digests', '--mark=x'] as $option) {
    $result = $cli->run(['build', '--scheme=redisbloom', $option, 'no', 'keys']);
    check($result->code === 64 && str_contains($result->errors, 'so leave out ' . strtok($option, '=')), "$option: $result->errors");
}
$cli->show(['plan', '--scheme=redisbloom', '--keys=1000']);
check(!file_exists("$cli->files/no"), 'nothing was written');
?>
--EXPECT--
$ bloom build --scheme=redisbloom tags.bloom keys
tags.bloom: a redisbloom filter, 4,992 keys, 10 KiB, 0.991 % false positives, 5,000 lines added
exit 0
$ bloom export --to=redis --key=tags:new tags.bloom commands
commands: 2 commands, 6.0 KiB; send them with redis-cli --pipe
exit 0
BF.LOADCHUNK tags:new 1 <73 bytes>
BF.LOADCHUNK tags:new 5993 <5992 bytes>
{"key":"tags","output":"commands","commands":2,"bytes":6164}
$ bloom export --to=redis --key=tags tags.bloom keys
bloom: OUTPUT keys: exists and has no commands of Redis, so it is not replaced: choose another name, or delete the file
exit 64
$ bloom export --to=redis --key=tags commands tags.bloom
bloom: OUTPUT tags.bloom: exists and has no commands of Redis, so it is not replaced: choose another name, or delete the file
exit 64
BF.LOADCHUNK large 1 <73 bytes>
BF.LOADCHUNK large 16777217 <16777216 bytes>
BF.LOADCHUNK large 23962649 <7185432 bytes>
BF.LOADCHUNK layers 1 <232 bytes>
BF.LOADCHUNK layers 145 <144 bytes>
BF.LOADCHUNK layers 457 <312 bytes>
BF.LOADCHUNK layers 1153 <696 bytes>
BF.LOADCHUNK layers 2689 <1536 bytes>
$ bloom build --scheme=valkeyprob --rate=0.1% prob.bloom keys
prob.bloom: a valkeyprob filter, 5,000 keys, 13 KiB, 0.102 % false positives, 5,000 lines added
exit 0
errors: 0, replies: 1
5000
$ bloom export --to=redis tags.bloom no
bloom: --to: give the key of the filter as well: --key=KEY
exit 64
$ bloom export --key=tags tags.bloom no
bloom: --key needs --to=redis
exit 64
$ bloom export --to=valkey --key=tags tags.bloom no
bloom: --to: "valkey" is not redis
exit 64
$ bloom export --to=redis --key=tags --source=x tags.bloom no
bloom: --source is part of a blob, but --to writes none
exit 64
$ bloom export --to=redis --key=tags --format=json tags.bloom -
bloom: standard output cannot contain both the commands and the output of --format=json
exit 64
$ bloom export --to=redis --key=tags missing.bloom no
bloom: missing.bloom: no such file
exit 66
$ bloom export --to=redis --key=tags keys no
bloom: keys: not a blob (bloom build makes one from lists of keys)
exit 65
$ bloom export --to=redis --key=tags own.bloom no
bloom: own.bloom: blob: only filters in the format of RedisBloom or valkeyprob can be exported (build one from the keys with Builder(format:), or bloom build --scheme)
exit 65
$ bloom plan --scheme=redisbloom --keys=1000
bloom: --scheme: "redisbloom" is not one of bloom, ribbon and auto (only bloom build has it)
exit 64
