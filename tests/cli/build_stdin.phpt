--TEST--
build reads keys from standard input and writes a blob to standard output, so commands can be piped
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
$cli->writeKeys('keys', 1, 10);

$cli->show("cat keys | bloom build --seed 1 --capacity 10 - | bloom info - | grep capacity");
$cli->show("cat keys | bloom build --seed 1 --capacity 10 - - | bloom check - keys | tail -n 1");
$cli->show("cat keys | bloom build --seed 1 --capacity 10 out.bloom; bloom check out.bloom keys | tail -n 1");

// Lines end with CR LF, with LF, or at the end of the file. An empty line is the empty key.
$lines = "dos\r\nunix\n\n two words \r\nin\rside\nlast";
$cli->run(['build', '--seed=1', '--capacity=10', 'lines.bloom'], $lines);
$blob = Bloom\Blob::open("$cli->files/lines.bloom");
foreach (['dos', 'unix', '', ' two words ', "in\rside", 'last'] as $key) {
    check($blob->mightContain($key), json_encode($key));
}
check(!$blob->mightContain("dos\r"), 'the CR is not part of the key');
check($blob->info()->keys === 6, 'six keys');

// With "-" as the output, the command prints only the blob.
$result = $cli->run(['build', '--seed=1', '--capacity=10', '-'], $lines);
check(Bloom\Blob::fromString($result->output)->info()->keys === 6, 'six keys');
check($result->errors === '', 'nothing on standard error');
?>
--EXPECTF--
$ cat keys | bloom build --seed 1 --capacity 10 - | bloom info - | grep capacity
keys             10 distinct keys, capacity 10
exit 0
$ cat keys | bloom build --seed 1 --capacity 10 - - | bloom check - keys | tail -n 1
10 of 10 keys might be contained, 0 are definitely absent
exit 0
$ cat keys | bloom build --seed 1 --capacity 10 out.bloom; bloom check out.bloom keys | tail -n 1
out.bloom: 10 keys, 5 KiB, %s % false positives, 10 lines added
10 of 10 keys might be contained, 0 are definitely absent
exit 0
