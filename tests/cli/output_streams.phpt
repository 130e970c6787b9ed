--TEST--
A command exits properly if the disk is full, its output is closed, or its reader has exited
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
$cli->writeKeys('keys', 1, 50_000);
$cli->run(['build', 'a.bloom', 'keys', '--seed=1']);

$cli->show('bloom info a.bloom > /dev/full');
$cli->show('bloom build - keys > /dev/full');
$cli->show('bloom info a.bloom >&-');
$cli->show('bloom build - keys >&-');
$cli->show('bloom info --quiet a.bloom >&-');
$cli->show('bloom info a.bloom 2>&- | head -n 0');

// If the reader has exited, a command that prints more than the pipe's capacity exits without a message.
$cli->show('{ bloom check --print=candidates a.bloom keys; echo "exit $?" >&2; } | head -n 1');
$cli->show('{ bloom build --capacity=1_000_000 - keys; echo "exit $?" >&2; } | head -c 1 | od -An -tx1');

// A blob is never written to a terminal.
if (shell_exec('command -v script') !== null) {
    $result = $cli->shell('script -qec "bloom build - keys" /dev/null');
    echo $result->code, ' ', str_replace("\r", '', $result->output);
}
?>
--EXPECT--
$ bloom info a.bloom > /dev/full
bloom: standard output: No space left on device
exit 74
$ bloom build - keys > /dev/full
bloom: standard output: No space left on device
exit 74
$ bloom info a.bloom >&-
bloom: standard output: Bad file descriptor
exit 74
$ bloom build - keys >&-
bloom: standard output: Bad file descriptor
exit 74
$ bloom info --quiet a.bloom >&-
exit 0
$ bloom info a.bloom 2>&- | head -n 0
exit 0
$ { bloom check --print=candidates a.bloom keys; echo "exit $?" >&2; } | head -n 1
1
exit 141
exit 0
$ { bloom build --capacity=1_000_000 - keys; echo "exit $?" >&2; } | head -c 1 | od -An -tx1
 89
exit 141
exit 0
64 bloom: a blob is binary and is not written to a terminal: redirect standard output
