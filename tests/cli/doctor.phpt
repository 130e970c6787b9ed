--TEST--
doctor finds the cause, prints a remedy that solves it, and has the exit codes of health
--EXTENSIONS--
bloom
posix
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/cli.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_console();
skip_without_clock();
if (extension_file('redis') === null) {
    die('skip the redis extension is not installed');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
require __DIR__ . '/sync_every.inc';
require dirname(__DIR__, 2) . '/packages/cli/src/Pools.php';

$cli = new Cli(['pcntl', 'posix']);
$cli->writeKeys('keys', 1, 1000);
mkdir("$cli->files/store");
// The PHP-FPM of the host and its pools do not matter: there is one pool, of this user.
$user = Bloom\Cli\Pools::userName(posix_geteuid());
mkdir("$cli->directory/root/etc/php/8.2/fpm/pool.d", 0700, true);
file_put_contents("$cli->directory/root/etc/php/8.2/fpm/pool.d/www.conf", "[www]\nuser = $user\n");
mkdir("$cli->directory/root/proc");
$cli->write('doctor.php', '<?php
$given = $_SERVER["argv"];
$_SERVER["argv"] = [$given[0], "--quiet"];
register_shutdown_function(static function () use ($given): void {
    $_SERVER["argv"] = ["/usr/bin/bloom", "doctor", ...array_slice($given, 1)];
    exit((new Bloom\Cli\DoctorCommand(' . var_export("$cli->directory/root", true) . '))->run(new Symfony\Component\Console\Input\ArgvInput($given), new Symfony\Component\Console\Output\ConsoleOutput()));
});');
foreach (['doctor' => $cli->segment, 'nowhere' => "$cli->directory/nowhere/segment"] as $name => $path) {
    $cli->install($name, "-d bloom.path=$path -d auto_prepend_file=$cli->files/doctor.php", ['igbinary', 'msgpack', 'redis', 'bloom', 'posix']);
}

/** Prints what is not always the same, and returns the first remedy. */
function doctor(string $arguments, string $command = 'doctor'): ?string
{
    global $cli;
    $result = $cli->shell("$command --format=json $arguments");
    check($result->errors === '', $result->errors);
    $findings = array_filter($result->json(), fn (array $one): bool => $one['about'] !== 'versions' && ($one['level'] !== 'ok' || !in_array($one['about'], ['user', 'room'], true)));
    echo preg_replace('/^env .* /', 'later ', $command) . " $arguments\n";
    foreach ($findings as $one) {
        echo preg_replace(['/\b(\d+ min )?[\d.]+ s ago/', '/process \d+/', '/version \w{16} at [\d :-]+ UTC/', '/-o \S+/', '/tags@\d+/'],
            ['{n} s ago', 'process {n}', 'version {v} at {time}', '-o {user}', 'tags'], str_replace($cli->directory, '{dir}',
            "$one[level]  $one[about]: $one[text]\n" . ($one['remedy'] === null ? '' : "        $one[remedy]\n")));
    }
    $levels = array_column($result->json(), 'level');
    check($result->code === (in_array('fail', $levels, true) ? 2 : (int) in_array('warn', $levels, true)), "exit code $result->code");
    return array_values(array_filter(array_column($findings, 'remedy')))[0] ?? null;
}

/** Runs a remedy. */
function follow(?string $remedy): void
{
    global $cli;
    $result = $cli->shell((string) $remedy);
    echo "> exit $result->code\n";
}

doctor('');
doctor('redis://127.0.0.1:1');
follow(doctor('./nowhere'));
doctor('./nowhere missing');
$cli->shell('bloom build --mark="$(bloom mark tags store)" tags.bloom keys && bloom publish -q tags tags.bloom store');
follow(doctor('./store'));
doctor('./store tags');

// Without a sync for two days, and with one.
doctor('tags', implode(' ', Clock::command('later', 2 * 86400)) . ' doctor');
$syncing = new Syncing($cli, '--every', '1h', 'tags', 'store');
symlink("/proc/$syncing->id", "$cli->directory/root/proc/$syncing->id");
check(comes_true(fn (): bool => str_contains((string) file_get_contents("/proc/$syncing->id/cmdline"), '--every')), 'it runs');
doctor('');
$syncing->end();

// A version without a mark does not follow the journal, although keys are added to it.
$built = time();
$cli->shell("bloom build -q --built-at=$built plain.bloom keys && bloom publish -q --end-journal tags plain.bloom store && bloom mark tags store &&
    bloom build -q --built-at=" . ($built + 1) . ' --mark="$(bloom mark tags store)" marked.bloom keys && bloom publish -q tags marked.bloom store &&
    bloom add tags store new && bloom rollback -q tags store && bloom sync -q tags store');
follow(doctor('tags store'));
doctor('tags store');
$cli->shell('rm -r store; mkdir store');
doctor('tags store');
array_map(unlink(...), glob("$cli->segment/tags*/*.bloom"));
doctor('tags');

chmod($cli->segment, 0755);
follow(doctor(''));
doctor('');
doctor('', 'nowhere');
$cli->show(['doctor', 'two words']);
$cli->show(['doctor', 'redis://[::1']);

// Text, and without the extension or symfony/console.
foreach (['bloom', 'without-bloom'] as $command) {
    $cli->install('without-bloom', '', ['posix']);
    $result = $cli->shell("COLUMNS=60 $command doctor");
    foreach (explode("\n", trim($result->output)) as $line) {
        check(preg_match('/^(?:ok  |warn|fail)  [\w .-]+:|^      (?:  )?\S/', $line) === 1, "$command: $line");
    }
    echo trim(substr($result->output, 0, 4)), ', exit ', $result->code === 69 ? 69 : '0 to 2', ' ', preg_replace('~ \S+/bin/bloom~', ' bin/bloom', $result->errors), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
doctor 
warn  filters: none is loaded in {dir}/segment
        bloom sync NAME STORE    # or bloom load NAME BLOB, if you have a file
doctor redis://127.0.0.1:1
fail  store: the store redis://127.0.0.1:1: Connection refused
        service redis-server start
warn  filters: none is loaded in {dir}/segment
        bloom sync NAME redis://127.0.0.1:1
doctor ./nowhere
fail  store: the store ./nowhere does not exist: create the directory, or mount the file system that contains it
        mkdir -p ./nowhere    # or mount the file system that contains it
warn  filters: none is loaded in {dir}/segment
        bloom sync NAME ./nowhere
> exit 0
doctor ./nowhere missing
fail  store: missing: the store has no such filter
        bloom list ./nowhere
fail  missing: {dir}/segment/missing: no such filter is loaded
        bloom sync missing ./nowhere
doctor ./store
ok  store: ./store has tags (current, built {n} s ago)
warn  filters: none is loaded in {dir}/segment
        bloom sync tags ./store
> exit 0
doctor ./store tags
ok  store: ./store has tags (current, built {n} s ago)
ok  sync: the last sync of tags was {n} s ago
ok  tags: loaded, journal, generation 1, built {n} s ago, synced {n} s ago
later doctor tags
warn  sync: the last sync of tags was 2 d 0 h ago, and no bloom sync --every is running
        bloom sync --every 1s tags STORE
fail  tags: this host has been behind the journal for 2 d (at most 1 min), so every lookup answers "maybe": is bloom sync --every running?
        bloom sync --every 1s tags STORE
doctor 
ok  sync: process {n} runs bloom sync --every; the last sync of tags was {n} s ago
ok  tags: loaded, journal, generation 1, built {n} s ago, synced {n} s ago
doctor tags store
warn  store: tags: hosts serve a version that was built without a mark, so lookups miss the keys that were added to its journal
        bloom unpin tags store && bloom sync tags store    # is the published version good?
ok  sync: the last sync of tags was {n} s ago
ok  tags: loaded, generation 2, built {n} s ago, synced {n} s ago, rolled back to version {v} at {time}
> exit 0
doctor tags store
ok  store: store has tags (current, built {n} s ago)
ok  sync: the last sync of tags was {n} s ago
ok  tags: loaded, journal, generation 3, built {n} s ago, synced {n} s ago
doctor tags store
fail  store: tags: the store has no such filter
        bloom list store
ok  sync: the last sync of tags was {n} s ago
ok  tags: loaded, journal, generation 3, built {n} s ago, synced {n} s ago
doctor tags
fail  tags: {dir}/segment/tags: generation file 0000000000000003.bloom is missing: the operating system refused the operation
        bloom sync tags STORE
doctor 
fail  segment: {dir}/segment (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
        chmod -R u=rwX,go= {dir}/segment
> exit 0
doctor 
fail  tags: {dir}/segment/tags: generation file 0000000000000003.bloom is missing: the operating system refused the operation
        bloom sync tags STORE
nowhere 
fail  room: {dir}/nowhere/segment cannot be created: {dir}/nowhere does not exist
        install -d -m 0700 -o {user} {dir}/nowhere/segment    # as root
warn  filters: none is loaded in {dir}/nowhere/segment
        bloom sync NAME STORE    # or bloom load NAME BLOB, if you have a file
$ bloom doctor two words
bloom: NAME: "two words" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom doctor [NAME...] [STORE]
exit 64
$ bloom doctor redis://[::1
bloom: STORE: a Redis URL has the form redis://host:port or redis:///path/to/socket
exit 64
ok, exit 0 to 2 
fail, exit 69
