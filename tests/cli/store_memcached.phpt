--TEST--
A blob is published to a Memcached server and synced to a host
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
if (shell_exec('command -v memcached') === null) {
    die('skip memcached is not installed');
}
if (extension_file('memcached') === null) {
    die('skip the memcached extension is not installed');
}
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli(['igbinary', 'msgpack', 'memcached']);
$builder = new Bloom\Builder(100_000, seed: 1);
$builder->addMany(range(1, 50_000));
$builder->build(builtAt: 1)->save("$cli->files/a.bloom");
$start = static function (string ...$options) {
    $null = ['file', '/dev/null', 'w'];
    $user = trim(shell_exec('id -u')) === '0' ? ['-u', 'root'] : [];
    $server = proc_open(['memcached', '-t', '1', ...$user, ...$options], [['file', '/dev/null', 'r'], $null, $null], $pipes);
    register_shutdown_function(static fn () => proc_terminate($server, SIGKILL)); // SIGKILL also terminates a stopped process
    return $server;
};
$await = static function ($server, string $address): bool {
    while (proc_get_status($server)['running']) {
        if (@stream_socket_client($address)) {
            return true;
        }
        usleep(10_000);
    }
    return false;
};
$socket = "$cli->directory/memcached.sock";
$await($start('-s', $socket), "unix://$socket");
do { // a different process may bind the free port first
    $free = stream_socket_get_name($held = stream_socket_server('tcp://127.0.0.1:0'), false);
    fclose($held);
    $server = $start('-l', $free);
} while (!$await($server, "tcp://$free"));
$show = static function (string ...$arguments) use ($cli, $free): float {
    $start = microtime(true);
    $result = $cli->run($arguments);
    echo "$result->code ", strtr($result->output . $result->errors, [$cli->directory => '{dir}', $free => '{free}']);
    return microtime(true) - $start;
};
foreach (["memcached://$socket", "memcached://$free"] as $store) {
    $show('sync', 'tags', $store);
    $show('publish', 'tags', 'a.bloom', $store);
    $show('publish', 'tags', 'a.bloom', $store);
    $show('publish', 'tags', 'a.bloom', "$store?prefix=shop%3A");
    $show('sync', 'tags', $store);
    $show('drop', 'tags');
}
$show('publish', 'tags', 'a.bloom', "$store?prefix=a%20b");
// A sync from a server that hangs fails after --timeout.
proc_terminate($server, SIGSTOP);
$took = $show('sync', '--timeout=0.3', 'tags', $store);
proc_terminate($server, SIGCONT);
check($took < 20, "given up after $took s");
// Without the memcached extension, the command reports that it is missing.
$cli->install('without', "-d bloom.path=$cli->segment", ['bloom']);
$result = $cli->shell("without sync tags $store");
echo "$result->code $result->errors";
?>
--EXPECTF--
75 bloom: tags: missing from the store (bloom list STORE shows the filters that it has)
0 tags: published, 2 of 2 chunks written, 126 KiB
0 tags: published, 0 of 2 chunks written, 0 bytes
0 tags: published, 2 of 2 chunks written, 126 KiB
0 tags: switched to generation 1, about %s keys, 126 KiB, %s % false positives, in {dir}/segment
0 tags: dropped
75 bloom: tags: missing from the store (bloom list STORE shows the filters that it has)
0 tags: published, 2 of 2 chunks written, 126 KiB
0 tags: published, 0 of 2 chunks written, 0 bytes
0 tags: published, 2 of 2 chunks written, 126 KiB
0 tags: switched to generation 1, about %s keys, 126 KiB, %s % false positives, in {dir}/segment
0 tags: dropped
64 bloom: --prefix must be at most 89 bytes of printable ASCII without spaces
75 bloom: the store memcached://{free}: %s
69 bloom: a Memcached store needs the PHP extension memcached: apt-get install php-memcached, or pecl install memcached
