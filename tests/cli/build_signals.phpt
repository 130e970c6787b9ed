--TEST--
An interrupted build leaves its output file unchanged and leaves no temporary file behind
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
$cli->write('out.bloom', "\x89BLOOM\r\nas before");
foreach ([2, 15, 1] as $signal) {
    $process = $cli->start(["$cli->directory/bin/bloom", 'build', '--capacity=100000', '--progress', 'out.bloom'], null, $pipes);
    // The input is larger than one read, so the signal arrives during the build.
    fwrite($pipes[0], str_repeat("key\n", 100_000));
    while (($status = proc_get_status($process))['running'] && !file_get_contents("$cli->directory/errors")) {
        fwrite($pipes[0], str_repeat("key\n", 1_000_000));
        usleep(1000);
    }
    proc_terminate($process, $signal);
    while (($status = proc_get_status($process))['running']) {
        usleep(1000);
    }
    echo $status['signaled'] ? "signal {$status['termsig']}" : "exit {$status['exitcode']}", "\n";
    fclose($pipes[0]);
    proc_close($process);
}
echo substr(file_get_contents("$cli->files/out.bloom"), 8), "\n", $cli->names(), "\n";
?>
--EXPECT--
signal 2
signal 15
signal 1
as before
out.bloom
