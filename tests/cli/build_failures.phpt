--TEST--
A failed build reports the reason in one line and in its exit code, and it changes no file
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
$cli->writeKeys('keys', 1, 1000);
$cli->write('bad.bloom', str_repeat('x', 5000));
$cli->write('empty', '');
$cli->write('out.bloom', "\x89BLOOM\r\nas before");
mkdir("$cli->files/directory");
symlink('out.bloom', "$cli->files/link");

$cli->show(['build', 'out.bloom', 'keys', 'missing']);
$cli->show(['build', 'out.bloom', 'directory']);
$cli->show(['build', 'out.bloom', 'empty']);
$cli->show(['build', '--capacity=1', 'out.bloom']);
$cli->show(['build', '--like=missing', 'out.bloom', 'keys']);
$cli->show(['build', '--like=bad.bloom', 'out.bloom', 'keys']);
$cli->show(['build', '--capacity=500', '--seed=1', 'out.bloom', 'keys']);
$cli->show(['build', 'missing/out.bloom', 'keys']);
$cli->show(['build', 'directory', 'keys']);
$cli->show(['build', '--capacity=1', 'out.bloom', 'unknown://keys']);
$cli->show(['build', 'unknown://out.bloom', 'keys']);
$cli->show(['info', 'unknown://out.bloom']);
$cli->show('mkfifo fifo; bloom build fifo keys; echo $?; test -p fifo && rm fifo');
$cli->show("bloom build --capacity=1 out.bloom <&-");
$cli->show(['build', '--capacity=500', '--seed=1', '--max-rate=0.001', 'out.bloom', 'keys']);
echo substr(file_get_contents("$cli->files/out.bloom"), 8), "\n", $cli->names(), "\n";

// --max-rate accepts a rate above the default limit.
$cli->show(['build', '--capacity=500', '--max-rate=1', '--seed=1', 'full.bloom', 'keys']);

// A symbolic link is not replaced by the output.
$cli->show(['build', '--quiet', '--allow-empty', 'link', 'empty']);
symlink('missing', "$cli->files/nowhere");
$cli->show(['build', '--quiet', '--allow-empty', 'nowhere', 'empty']);
check(is_link("$cli->files/nowhere") && readlink("$cli->files/nowhere") === 'missing', 'a dangling link is not replaced');
check(is_link("$cli->files/link") && filesize("$cli->files/out.bloom") > 1000, 'written through the link');
?>
--EXPECTF--
$ bloom build out.bloom keys missing
bloom: missing: no such file
exit 66
$ bloom build out.bloom directory
bloom: directory: is a directory
exit 66
$ bloom build out.bloom empty
bloom: no keys (use --allow-empty to build an empty filter)
exit 66
$ bloom build --capacity=1 out.bloom
bloom: no keys (use --allow-empty to build an empty filter)
exit 66
$ bloom build --like=missing out.bloom keys
bloom: missing: no such file
exit 66
$ bloom build --like=bad.bloom out.bloom keys
bloom: bad.bloom: not a blob (bloom build makes one from lists of keys)
exit 65
$ bloom build --capacity=500 --seed=1 out.bloom keys
bloom: measured %s %, limit 1.5 %, with about 1010 distinct keys in a filter sized for 500: the measured false-positive rate is over the limit; give a larger --capacity
exit 78
$ bloom build missing/out.bloom keys
bloom: missing/out.bloom: its directory does not exist or is not accessible
exit 73
$ bloom build directory keys
bloom: directory: is a directory
exit 73
$ bloom build --capacity=1 out.bloom unknown://keys
bloom: unknown://keys: this PHP has no stream wrapper of that name
exit 66
$ bloom build unknown://out.bloom keys
bloom: OUTPUT unknown://out.bloom: is a URL; give the path of a file, or - for standard output
exit 64
$ bloom info unknown://out.bloom
bloom: unknown://out.bloom: this PHP has no stream wrapper of that name
exit 66
$ mkfifo fifo; bloom build fifo keys; echo $?; test -p fifo && rm fifo
73
bloom: fifo: is not a regular file (use - for standard output)
exit 0
$ bloom build --capacity=1 out.bloom <&-
bloom: standard input is closed
exit 66
$ bloom build --capacity=500 --seed=1 --max-rate=0.001 out.bloom keys
bloom: measured %s %, limit 0.1 %, with about 1010 distinct keys in a filter sized for 500: the measured false-positive rate is over the limit; give a larger --capacity
exit 78
as before
bad.bloom directory empty keys link out.bloom
$ bloom build --capacity=500 --max-rate=1 --seed=1 full.bloom keys
full.bloom: about 1,010 keys, 5 KiB, %s % false positives, 1,000 lines added
exit 0
$ bloom build --quiet --allow-empty link empty
exit 0
$ bloom build --quiet --allow-empty nowhere empty
bloom: nowhere: is not a regular file (use - for standard output)
exit 73
