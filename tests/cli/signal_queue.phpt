--TEST--
A signal that arrives during a sync ends the next wait, and no signal is lost
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/sync_every.inc';
skip_without_pcntl();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require dirname(__DIR__, 2) . '/packages/cli/src/SignalQueue.php';

pcntl_alarm(250); // kills this test if a wait of an hour does not end early
$queue = new Bloom\Cli\SignalQueue();
$send = static fn (string $name) => shell_exec("kill -$name " . getmypid());

echo 'nothing: ', json_encode($queue->stop()), "\n";
$queue->wait(0.001);

// After SIGHUP, stop() returns null and the next wait ends immediately, so that the loop syncs again.
$send('HUP');
echo 'SIGHUP: ', json_encode($queue->stop()), "\n";
$queue->wait(3600);
$send('HUP');
$queue->wait(3600);
$queue->wait(0.001);
echo "each SIGHUP ended one wait\n";

// stop() still returns SIGTERM after later waits.
$send('HUP');
$send('TERM');
echo $queue->stop(), "\n";
$queue->wait(3600);
$queue->wait(3600);
echo $queue->stop(), " is still returned\n";
?>
--EXPECT--
nothing: null
SIGHUP: null
each SIGHUP ended one wait
SIGTERM
SIGTERM is still returned
