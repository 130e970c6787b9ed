--TEST--
A blob is published to a server and synced to a host with the redis PHP extension
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
skip_without_redis();
echo extension_file('redis') === null ? 'skip the redis extension is not installed' : '';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli(['igbinary', 'redis']);
check(extension_file('redis') !== null, 'the redis extension exists');
$redis = new RedisServer($cli->directory);
$store = "redis://$redis->socket";
foreach ([1 => 'first', 'second'] as $number => $name) {
    $builder = new Bloom\Builder(100_000, seed: 1, source: $name);
    $builder->addMany(range(1, 50_000 + $number));
    $builder->build(builtAt: 1_700_000_000 + $number)->save("$cli->files/$name.bloom");
}
$show = static function (string ...$arguments) use ($cli, $redis): void {
    $result = $cli->run($arguments);
    echo "$result->code ", strtr($result->output . $result->errors, [$redis->socket => '{socket}', ":$redis->port" => ':{port}']);
};

$show('sync', 'tags', $store);
$show('publish', 'tags', 'first.bloom', $store);
$show('publish', 'tags', 'first.bloom', "unix://$redis->socket");
$show('list', "unix://$redis->socket/3");
$show('sync', 'tags', $store);
$show('sync', 'tags', $store, '--timeout=60');
$show('publish', 'tags', 'second.bloom', $store);
$show('sync', 'tags', $store);
echo $cli->run(['info', '--filter=tags', '--format=json'])->json()['source'], "\n";

// The URL selects a database and a prefix.
$show('publish', 'tags', 'first.bloom', "$store?db=3&prefix=shop%3A");
echo implode(' ', $redis->ask('SELECT 3', 'EXISTS shop:tags', 'SELECT 0', 'EXISTS shop:tags', 'EXISTS bloom:tags')), "\n";

// The server lists the filters of each prefix. The prefix is no pattern.
$names = static fn (string $query): string => implode(' ', array_column($cli->run(['list', "$store$query", '--format=json'])->json(), 'name'));
check([$names(''), $names('?db=3&prefix=shop%3A'), $names('?db=3'), $names('?prefix=bl%3Fom%3A')] === ['tags', 'tags', '', ''], 'names');

// Over TCP, the password comes from the URL, percent-encoded, or from the environment.
$redis->ask('ACL SETUSER writer on >p@ss:/word ~* +@all', 'CONFIG SET requirepass secret');
$tcp = "127.0.0.1:$redis->port";
$show('sync', 'tags', "redis://writer:p%40ss%3A%2Fword@$tcp");
$show('sync', 'tags', "redis://:secret@$tcp/3");
$show('sync', 'tags', "redis://secret@$tcp?db=3&prefix=shop:");
putenv('REDISCLI_AUTH=secret');
$show('sync', 'tags', "redis://$tcp");
putenv('REDISCLI_AUTH=p@ss:/word');
$show('sync', 'tags', "redis://writer@$tcp");
$show('sync', 'tags', "redis://writer:@$tcp");
$show('sync', 'tags', "redis://:@$tcp");
putenv('REDISCLI_AUTH');
$show('sync', 'tags', "redis://writer:wrong@$tcp");
$show('sync', 'tags', "redis://:secret@$tcp/99");
$show('sync', 'tags', "redis://$tcp");
$show('publish', 'tags', 'first.bloom', "redis://$tcp");

// A sync from a server that hangs fails after --timeout.
$redis->stop(SIGSTOP);
$start = microtime(true);
$show('sync', '--timeout=0.3', 'tags', "redis://:secret@$tcp");
$took = microtime(true) - $start;
$redis->stop(SIGCONT);
check($took < 20, "given up after $took s");
$redis->stop();
$show('sync', '--timeout=60', 'tags', $store);
echo $cli->run(['info', '--filter=tags', '--format=json'])->json()['source'], "\n";
?>
--EXPECTF--
75 bloom: tags: missing from the store (bloom list STORE shows the filters that it has)
0 tags: published, 2 of 2 chunks written, 126 KiB
0 tags: published, 0 of 2 chunks written, 0 bytes
64 bloom: STORE: {socket}/3 is not a socket; write unix://{socket}?db=3 for database 3
0 tags: switched to generation 1, about %s keys, 126 KiB, %s % false positives, in %s
0 tags: no change, still generation 1, about %s keys, 126 KiB, %s % false positives, in %s
0 tags: published, 1 of 2 chunks written, 68 KiB
0 tags: switched to generation 2, about 49,997 keys, 126 KiB, %s % false positives, in %s
second
0 tags: published, 2 of 2 chunks written, 126 KiB
+OK :1 +OK :0 :1
0 tags: no change, still generation 2, about 49,997 keys, 126 KiB, %s % false positives, in %s
75 bloom: tags: missing from the store
75 bloom: tags: the store's version is older than the one served
0 tags: no change, still generation 2, about 49,997 keys, 126 KiB, %s % false positives, in %s
0 tags: no change, still generation 2, about 49,997 keys, 126 KiB, %s % false positives, in %s
0 tags: no change, still generation 2, about 49,997 keys, 126 KiB, %s % false positives, in %s
75 bloom: the store redis://127.0.0.1:{port}: %s
75 bloom: the store redis://127.0.0.1:{port}: %s
75 bloom: the store redis://127.0.0.1:{port}/99: %s
75 bloom: %s
75 bloom: the store redis://127.0.0.1:{port} requires a password: put it into the environment variable REDISCLI_AUTH
75 bloom: the store redis://127.0.0.1:{port} did not answer within 0.3 s (--timeout raises the limit)
75 bloom: the store redis://{socket}: %s
second
