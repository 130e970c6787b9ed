--TEST--
A blob is published to a Redis cluster and synced to a host
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
skip_without_redis();
require __DIR__ . '/../lib/cluster.inc';
skip_without_cluster();
echo extension_file('redis') === null ? 'skip the redis extension is not installed' : '';
echo is_file('/usr/share/php/Predis/autoload.php') || is_dir(__DIR__ . '/../../vendor/predis') ? '' : 'skip Predis is not installed';
?>
--INI--
bloom.path={TMP}/bloom-cli_store_redis_cluster
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/cli.inc';
require __DIR__ . '/../lib/cluster.inc';

$cli = new Cli(['igbinary', 'redis']);
$builder = new Bloom\Builder(500_000, seed: 1);
$builder->addMany(range(1, 100_000));
$builder->build(builtAt: 1)->save("$cli->files/a.bloom");
$servers = new RedisClusterServers;
register_shutdown_function(clean(...)); // once the servers have stopped
$cli->install('predis', "-d bloom.path=$cli->segment -d error_reporting=8191", ['bloom']);
$hosts = implode(',', array_slice($servers->addresses(), 0, 2));
$show = static function (string $line) use ($cli, $hosts): void {
    $result = $cli->shell($line);
    echo "$result->code ", strtr($result->output . $result->errors, [$hosts => '{hosts}']);
};
$commands = ['bloom', 'predis']; // bloom uses ext-redis if it is installed
foreach ($commands as $command) {
    $store = "redis-cluster://$hosts?prefix=$command:";
    $show("$command sync tags $store");
    $show("$command publish tags a.bloom $store");
    $show("$command publish tags a.bloom $store");
    $list = $cli->shell("$command list $store --format=json");
    echo $list->code === 0 ? implode(' ', array_column($list->json(), 'name')) : rtrim($list->errors), "\n";
    $show("$command sync tags $store");
    $show("$command drop tags");
}
// From now on, the servers require a password, or a user with a password.
foreach ($servers->ports as $port) {
    $servers->ask($port, 'ACL', 'SETUSER', 'reader', 'on', '>p@ss', '~*', '+@all');
    $servers->ask($port, 'CONFIG', 'SET', 'requirepass', 'secret');
}
foreach ($commands as $command) {
    $query = "?prefix=$command:";
    $show("$command sync --timeout=1 tags redis-cluster://:secret@$hosts$query");
    $show("$command sync --timeout=1 tags redis-cluster://reader:p%40ss@$hosts$query");
    $show("REDISCLI_AUTH=secret $command sync --timeout=1 tags redis-cluster://$hosts$query");
    $show("$command sync --timeout=1 tags redis-cluster://:wrong@$hosts$query");
}
$servers->stopAll();
foreach ($commands as $command) {
    $show("$command sync --timeout=1 tags redis-cluster://:secret@$hosts");
}
?>
--EXPECTF--
75 bloom: tags: missing from the store (bloom list STORE shows the filters that it has)
0 tags: published, 10 of 10 chunks written, 614 KiB
0 tags: published, 0 of 10 chunks written, 0 bytes
tags
0 tags: switched to generation 1, about %s keys, 614 KiB, %s % false positives, in %s
0 tags: dropped
75 bloom: tags: missing from the store (bloom list STORE shows the filters that it has)
0 tags: published, 10 of 10 chunks written, 614 KiB
0 tags: published, 0 of 10 chunks written, 0 bytes
bloom: the store redis-cluster://%s cannot list its filters (name them, as in bloom list tags users STORE): Cannot use 'SCAN' with redis-cluster.
0 tags: switched to generation 1, about %s keys, 614 KiB, %s % false positives, in %s
0 tags: dropped
0 tags: switched to generation 1, about %s keys, 614 KiB, %s % false positives, in %s
0 tags: no change, still generation 1, about %s keys, 614 KiB, %s % false positives, in %s
0 tags: no change, still generation 1, about %s keys, 614 KiB, %s % false positives, in %s
75 bloom: the store %s
0 tags: no change, still generation 1, about %s keys, 614 KiB, %s % false positives, in %s
0 tags: no change, still generation 1, about %s keys, 614 KiB, %s % false positives, in %s
0 tags: no change, still generation 1, about %s keys, 614 KiB, %s % false positives, in %s
75 bloom: the store %s
75 bloom: the store %s
75 bloom: the store %s
