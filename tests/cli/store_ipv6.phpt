--TEST--
URLs of stores accept IPv6 addresses in brackets, with ext-redis, Predis, a cluster and Memcached
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
skip_without_redis();
if (@stream_socket_server('tcp://[::1]:0') === false) {
    die('skip this machine has no IPv6 loopback address');
}
if (!preg_match('/ v=[7-9]/', (string) shell_exec('redis-server --version'))) {
    die('skip this redis-server is older than 7');
}
if (extension_file('redis') === null) {
    die('skip the redis extension is not installed');
}
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli(['igbinary', 'msgpack', 'redis', 'memcached']);
$cli->install('predis', "-d bloom.path=$cli->segment -d error_reporting=8191", ['bloom']);
$cli->install('php', "-d bloom.path=$cli->segment", ['bloom', 'igbinary', 'redis']);
$php = strtr(file_get_contents("$cli->directory/bin/php"), [escapeshellarg(dirname(__DIR__, 2) . '/packages/cli/bin/bloom') => '']);
file_put_contents("$cli->directory/bin/php", $php);
(new Bloom\Builder(1000, seed: 1))->build()->save("$cli->files/a.bloom");

/** Starts a server on a free port of ::1 and returns the port. A different process may bind a free port first. */
$start = static function (Closure $command): int {
    do {
        $free = [stream_socket_server('tcp://[::1]:0'), stream_socket_server('tcp://[::1]:0')];
        [$port, $bus] = array_map(static fn ($one) => (int) substr(strrchr(stream_socket_get_name($one, false), ':'), 1), $free);
        array_map(fclose(...), $free);
        $server = proc_open($command($port, $bus), array_fill(0, 3, ['file', '/dev/null', 'r+']), $pipes);
        while (proc_get_status($server)['running'] && !($isUp = (bool) @stream_socket_client("tcp://[::1]:$port"))) {
            usleep(10_000);
        }
    } while (!($isUp ?? false));
    register_shutdown_function(static fn () => proc_terminate($server, SIGKILL));
    return $port;
};
$redis = static function (string ...$options) use ($cli, $start): int {
    return $start(static function (int $port, int $bus) use ($cli, $options): array {
        mkdir("$cli->directory/$port");
        return ['redis-server', '--port', $port, '--bind', '::1', '--save', '', '--dir', "$cli->directory/$port",
            '--cluster-port', $bus, ...$options];
    });
};
$show = static function (string $command, string $store, int $port) use ($cli): void {
    foreach (["publish --force tags a.bloom $store", "sync tags $store", 'drop tags'] as $line) {
        $result = $cli->shell("$command $line");
        check($result->code === 0 && $result->errors === '', "$command $line: " . strtr($result->errors, [$port => '{port}']));
    }
};

$port = $redis();
foreach (is_file('/usr/share/php/Predis/autoload.php') ? ['bloom', 'predis'] : ['bloom'] as $command) {
    $show($command, "redis://[::1]:$port/2", $port);
    $result = $cli->shell("$command list redis://[::1]:$port/2");
    check($result->code === 0 && str_contains($result->output, 'tags'), "$command list: $result->errors");
}
// The status page asks the same server.
$page = var_export(dirname(__DIR__, 2) . '/examples/status/index.php', true);
$result = $cli->shell('php -r ' . escapeshellarg("require $page;"
    . '$store = (new ReflectionMethod(Bloom\Status\Page::class, "store"))->invoke(null, $argv[1]);'
    . 'echo count($store->getMultiple(["tags"])), "\n";') . " redis://[::1]:$port/2");
check($result->code === 0 && $result->output === "1\n", "the status page: $result->output $result->errors");

$port = $redis('--cluster-enabled', 'yes', '--cluster-announce-ip', '::1');
$connection = stream_socket_client("tcp://[::1]:$port");
fwrite($connection, "CLUSTER ADDSLOTSRANGE 0 16383\r\n");
echo fgets($connection);
do { // the cluster becomes ready after a moment
    fwrite($connection, "CLUSTER INFO\r\n");
    $info = stream_get_contents($connection, (int) substr(fgets($connection), 1) + 2);
} while (!str_contains($info, 'cluster_state:ok') && usleep(10_000) === null);
foreach (is_file('/usr/share/php/Predis/autoload.php') ? ['bloom', 'predis'] : ['bloom'] as $command) {
    $show($command, "redis-cluster://[::1]:$port", $port);
}

if (shell_exec('command -v memcached') !== null && extension_file('memcached') !== null) {
    $user = trim(shell_exec('id -u')) === '0' ? ['-u', 'root'] : [];
    $port = $start(static fn (int $port): array => ['memcached', '-t', '1', ...$user, '-l', "[::1]:$port"]);
    $show('bloom', "memcached://[::1]:$port", $port);
}
?>
--EXPECT--
+OK
