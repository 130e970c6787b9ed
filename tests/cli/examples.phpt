--TEST--
The examples for systemd and cron are well-formed, and their commands run unchanged
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
mkdir("$cli->files/store");
$publish = static function (int $built_at) use ($cli): void {
    $builder = new Bloom\Builder(1000, seed: 1);
    $builder->add("key $built_at");
    $builder->build(builtAt: $built_at)->publish(new Bloom\DirectoryStore("$cli->files/store"), 'booth_tags');
};
$publish(1);
// Inserts this test's store into an example and removes the random delay.
$example = static fn (string $name): string => strtr(file_get_contents(dirname(__DIR__, 2) . "/examples/$name"), [
    'redis://cache.example:6379' => "$cli->files/store",
    '0-30' => '0-0',
]);

echo "-- cron\n";
check(preg_match_all('/^(?:\S+ +){5}(\S+) +(.*)$/m', preg_replace('/^(#|\w+=).*\n/m', '', $example('bloom-sync.cron')), $found) === 1, 'one line');
check(!preg_match('/(?<!\\\\)%/', $found[2][0]), 'no % that cron would take for a line end');
echo $found[1][0], "\n";
$result = $cli->shell($found[2][0]);
echo "$result->code $result->output$result->errors\n";
$cli->show(['drop', 'booth_tags']);

echo "-- systemd\n";
$unit = $example('bloom-sync@.service');
if (shell_exec('command -v systemd-analyze') !== null) {
    // systemd checks that the command exists, and that the settings can be read.
    file_put_contents("$cli->files/bloom-sync@.service", $unit);
    $said = $cli->shell('systemd-analyze --man=no verify ./bloom-sync@root.service 2>&1')->output;
    echo implode("\n", preg_grep('/bloom/', explode("\n", $said)));
}
preg_match_all('/^(User|Restart|ExecReload)=(.*)$/m', $unit, $found);
$settings = array_combine($found[1], $found[2]);
echo strtr($settings['User'], ['%i' => 'INSTANCE']), " {$settings['Restart']}\n";
$cli->installPhp();
$own = ['STORE' => "$cli->files/store", 'BLOOM' => dirname(__DIR__, 2) . '/packages/cli/bin/bloom', 'PHP_OPTIONS' => "-d bloom.path=$cli->segment"];
$process = $cli->start(['env', ...$cli->unitCommand('ExecStart', $own)], ''); // finds php in this test's PATH
register_shutdown_function(static fn () => is_resource($process) && proc_terminate($process, SIGKILL)); // kills the process even after a fatal error
$await = static function (string $what) use ($cli, $process): void {
    while (proc_get_status($process)['running'] && !str_contains(file_get_contents("$cli->directory/output"), $what)) {
        usleep(10_000);
    }
};
$await('generation 1');
// The signal of ExecReload starts a sync immediately.
$publish(2);
$main_pid = proc_get_status($process)['pid'];
passthru(strtr($settings['ExecReload'], ['$MAINPID' => $main_pid]));
$await('generation 2');
proc_terminate($process, SIGTERM); // the signal of systemctl stop
$result = $cli->wait($process);
echo "$result->code ", preg_replace('/^\S+Z /m', '', $result->output), $result->errors;

echo "-- relay\n";
$unit = $example('bloom-relay.service');
if (shell_exec('command -v systemd-analyze') !== null) {
    file_put_contents("$cli->files/bloom-relay.service", $unit);
    $said = $cli->shell('systemd-analyze --man=no verify ./bloom-relay.service 2>&1')->output;
    echo implode("\n", preg_grep('/bloom/', explode("\n", $said)));
}
preg_match('/^ExecStart=(.*)$/m', $unit, $found);
$cli->show(strtr($found[1], ['${BLOOM}' => dirname(__DIR__, 2) . '/packages/cli/bin/bloom', '${DSN}' => 'shop.db', '${STORE}' => 'store']));

echo "-- snapshots\n";
mkdir("$cli->files/saved");
$command = static function (string $name, string $setting) use ($example): string {
    preg_match_all("/^$setting=(.*)$/m", strtr($example($name), ['/var/lib/bloom' => 'saved']), $found);
    check(count($found[1]) === 1, "$name: $setting");
    return $found[1][0];
};
if (shell_exec('command -v systemd-analyze') !== null) {
    foreach (['bloom-restore.service', 'bloom-save.service', 'bloom-save.timer'] as $name) {
        // systemd looks for the command in the directories of the system.
        file_put_contents("$cli->files/$name", str_replace('=bloom ', "=$cli->directory/bin/bloom ", $example($name)));
    }
    $said = $cli->shell('systemd-analyze --man=no verify ./bloom-restore.service ./bloom-save.service ./bloom-save.timer 2>&1')->output;
    echo implode("\n", preg_grep('/bloom/', explode("\n", $said)));
}
$cli->write('make.php', '<?php Bloom\LiveFilter::create("visitors", 1000, seed: 1)->addMany(range(1, 100));');
$cli->install('bloom-make', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/make.php", ['bloom']);
$cli->shell('bloom-make list -q');
// At boot, from the timer, at shutdown, after the reboot, and again.
foreach ([['bloom-save.service', 'ExecStart'], ['bloom-restore.service', 'ExecStop']] as $at) {
    foreach (['the filter exists', 'reboot'] as $what) {
        $cli->show(['drop', 'visitors', '--quiet']);
        $cli->shell('bloom-make list -q');
        $cli->shell($command(...$at));
        $what === 'reboot' && $cli->show(['drop', 'visitors', '--quiet']);
        $result = $cli->shell($command('bloom-restore.service', 'ExecStart'));
        echo "$result->code $result->output$result->errors";
        unlink("$cli->files/saved/visitors.snapshot");
    }
}
?>
--EXPECTF--
-- cron
www-data
0 
$ bloom drop booth_tags
booth_tags: dropped
exit 0
-- systemd
INSTANCE always
0 booth_tags: switched to generation 1, 1 key, 6 KiB, %s % false positives, in %s
booth_tags: switched to generation 2, 1 key, 6 KiB, %s % false positives, in %s
-- relay
$ php %s/bin/bloom relay --every 1s shop.db store
bloom: DSN: "shop.db" does not begin with mysql:, pgsql: or sqlite:, as in "mysql:host=db.example;dbname=shop"
exit 64
-- snapshots
$ bloom drop visitors --quiet
exit 0
0 visitors: exists already, not restored
$ bloom drop visitors --quiet
exit 0
$ bloom drop visitors --quiet
exit 0
0 visitors: restored, 100 keys, 8 KiB, %s % false positives
$ bloom drop visitors --quiet
exit 0
0 visitors: exists already, not restored
$ bloom drop visitors --quiet
exit 0
$ bloom drop visitors --quiet
exit 0
0 visitors: restored, 100 keys, 8 KiB, %s % false positives
