--TEST--
check counts or prints keys by the blob's answer and exits with 1 if any key is definitely absent
--DESCRIPTION--
fault: no-line-ends
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
$cli->write('keys', "dos\r\nunix\n\nlast");
$cli->run(['build', 'blob', 'keys', '--seed=1', '--capacity=1000']);

$cli->show(['check', 'blob', 'keys']);
$cli->show(['check', 'blob', '-'], "unix\nnone\n");
$cli->show(['check', 'blob', 'keys', '-'], "none\r\nlast\n");
echo json_encode(array_slice($cli->run(['check', 'blob', '-', '--format=json'], "unix\nnone")->json(), 0, 4)), "\n";

// --print copies lines with their line endings and adds a line ending if the last line has none.
$lines = "dos\r\nnone\r\n\nunix\nnone at all\nlast";
foreach (['candidates', 'absent', 'each'] as $print) {
    $result = $cli->run(['check', "--print=$print", 'blob', '-'], $lines);
    echo "$result->code ", json_encode($result->output), " $result->errors\n";
}
$cli->show(['check', '-p', 'absent', 'blob', 'keys']);
$cli->show(['check', '-q', 'blob', '-'], "none\n");
$cli->show(['check', 'blob', '-'], '');
$cli->show('bloom check - keys < blob | tail -n 1');

$cli->show(['check', '--print=some', 'blob', 'keys']);
$cli->show(['check', '--print=absent', '--format=json', 'blob', 'keys']);
$cli->show(['check', '-', '-'], 'key');
$cli->show(['check', 'blob', 'missing']);

// check finds every line that build has read, regardless of its length and its position in the file.
$long = str_repeat('x', 300_000);
$cli->write('many', "a\n$long\n\r\n" . implode("\r\n", range(1, 20_000)) . "\r\n$long$long");
$cli->run(['build', 'many.bloom', 'many']);
echo json_encode(array_slice($cli->run(['check', 'many.bloom', 'many', '--format=json'])->json(), 0, 4)), "\n";

// A line of 1 MiB is a key, also before CR LF, and a longer one is refused by every command that reads keys.
$cli->write('long', "a\n" . str_repeat('x', (1 << 20) - 1) . "\r\n" . str_repeat('y', 1 << 20) . "\n");
$cli->run(['build', 'long.bloom', 'long']);
$cli->show('bloom check long.bloom long | tail -n 1');
$cli->write('endless', "a\nb\n" . str_repeat('x', 5 << 20));
$cli->show(['build', '--capacity=10', 'endless.bloom', 'endless']);
$cli->show('bloom build --capacity=10 endless.bloom - < endless');
$cli->show(['check', 'long.bloom', 'endless']);
$cli->show('bloom check --print=absent long.bloom - < endless');
mkdir("$cli->files/store");
$cli->show("bloom add tags $cli->files/store < endless");
?>
--EXPECTF--
$ bloom check blob keys
blob: valid, 4 keys, 6 KiB, %s % false positives
4 of 4 keys might be contained, 0 are definitely absent
exit 0
$ bloom check blob -
blob: valid, 4 keys, 6 KiB, %s % false positives
1 of 2 keys might be contained, 1 is definitely absent
exit 1
$ bloom check blob keys -
blob: valid, 4 keys, 6 KiB, %s % false positives
5 of 6 keys might be contained, 1 is definitely absent
exit 1
{"valid":true,"checked":2,"candidates":1,"absent":1}
1 "dos\r\n\nunix\nlast\n" 
1 "none\r\nnone at all\n" 
1 "maybe\tdos\r\nabsent\tnone\r\nmaybe\t\nmaybe\tunix\nabsent\tnone at all\nmaybe\tlast\n" 
$ bloom check -p absent blob keys
exit 0
$ bloom check -q blob -
exit 1
$ bloom check blob -
blob: valid, 4 keys, 6 KiB, %s % false positives
0 of 0 keys might be contained, 0 are definitely absent
exit 0
$ bloom check - keys < blob | tail -n 1
4 of 4 keys might be contained, 0 are definitely absent
exit 0
$ bloom check --print=some blob keys
bloom: --print: "some" is not one of candidates, absent, each
exit 64
$ bloom check --print=absent --format=json blob keys
bloom: --print requires keys and excludes --format=json
exit 64
$ bloom check - -
bloom: standard input (-) can be read only once
exit 64
$ bloom check blob missing
bloom: missing: no such file (KEYS are files with one key per line; to test one key, write echo KEY | bloom check BLOB -)
exit 66
{"valid":true,"checked":20004,"candidates":20004,"absent":0}
$ bloom check long.bloom long | tail -n 1
3 of 3 keys might be contained, 0 are definitely absent
exit 0
$ bloom build --capacity=10 endless.bloom endless
bloom: endless: line 3: a line can be at most 1,048,576 bytes long (end each key with LF, or add longer keys with add())
exit 65
$ bloom build --capacity=10 endless.bloom - < endless
bloom: standard input: line 3: a line can be at most 1,048,576 bytes long (end each key with LF, or add longer keys with add())
exit 65
$ bloom check long.bloom endless
bloom: endless: line 3: a line can be at most 1,048,576 bytes long (end each key with LF)
exit 65
$ bloom check --print=absent long.bloom - < endless
bloom: standard input: line 3: a line can be at most 1,048,576 bytes long (end each key with LF)
exit 65
$ bloom add tags {dir}/files/store < endless
bloom: standard input: line 3: a line can be at most 1,048,576 bytes long (end each key with LF)
exit 65
