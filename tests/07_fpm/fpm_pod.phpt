--TEST--
PHP-FPM and a sync in two containers share filters through a volume at /dev/shm, with the commands of examples/docker
--DESCRIPTION--
fault: containers
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../cli/cli.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/default_path.inc';
skip_without_console();
skip_without_fpm();
exec('unshare --mount --pid --ipc --fork --mount-proc --kill-child true 2>/dev/null', $output, $status);
if ($status !== 0 || !can_own_shm()) {
    die('skip containers cannot be imitated here');
}
exec(as_user('www-data') . ' test -r ' . escapeshellarg(dirname(__DIR__, 2) . '/packages/cli/bin/bloom'), $output, $status);
if ($status !== 0) {
    die('skip www-data cannot read this checkout');
}
?>
--INI--
bloom.path={TMP}/bloom-fpm_pod
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/default_path.inc';
require __DIR__ . '/../cli/cli.inc';

use_own_shm();
chmod('/dev/shm', 02777); // as the kubelet leaves an emptyDir, if the pod has an fsGroup
// A container ends with unshare, and that with this process. A change of the user clears the signal that --kill-child asks for.
$in_container = 'exec setpriv --pdeathsig KILL unshare --mount --pid --ipc --fork --mount-proc ' . as_user('www-data') . ' --pdeathsig KILL ';

// The commands of the examples. The official images lack pcntl.
$commands = [];
foreach (['compose.yaml', 'kubernetes.yaml'] as $file) {
    preg_match_all('/"bloom", .*?(?=\])/', file_get_contents(dirname(__DIR__, 2) . "/examples/docker/$file"), $found);
    foreach (array_map(static fn (string $list): array => json_decode("[$list]"), $found[0]) as $command) {
        $commands[$file][$command[1]] = $command;
    }
    ksort($commands[$file]);
}
check($commands['compose.yaml'] === $commands['kubernetes.yaml'], 'both examples have the same commands');
['health' => $probe, 'sync' => $sync] = $commands['compose.yaml'];
echo implode(' ', $probe), "\n", implode(' ', $sync), "\n";
$cli = new Cli();
$cli->install('bloom', '-d disable_functions=pcntl_sigtimedwait,pcntl_sigprocmask', ['bloom']);
foreach ([$cli->directory, "$cli->directory/bin", "$cli->directory/bin/bloom"] as $path) {
    chmod($path, 0755);
}
$directory = own_file('pod');
foreach ([dirname($directory), $directory, "$directory/store"] as $path) {
    is_dir($path) || mkdir($path);
    chmod($path, 0755);
}
touch("$directory/log"); // the containers' output, which belongs to their user, as with runc
foreach ([$directory, "$directory/store", "$directory/log"] as $path) {
    chown($path, 'www-data');
}
$sync[count($sync) - 1] = "$directory/store";
$line = fn (array $command): string => implode(' ', array_map(escapeshellarg(...), ["$cli->directory/bin/bloom", ...array_slice($command, 1)]));

/** Starts a command in a container, and returns its process. */
$start = function (string $command) use ($in_container, $directory) {
    return proc_open($in_container . $command, [['file', '/dev/null', 'r'], ['file', "$directory/log", 'a'], ['redirect', 1]], $pipes);
};
$said = fn (): string => file_get_contents("$directory/log");
$await = function (callable $condition, string $what) use ($said): void {
    for ($end = time() + 60; !$condition(); usleep(10_000)) {
        time() < $end ?: throw new RuntimeException("$what: " . $said());
    }
};
$publish = fn (string $key, int $time) => run("\$builder = new Bloom\\Builder(1000, seed: 1); \$builder->add('$key');
    \$builder->build(builtAt: $time)->publish(new Bloom\\DirectoryStore('$directory/store'), 'tags');", before: as_user('www-data'));

file_put_contents("$directory/page.php", '<?php $filter = Bloom\Filter::find("tags");
    echo json_encode([$filter?->info()->generation, $filter?->mightContain(file_get_contents("php://input"))]);');
chmod("$directory/page.php", 0644);
file_put_contents("$directory/conf", "[global]\nerror_log = /proc/self/fd/2\ndaemonize = no\n[www]\nlisten = $directory/socket\npm = static\n"
    . "pm.max_children = 1\n");
chmod("$directory/conf", 0644);
$php = $start(fpm_binary() . " -F -O -y $directory/conf " . getenv('TEST_PHP_EXTRA_ARGS') . ' -d bloom.path=');
$await(fn () => @stream_socket_client("unix://$directory/socket") !== false, 'PHP-FPM starts');
$ask = fn (string $key): string => json_encode((new FastCgiClient("$directory/socket", "$directory/page.php", 1))->ask('', $key));
$first_process = fn ($process): int => (int) shell_exec('pgrep -P ' . proc_get_status($process)['pid']);
// As the kubelet and Docker run a probe: in the namespaces of the container, as its user. Tests may run in a chroot.
$check = function () use ($php, $first_process, $line, $probe): string {
    exec('nsenter -t ' . $first_process($php) . ' --mount --root --wd --pid --ipc ' . as_user('www-data') . ' ' . $line($probe) . ' 2>&1', $output, $status);
    return implode("\n", $output) . ", status $status";
};

echo $ask('one'), ' ', $check(), "\n";
$publish('one', 1_700_000_000);
$syncing = $start($line($sync));
$await(fn () => str_contains($said(), 'tags: switched to generation 1'), 'the first sync');
echo $ask('one'), ' ', $check(), "\n";
foreach (['mnt', 'pid', 'ipc'] as $kind) {
    $names = array_map(fn ($process): string => readlink("/proc/{$first_process($process)}/ns/$kind"), [$php, $syncing]);
    check($names[0] !== $names[1], "the containers have namespaces of their own: $names[0]");
}
$segment = '/dev/shm/php-bloom-' . trim(shell_exec('id -u www-data'));
printf("%o %s\n", fileperms($segment) & 07777, posix_name('www-data') === trim(shell_exec("stat -c %U $segment")) ? 'www-data' : 'another user');

// PHP keeps serving while the sync's container is killed and started again.
proc_terminate($syncing, SIGKILL);
proc_close($syncing);
echo $ask('one'), ' ', $check(), "\n";
$publish('two', 1_700_000_001);
$syncing = $start($line($sync));
$await(fn () => str_contains($said(), 'tags: switched to generation 2'), 'the second sync');
echo $ask('two'), ' ', $check(), "\n";
foreach ([$syncing, $php] as $process) {
    proc_terminate($process, SIGKILL);
    proc_close($process);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
bloom health --ready tags
bloom sync --every 30s tags redis://redis:6379
[null,null] tags: NOT ready: %s: no such filter is loaded, status 2
[1,true] tags: ready, status 0
700 www-data
[1,true] tags: ready, status 0
[2,true] tags: ready, status 0
