--TEST--
Over TLS, with only the ACL permissions that docs/stores.md grants, a blob is published and synced
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
skip_without_redis();
if (extension_file('redis') === null) {
    die('skip the redis extension is not installed');
}
if (!shell_exec('command -v redis-cli')) {
    die('skip redis-cli is not installed');
}
if (!extension_loaded('openssl')) {
    die('skip the openssl extension is not loaded');
}
if (!is_file('/usr/share/php/Predis/autoload.php')) {
    die('skip Predis is not installed');
}
if (!preg_match('/ v=[7-9]/', (string) shell_exec('redis-server --version'))) {
    die('skip this redis-server is older than 7');
}
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$page = file_get_contents(dirname(__DIR__, 2) . '/docs/stores.md');
preg_match_all('/^ACL .*$/m', $page, $acl);
preg_match_all('/^```php\n(.*?)^```/ms', strstr($page, '## TLS and ACL'), $code);
// The first two rules are enough without journals.
$rules = array_slice($acl[0], 0, 2);
check(count($rules) === 2 && str_contains($code[1][0], 'new Redis()') && str_contains($code[1][1], 'new RedisCluster('), 'the examples were found');

// Creates a self-signed certificate for this host.
$cli = new Cli();
$ca = "$cli->files/ca.pem";
file_put_contents("$cli->files/openssl.cnf", "[req]\ndistinguished_name=dn\n[dn]\n[ext]\nsubjectAltName=IP:127.0.0.1,IP:::1\nbasicConstraints=CA:TRUE\n");
$options = ['config' => "$cli->files/openssl.cnf", 'x509_extensions' => 'ext', 'digest_alg' => 'sha256', 'private_key_bits' => 2048];
$key = openssl_pkey_new($options);
openssl_x509_export_to_file(openssl_csr_sign(openssl_csr_new(['commonName' => '127.0.0.1'], $key, $options), null, $key, 3650, $options), $ca);
openssl_pkey_export_to_file($key, "$cli->files/key.pem", null, $options);

/** Starts a server with TLS on a free port and without TLS on a socket. Returns the path of the socket. */
$start = static function (string $name, string ...$options) use ($cli, $ca, &$port): string {
    $socket = "$cli->directory/$name.sock";
    for ($try = 0; $try < 5; $try++) { // a different process may bind the free ports first
        $free = [stream_socket_server('tcp://127.0.0.1:0'), stream_socket_server('tcp://127.0.0.1:0')];
        [$port, $bus] = array_map(static fn ($server) => (int) substr(strrchr(stream_socket_get_name($server, false), ':'), 1), $free);
        array_map(fclose(...), $free);
        $log = ['file', "$cli->directory/$name.log", 'w'];
        mkdir("$cli->directory/$port");
        $server = proc_open(['redis-server', '--port', '0', '--tls-port', $port, '--bind', '127.0.0.1', '-::1', '--unixsocket', $socket, '--save', '',
            '--tls-cert-file', $ca, '--tls-key-file', "$cli->files/key.pem", '--tls-ca-cert-file', $ca, '--tls-auth-clients', 'no',
            '--dir', "$cli->directory/$port", '--daemonize', 'no', '--cluster-port', $bus, ...$options], [['file', '/dev/null', 'r'], $log, $log], $pipes);
        register_shutdown_function(static fn () => proc_terminate($server, SIGKILL));
        while (proc_get_status($server)['running'] && !(@stream_socket_client("unix://$socket") && @stream_socket_client("tcp://127.0.0.1:$port"))) {
            usleep(10_000);
        }
        if (proc_get_status($server)['running']) {
            return $socket;
        }
    }
    throw new RuntimeException(file_get_contents("$cli->directory/$name.log"));
};
/** Sends commands over the socket, one per line, and returns the first lines of the replies. */
$ask = static function (string $socket, string ...$commands): string {
    $connection = stream_socket_client("unix://$socket");
    fwrite($connection, implode("\r\n", $commands) . "\r\n");
    return implode(' ', array_map(static fn (): string => trim(fgets($connection)), $commands));
};
// The command lines "trusting" and "predis" trust the certificate; "doubting" and php do not.
$cli->install('trusting', "-d bloom.path=$cli->segment -d openssl.cafile=$ca", ['igbinary', 'redis', 'bloom']);
$cli->install('doubting', "-d bloom.path=$cli->segment", ['igbinary', 'redis', 'bloom']);
$cli->install('predis', "-d bloom.path=$cli->segment -d openssl.cafile=$ca -d error_reporting=8191", ['bloom']);
$php = strtr(file_get_contents("$cli->directory/bin/doubting"), [escapeshellarg(dirname(__DIR__, 2) . '/packages/cli/bin/bloom') => '']);
file_put_contents("$cli->directory/bin/php", $php);
chmod("$cli->directory/bin/php", 0700);
$show = static function (string $line) use ($cli, &$port): void {
    $result = $cli->shell($line);
    echo "$result->code ", strtr($result->output . $result->errors, [":$port" => ':{port}']);
};
$publish = static function (int $built_at, string $store) use ($cli, $show): void {
    $builder = new Bloom\Builder(100_000, seed: 1);
    $builder->addMany(range(1, 50_000 + $built_at));
    $builder->build(builtAt: $built_at)->save("$cli->files/a.bloom");
    $show("trusting publish booth_tags a.bloom $store");
};
/** Runs an example from the page with this test's server. */
$example = static function (string $code) use ($cli, $ca, &$port): void {
    $code = strtr($code, ["tls://cache.example', 6380" => "tls://127.0.0.1', $port", "'cache-1.example:6380', 'cache-2.example:6380'" => "'127.0.0.1:$port'", '/etc/ssl/cache-ca.pem' => $ca]);
    $code .= 'echo "generation ", Bloom\Filter::open("booth_tags")->info()->generation, "\n";';
    $result = $cli->shell('BLOOM_PASSWORD=READ WRITER_PASSWORD=WRITE php -r ' . escapeshellarg($code));
    echo "$result->code $result->output$result->errors";
};

$socket = $start('single');
echo $ask($socket, ...$rules), "\n";
$publish(1, "rediss://bloom-writer:WRITE@127.0.0.1:$port");
$show("trusting sync booth_tags rediss://bloom-reader:READ@127.0.0.1:$port");
$show("doubting sync booth_tags rediss://bloom-reader:READ@127.0.0.1:$port");
$show("trusting publish booth_tags a.bloom rediss://bloom-reader:READ@127.0.0.1:$port --force");
$show("trusting publish booth_tags a.bloom 'rediss://bloom-writer:WRITE@127.0.0.1:$port?prefix=other:'");
$publish(2, "rediss://bloom-writer:WRITE@127.0.0.1:$port");
$publish(3, "rediss://bloom-writer:WRITE@127.0.0.1:$port");
$example($code[1][0]);
$show("predis sync booth_tags rediss://bloom-reader:READ@127.0.0.1:$port");
// The certificate also names the IPv6 address.
foreach (@stream_socket_client("tcp://[::1]:$port") ? ['trusting', 'predis'] : [] as $command) {
    $result = $cli->shell("$command sync booth_tags rediss://bloom-reader:READ@[::1]:$port");
    check($result->code === 0, "$command over IPv6: $result->errors");
}
$result = $cli->shell("doubting sync booth_tags rediss://bloom-reader:READ@[::1]:$port");
check($result->code === 75, 'the certificate is verified over IPv6');

echo "-- a cluster of one\n";
$socket = $start('cluster', '--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-announce-ip', '127.0.0.1');
echo $ask($socket, ...$rules), ' ', $ask($socket, 'CLUSTER ADDSLOTSRANGE 0 16383', 'ACL SETUSER bloom-reader +cluster|slots', 'ACL SETUSER bloom-writer +cluster|slots'), "\n";
for ($i = 0; $i < 1000 && !str_contains(shell_exec("redis-cli -s $socket CLUSTER INFO"), 'cluster_state:ok'); $i++) {
    usleep(10_000);
}
$example_publish = 'Bloom\Blob::open("a.bloom")->publish(new Bloom\RedisStore($cluster), "booth_tags");';
$example(strtr($code[1][1], ['Bloom\Filter::sync' => "$example_publish Bloom\Filter::sync", 'bloom-reader' => 'bloom-writer', 'BLOOM_PASSWORD' => 'WRITER_PASSWORD']));
$show("bloom drop booth_tags");
$example($code[1][1]);
?>
--EXPECTF--
+OK +OK
0 booth_tags: published, 2 of 2 chunks written, 126 KiB
0 booth_tags: switched to generation 1, about %s keys, 126 KiB, %s % false positives, in %s
75 bloom: the store rediss://127.0.0.1:{port}: %scertificate verify failed
75 bloom: the store failed: %s
75 bloom: the store failed: %s
0 booth_tags: published, 1 of 2 chunks written, %d KiB
0 booth_tags: published, 1 of 2 chunks written, %d KiB
0 generation 2
0 booth_tags: no change, still generation 2, about %s keys, 126 KiB, %s % false positives, in %s
-- a cluster of one
+OK +OK +OK +OK +OK
0 generation 2
0 booth_tags: dropped
0 generation 1
