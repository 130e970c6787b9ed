--TEST--
bloom import reads the filters of RedisBloom and valkey-bloom with DUMP or BF.SCANDUMP
--DESCRIPTION--
fault: foreign-dump
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
echo extension_file('redis') === null && !is_file('/usr/share/php/Predis/autoload.php') ? 'skip no client for Redis is installed' : '';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli(['igbinary', 'redis']);
$vectors = dirname(__DIR__) . '/vectors/foreign';
$cli->write('keys', implode("\n", array_map(fn (int $i): string => "key:$i", range(0, 999))) . "\n");

// This server answers as one with the modules does: it dumps golden files. It writes a line when it is ready.
$cli->write('server.php', <<<'PHP'
<?php
[, $address, $vectors] = $argv;
$bulk = static fn (string $bytes): string => '$' . strlen($bytes) . "\r\n$bytes\r\n";
$read = static fn (string $name): string => file_get_contents("$vectors/$name.bin");
$header = 20 + 53 * 4;
$scan = static fn (array $command): string => match ($command[2]) {
    '0' => "*2\r\n:1\r\n" . $bulk(substr($read('redisbloom-scandump-1000'), 0, $header)),
    '1' => "*2\r\n:145\r\n" . $bulk(substr($read('redisbloom-scandump-1000'), $header, 144)),
    '145' => "*2\r\n:99999\r\n" . $bulk(substr($read('redisbloom-scandump-1000'), $header + 144)),
    '99999' => "*2\r\n:0\r\n$0\r\n\r\n",
};
$scans = 0; // how often a scan of "refilled" or "grown" began
$answer = static function (array $command) use ($bulk, $read, $header, $scan, &$scans): string {
    if ($command === ['BF.SCANDUMP', 'refilled', '0'] && ++$scans % 2 === 0) { // with fewer keys than before
        return "*2\r\n:1\r\n" . $bulk("\1\0" . substr($read('redisbloom-scandump-1000'), 2, $header - 2));
    }
    if ($command === ['BF.SCANDUMP', 'grown', '0'] && ++$scans % 2 === 0) { // with one layer more
        return "*2\r\n:1\r\n" . $bulk(substr($read('redisbloom-scandump-1000'), 0, $header + 53));
    }
    return in_array($command[1] ?? '', ['redisbloom', 'refilled', 'grown'], true) && $command[0] === 'BF.SCANDUMP' ? $scan($command) : match ($command) {
    ['DUMP', 'redisbloom'] => $bulk($read('redisbloom-dump-1000')),
    ['DUMP', 'valkey'] => $bulk($read('valkeybloom-dump-1000')),
    ['DUMP', 'large'] => "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n",
    ['BF.SCANDUMP', 'none', '0'] => "-ERR not found\r\n",
    ['BF.SCANDUMP', 'list', '0'] => "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n",
    default => $command[0] === 'DUMP' ? "$-1\r\n" : "+OK\r\n",
    };
};
$server = stream_socket_server($address);
echo "ready\n";
while ($client = @stream_socket_accept($server, 60)) {
    while (preg_match('/^\*(\d+)/', (string) fgets($client), $count)) {
        $command = [];
        while (count($command) < $count[1]) {
            $bytes = (int) substr(fgets($client), 1);
            $command[] = substr(stream_get_contents($client, $bytes + 2), 0, -2);
        }
        fwrite($client, $answer($command));
    }
}
PHP);
$php = getenv('TEST_PHP_EXECUTABLE') ?: PHP_BINARY;
$server = proc_open([$php, '-n', "$cli->files/server.php", "unix://$cli->directory/fake.sock", $vectors], [1 => ['pipe', 'w']], $pipes);
check(fgets($pipes[1]) === "ready\n", 'the server listens');
$show = static function (string ...$arguments) use ($cli): void {
    $result = $cli->run(['import', '--built-at=1700000000', ...$arguments]);
    echo "$result->code ", strtr($result->output . $result->errors, [$cli->directory => '{dir}']);
};
$url = "redis://$cli->directory/fake.sock";

$show('--key=redisbloom', '--check=keys', $url, 'dump.bloom');
$show('--key=redisbloom', '--from=redisbloom', '--scandump', '--check=keys', $url, 'scandump.bloom');
check(file_get_contents("$cli->files/dump.bloom") === file_get_contents("$cli->files/scandump.bloom"), 'both give the same blob');
$show('--key=valkey', '--from=valkey-bloom', '--check=keys', $url, 'valkey.bloom');
$show('--key=valkey', '--from=redisbloom', $url, 'x.bloom');
$show('--key=none', $url, 'x.bloom');
$show('--key=large', $url, 'x.bloom');
$show('--key=none', '--from=redisbloom', '--scandump', $url, 'x.bloom');
$show('--key=list', '--from=redisbloom', '--scandump', $url, 'x.bloom');
$show('--key=refilled', '--from=redisbloom', '--scandump', $url, 'x.bloom');
$show('--key=grown', '--from=redisbloom', '--scandump', $url, 'x.bloom');
check(!file_exists("$cli->files/x.bloom"), 'nothing was written');
proc_terminate($server);
proc_close($server);

// The module itself, if the variable contains its path.
$module = getenv('BLOOM_REDISBLOOM');
if ($module !== false && $module !== '') {
    $redis = new RedisServer($cli->directory, ['--loadmodule', $module]);
    $redis->ask('BF.RESERVE small 0.01 1000', ...array_map(fn (int $i): string => "BF.ADD tags key:$i", range(0, 999)));
    foreach ([[], ['--from=redisbloom', '--scandump']] as $more) {
        $result = $cli->run(['import', '--key=tags', '--check=keys', ...$more, "redis://$redis->socket", 'real.bloom']);
        check($result->code === 0, "the module: $result->errors");
    }
    check($cli->run(['import', '--key=small', "redis://$redis->socket", 'x.bloom'])->code === 65, 'a filter without keys');
}
?>
--EXPECT--
0 dump.bloom: a redisbloom filter, 992 keys, 9 KiB, 0.774 % false positives, 1,000 keys of --check found
0 scandump.bloom: a redisbloom filter, 992 keys, 9 KiB, 0.774 % false positives, 1,000 keys of --check found
0 valkey.bloom: a valkey-bloom filter, 991 keys, 9 KiB, 1.89 % false positives, 1,000 keys of --check found
65 bloom: the key valkey in redis://{dir}/fake.sock: a value of type bloomfltr, version 1, but RedisBloom's filters have MBbloom--, version 4: this is not a filter of that format, or it cannot be imported
66 bloom: the key none in redis://{dir}/fake.sock does not exist: it may be in another database (?db=NUMBER), or was evicted or has expired
75 bloom: the key large in redis://{dir}/fake.sock: DUMP: ERR string exceeds maximum allowed size (proto-max-bulk-len) (if the filter has more than 512 MiB, use --scandump with RedisBloom)
66 bloom: the key none in redis://{dir}/fake.sock does not exist: it may be in another database (?db=NUMBER), or was evicted or has expired
65 bloom: the key list in redis://{dir}/fake.sock is not a filter of RedisBloom
75 bloom: the key refilled in redis://{dir}/fake.sock was deleted, filled again or given another layer while it was read: run the command again
75 bloom: the key grown in redis://{dir}/fake.sock was deleted, filled again or given another layer while it was read: run the command again
