--TEST--
bloom import reads a filter from a Redis server, and a missing key is never an empty filter
--DESCRIPTION--
fault: foreign-dump
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
skip_without_redis();
echo extension_file('redis') === null && !is_file('/usr/share/php/Predis/autoload.php') ? 'skip no client for Redis is installed' : '';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli(['igbinary', 'redis']);
$redis = new RedisServer($cli->directory);
$server = "redis://$redis->socket";
$cli->write('keys', implode("\n", array_map(fn (int $i): string => "key:$i", range(0, 999))) . "\n");

/** Sets a key to the bytes of a golden file. */
$set = static function (string $key, string $name) use ($redis): void {
    $bytes = file_get_contents(dirname(__DIR__) . "/vectors/foreign/$name.bin");
    $connection = stream_socket_client("unix://$redis->socket");
    fwrite($connection, "*3\r\n\$3\r\nSET\r\n$" . strlen($key) . "\r\n$key\r\n$" . strlen($bytes) . "\r\n$bytes\r\n");
    check(trim(fgets($connection)) === '+OK', "SET $key");
};
$set('{tags}', 'valkeyprob-1000');
$set('copy', 'valkeyprob-1000');
$set('guava', 'guava64-1000');
$redis->ask('LPUSH tags 1', 'LPUSH list 1', 'SET empty ""', 'SET text hello');
$show = static function (string ...$arguments) use ($cli, $redis): void {
    $result = $cli->run(['import', '--built-at=1700000000', ...$arguments]);
    echo "$result->code ", strtr($result->output . $result->errors, [$redis->socket => '{socket}', ":$redis->port" => ':{port}']);
};

$prob = ['--from=valkeyprob', '--capacity=1000', '--rate=0.01'];
$show(...$prob, ...['--key={tags}', '--check=keys', $server, 'tags.bloom']);
$show(...$prob, ...['--key={tags}', '--check=keys', "redis://127.0.0.1:$redis->port/0", 'tcp.bloom']);
check(file_get_contents("$cli->files/tags.bloom") === file_get_contents("$cli->files/tcp.bloom"), 'the same blob');
$show('--from=guava', '--key=guava', '--check=keys', "unix://$redis->socket", 'guava.bloom');

// The clients of valkeyprob add braces. A key of that name without them is another one, but a copy may have none.
$show(...$prob, ...['--key=tags', '--check=keys', $server, 'tags.bloom']);
$show(...$prob, ...['--key=copy', '--check=keys', $server, 'tags.bloom']);

// A key that does not exist, or holds something else.
$prob[] = '--force';
$show(...$prob, ...['--key=none', $server, 'x.bloom']);
$show(...$prob, ...['--key={tags}', "unix://$redis->socket?db=1", 'x.bloom']);
$show(...$prob, ...['--key=list', $server, 'x.bloom']);
$show(...$prob, ...['--key=empty', $server, 'x.bloom']);
$show('--key=none', $server, 'x.bloom');
$show('--key=text', $server, 'x.bloom');
$show('--key=list', $server, 'x.bloom');
$show('--key=list', '--from=redisbloom', $server, 'x.bloom');
$show('--from=redisbloom', '--scandump', '--key=text', $server, 'x.bloom');

// A server that does not answer, and none.
$redis->stop(SIGSTOP);
$show('--timeout=0.3', ...$prob, ...['--key={tags}', $server, 'x.bloom']);
$redis->stop(SIGCONT);
$redis->stop();
$show(...$prob, ...['--key={tags}', $server, 'x.bloom']);
check(!file_exists("$cli->files/x.bloom"), 'nothing was written');
?>
--EXPECTF--
0 tags.bloom: a valkeyprob filter, 997 keys, 6 KiB, 0.987 % false positives, 1,000 keys of --check found
0 tcp.bloom: a valkeyprob filter, 997 keys, 6 KiB, 0.987 % false positives, 1,000 keys of --check found
0 guava.bloom: a guava filter, 996 keys, 6 KiB, 0.976 % false positives, 1,000 keys of --check found
0 tags.bloom: a valkeyprob filter, 997 keys, 6 KiB, 0.987 % false positives, 1,000 keys of --check found
0 tags.bloom: a valkeyprob filter, 997 keys, 6 KiB, 0.987 % false positives, 1,000 keys of --check found
66 bloom: the key {none} or none in redis://{socket} does not exist: it may be in another database (?db=NUMBER), or was evicted or has expired
66 bloom: the key {tags} in unix://{socket}?db=1 does not exist: it may be in another database (?db=NUMBER), or was evicted or has expired
65 bloom: the key list in redis://{socket} is not a string, as a filter of valkeyprob is
65 bloom: the key empty in redis://{socket}: string of 0 bytes: no bit is set, so the filter would deny every key; the server's key may be missing or reset
66 bloom: the key none in redis://{socket} does not exist: it may be in another database (?db=NUMBER), or was evicted or has expired
65 bloom: the key text in redis://{socket} is a string, as filters of valkeyprob and Guava are: name the format with --from=valkeyprob or --from=guava
65 bloom: the key list in redis://{socket} is a list, but filters are strings or values of a module
65 bloom: the key list in redis://{socket} is a list, but filters are strings or values of a module
65 bloom: redis://{socket} does not know the command BF.SCANDUMP, so it has no RedisBloom
75 bloom: the key {tags} in redis://{socket}: %s
75 bloom: the store redis://{socket}: %s
