--TEST--
On Windows, Ctrl+C and Ctrl+Break end a loop, but not the writing of a temporary file
--EXTENSIONS--
bloom
--FILE--
<?php
/* A PHP without pcntl and with the functions that it has on Windows. */
$code = <<<'PHP'
    spl_autoload_register(static fn (string $class) => require getenv('CLI') . '/' . basename(strtr($class, '\\', '/')) . '.php');
    $handlers = [];
    function sapi_windows_set_ctrl_handler(?callable $handler, bool $add = true): bool
    {
        global $handlers;
        $handlers = $add ? [...$handlers, $handler] : array_filter($handlers, static fn (callable $other): bool => $other !== $handler);
        return true;
    }
    function press(int $event): void
    {
        global $handlers;
        array_map(static fn (callable $handler) => $handler($event), $handlers);
    }
    PHP;
$run = static function (string $body) use ($code): void {
    $process = proc_open([getenv('TEST_PHP_EXECUTABLE') ?: PHP_BINARY, '-n', '-d',
        'disable_functions=pcntl_sigtimedwait,pcntl_sigprocmask', '-r', $code . $body], [1 => ['pipe', 'w']], $pipes, null,
        ['CLI' => dirname(__DIR__, 2) . '/packages/cli/src']);
    echo stream_get_contents($pipes[1]);
    echo ', exit ', proc_close($process), "\n";
};

foreach ([0, 1, 7] as $event) {
    $run('$queue = new Bloom\Cli\SignalQueue();
        echo json_encode($queue->stop()), ", ";
        $began = microtime(true);
        $queue->wait(0.25);
        echo microtime(true) - $began >= 0.25 ? "waited, " : "DID NOT WAIT, ";
        press(' . $event . ');
        $began = microtime(true);
        $queue->wait(20);
        echo microtime(true) - $began < 20 ? "" : "DID NOT END, ", $queue->stop(), ", ", $queue->stop();');
}
foreach (['', '$checkpoint();', 'throw new Exception;'] as $end) {
    $run('Bloom\Cli\Signals::deferred(function (callable $checkpoint) {
            $checkpoint();
            echo "begin ";
            press(0);
            echo "still here ";
            ' . $end . '
            echo "end";
        });
        echo "not reached";');
}
$run('echo Bloom\Cli\Signals::deferred(fn () => "what it gives"), ", ", count($handlers), " handlers";');
?>
--EXPECT--
null, waited, Ctrl+C, Ctrl+C, exit 0
null, waited, Ctrl+Break, Ctrl+Break, exit 0
null, waited, console event 7, console event 7, exit 0
begin still here end, exit 130
begin still here , exit 130
begin still here , exit 130
what it gives, 0 handlers, exit 0
