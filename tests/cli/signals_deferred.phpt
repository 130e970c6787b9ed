--TEST--
Critical sections finish before a signal terminates the process
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
echo function_exists('pcntl_sigprocmask') ? '' : 'skip the pcntl extension is not loaded';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

require dirname(__DIR__, 2) . '/packages/cli/src/Signals.php';

foreach (['', '$checkpoint();', 'throw new Exception;'] as $body) {
    $code = 'require ' . var_export(dirname(__DIR__, 2) . '/packages/cli/src/Signals.php', true) . ';
        Bloom\Cli\Signals::deferred(function (callable $checkpoint) {
            echo "begin ";
            shell_exec("kill -TERM " . getmypid());
            echo "still here ";
            ' . $body . '
            echo "end ";
        });
        echo "not reached";';
    $process = proc_open([getenv('TEST_PHP_EXECUTABLE'), '-n', '-r', $code], [1 => ['pipe', 'w']], $pipes);
    echo stream_get_contents($pipes[1]);
    while (($status = proc_get_status($process))['running']) {
        usleep(1000);
    }
    echo $status['signaled'] ? "signal {$status['termsig']}" : "exit {$status['exitcode']}", "\n";
}
echo Bloom\Cli\Signals::deferred(fn () => 'what it gives'), "\n";
?>
--EXPECT--
begin still here end signal 15
begin still here signal 15
begin still here signal 15
what it gives
