--TEST--
sync --every keeps running, reports only changes, and responds to signals
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/sync_every.inc';
skip_without_console();
skip_without_pcntl();
?>
--FILE--
<?php
require __DIR__ . '/sync_every.inc';

$cli = new Cli();
$store = "$cli->files/store";
mkdir($store);
publish($cli, 'b', 1000, 1);

// Each failure is reported once, and the other filters continue to be synced.
$syncing = new Syncing($cli, '--every=0.02', 'a', 'b', $store);
check($syncing->awaits('b: switched'), 'b');
$before = looks($cli, 'b');
check(comes_true(fn (): bool => looks($cli, 'b') > $before + 20), 'it syncs repeatedly');
publish($cli, 'a', 1000, 1);
check($syncing->awaits('a: switched to generation 1'), 'a');
publish($cli, 'a', 1001, 2);
check($syncing->awaits('a: switched to generation 2'), 'a again');
rename($store, "$store-away");
check($syncing->awaits('b: the store'), 'away');
check(comes_true(fn (): bool => ask($cli, 'info', '-f', 'b', '--format=json')->json()['syncFailuresInRow'] > 5), 'all failures are counted');
rename("$store-away", $store);
check($syncing->awaits('a: recovered') && $syncing->awaits('b: recovered'), 'back');
// Another command drops a filter, and the next sync loads it again.
ask($cli, 'drop', 'b');
check(comes_true(fn (): bool => substr_count($syncing->log(), 'b: switched') === 2), 'dropped');
// A sync that was reading when the store disappeared may first report a different message, which is removed here.
$end = $syncing->end();
$log = preg_replace('/^.* the store\'s directory cannot be reached: No such file or directory\n/m', '', strtr($syncing->log(), [$cli->files => '{files}']));
// The store may disappear and return between the syncs of the two filters, so the lines are sorted by filter.
$lines = explode("\n", rtrim($log));
usort($lines, fn (string $one, string $other): int => preg_replace('/^\{time\} (?:bloom: )?(\w+):.*/s', '$1', $one) <=> preg_replace('/^\{time\} (?:bloom: )?(\w+):.*/s', '$1', $other));
echo "exit $end\n", implode("\n", $lines), "\n";

// SIGHUP ends a wait of one hour.
$syncing = new Syncing($cli, '--every=1h', 'a', $store);
publish($cli, 'a', 1002, 3);
check($syncing->awaits('generation 3') || $syncing->signal(SIGHUP), 'the first sync starts immediately');
publish($cli, 'a', 1003, 4);
$syncing->signal(SIGHUP);
check($syncing->awaits('generation 4'), 'SIGHUP');
usleep(100_000);
echo 'exit ', $syncing->end(SIGINT), "\n";

// Lines that go to systemd's journal do not begin with the time. With --quiet, failures are still reported.
foreach (['' => '', '--quiet' => '2'] as $option => $descriptor) {
    publish($cli, 'a', 2000 + strlen($option), 5 + strlen($option));
    $descriptor = $descriptor ?: '1';
    $process = $cli->start(['sh', '-c', "JOURNAL_STREAM=\$(stat -Lc %d:%i /proc/\$\$/fd/$descriptor) "
        . "exec bloom sync --every=1h $option missing a $store"], '');
    check(comes_true(fn (): bool => str_contains(file_get_contents("$cli->directory/errors"), 'missing:')), 'the failure is reported');
    check(comes_true(fn (): bool => $option === ''
        ? str_contains(file_get_contents("$cli->directory/output"), 'a: switched')
        : ask($cli, 'info', '-f', 'a', '--format=json')->json()['keys'] === 2000 + strlen($option)), 'switched');
    proc_terminate($process);
    $result = $cli->wait($process);
    echo preg_replace('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/m', '{time}', "$result->output$result->errors"), "exit $result->code\n";
}

// A PHP without pcntl keeps syncing as well, until a signal kills it.
$cli->install('bloom', "-d bloom.path=$cli->segment -d disable_functions=pcntl_sigtimedwait", ['bloom']);
publish($cli, 'a', 3000, 20);
$syncing = new Syncing($cli, '--every=0.02', 'a', $store);
check($syncing->awaits('a: switched'), 'without pcntl');
$before = looks($cli, 'a');
check(comes_true(fn (): bool => looks($cli, 'a') > $before + 2), 'it syncs repeatedly');
check($syncing->end() !== 0, 'SIGTERM kills it');

// A permanent error terminates the process.
$cli->show(['sync', '--every=1', 'a', 'no/name', 'store']);
$cli->show(['sync', '--every=1', 'a', 'ftp://store']);
$cli->show(['sync', '--every=1', '--ttl=-1', 'a', 'store']);
?>
--EXPECTF--
exit 0
{time} a: switched to generation 1, 1,000 keys, %s, after %d failure%S
{time} a: switched to generation 2, 1,001 keys, %s
{time} a: recovered, generation 2, after %d failure%S
{time} bloom: a: missing from the store
{time} bloom: a: the store {files}/store does not exist: create the directory, or mount the file system that contains it
{time} b: switched to generation 1, 1,000 keys, %s
{time} b: recovered, generation 1, after %d failure%S
{time} b: switched to generation 1, 1,000 keys, %s
{time} bloom: b: the store {files}/store does not exist: create the directory, or mount the file system that contains it
exit 0
a: switched to generation %d, about %s keys, %s
{time} bloom: missing: missing from the store
exit 0
bloom: missing: missing from the store
exit 0
$ bloom sync --every=1 a no/name store
bloom: NAME: "no/name" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom sync NAME... STORE
exit 64
$ bloom sync --every=1 a ftp://store
bloom: STORE: "ftp:" is not one of %s
exit 64
$ bloom sync --every=1 --ttl=-1 a store
bloom: --ttl: "-1" is not a duration such as 30s, 5m, 1h or 30
exit 64
