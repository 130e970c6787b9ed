--TEST--
A signal that arrives while names are synced ends the following wait, and none is lost
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
require dirname(__DIR__, 2) . '/cli/SignalQueue.php';

pcntl_alarm(250); // what waits for an hour is killed
$queue = new Bloom\Cli\SignalQueue();
$send = static fn (string $name) => shell_exec("kill -$name " . getmypid());

echo 'nothing: ', json_encode($queue->stop()), "\n";
$queue->wait(0.001);

// SIGHUP, for which the loop asks between two names, and which means: look again at once.
$send('HUP');
echo 'SIGHUP: ', json_encode($queue->stop()), "\n";
$queue->wait(3600);
$send('HUP');
$queue->wait(3600);
$queue->wait(0.001);
echo "did not wait, and is used up\n";

// SIGTERM, of which the last name's failure takes note.
$send('HUP');
$send('TERM');
echo $queue->stop(), "\n";
$queue->wait(3600);
$queue->wait(3600);
echo $queue->stop(), " is not forgotten\n";
?>
--EXPECT--
nothing: null
SIGHUP: null
did not wait, and is used up
SIGTERM
SIGTERM is not forgotten
