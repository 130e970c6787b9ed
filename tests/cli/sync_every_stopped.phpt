--TEST--
A signal during a sync ends sync --every, and the staged file is removed
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/sync_every.inc';
skip_without_console();
skip_without_pcntl();
echo extension_file('redis') === null ? 'skip the redis extension is not installed' : '';
?>
--FILE--
<?php
require __DIR__ . '/sync_every.inc';

// The test acts as a Redis server, so that it can send a signal between two replies.
function read_command($connection): array
{
    $words = [];
    for ($count = (int) substr(fgets($connection), 1); $count > 0; $count--) {
        $bytes = (int) substr(fgets($connection), 1);
        $words[] = stream_get_contents($connection, $bytes);
        fgets($connection);
    }
    return $words;
}

$cli = new Cli(['igbinary', 'redis']);
mkdir("$cli->files/store");
publish($cli, 'a', 1000, 1);
$values = [];
$store = new Bloom\DirectoryStore("$cli->files/store");
$value = static fn (string $key): string => $store->getMultiple([substr($key, strlen('bloom:'))])[substr($key, strlen('bloom:'))];
foreach ([SIGTERM, SIGINT] as $signal) {
    $server = stream_socket_server("unix://$cli->directory/socket");
    $syncing = new Syncing($cli, '--every=1h', 'a', "redis://$cli->directory/socket");
    $connection = stream_socket_accept($server, 60);
    // RedisStore sends scripts. Their arguments are a nonce, which the answer has at both ends, a checksum and a mode. A pin
    // or rollback, which the store does not have, is asked for together with the head.
    foreach (['head' => 2, 'chunk' => 1] as $what => $keys) {
        $command = read_command($connection);
        check($command[0] === 'EVALSHA' && $command[2] === "$keys" && count($command) === 3 + $keys + 3, implode(' ', $command));
        if ($what === 'chunk') {
            check(count(glob(in_segment('a/*', $cli->segment))) > 1, 'the sync has staged a file');
            $syncing->signal($signal);
        }
        $bytes = $value($command[2 + $keys]);
        $nonce = '$' . strlen($command[3 + $keys]) . "\r\n" . $command[3 + $keys] . "\r\n";
        fwrite($connection, "*3\r\n$nonce*$keys\r\n" . str_repeat("\$-1\r\n", $keys - 1)
            . '$' . strlen($bytes) . "\r\n$bytes\r\n$nonce");
    }
    check(fread($connection, 1) === '', 'the process has closed the connection');
    echo 'exit ', $syncing->end(), ' ', json_encode($syncing->log()), ' ',
        implode(' ', array_map(basename(...), glob(in_segment('a/*', $cli->segment)))), "\n";
    fclose($server);
    unlink("$cli->directory/socket");
}
$cli->show(['sync', 'a', 'store']);
$info = $cli->run(['info', '-f', 'a', '--format=json'])->json();
echo "$info[syncFailures] $info[lastError]\n";
?>
--EXPECTF--
exit 0 "" control
exit 0 "" control
$ bloom sync a store
a: switched to generation 1, 1,000 keys, %s
exit 0
2 ended by SIGINT
