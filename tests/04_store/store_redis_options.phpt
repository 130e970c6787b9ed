--TEST--
RedisStore stores the same bytes under the same keys, whatever the client's serializer, compression, prefix and other options are
--DESCRIPTION--
fault: client-options
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
skip_without_redis();
skip_without_redis(predis: true);
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-store_redis_options
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
require __DIR__ . '/../lib/stores.inc';
with_redis_extension();
error_reporting(E_ALL & ~E_DEPRECATED);
require_once '/usr/share/php/Predis/autoload.php';
use Bloom\{Blob, RedisStore};

$server = new RedisServer;
$servers = new RedisClusterServers;
$plain = redis_client($server);
$cluster = $servers->client();
$blob = chunked(keys('a', 2000));
$value = "bytes\0\r\n\"' ~" . str_repeat('x', 1000);

/** Publishes through a client, and reads with a client without options. */
function try_options(string $name, object $client, Redis|RedisCluster $plain, string $prefix, Closure $keys): void
{
    global $blob, $value;
    $store = new RedisStore($client, $prefix);
    $blob->publish($store, 'tags');
    $store->set('b', $value);
    check($store->replace('b', $value, strrev($value)) && $store->getMultiple(['b', 'none']) === ['b' => strrev($value)] && $store->missing(['b', 'none']) === ['none'],
        "$name: the store reads what it wrote");
    check($plain->get("{$prefix}b") === strrev($value), "$name: the value is stored unchanged");
    $other = new RedisStore($plain, $prefix);
    check(Blob::fetch($other, 'tags')->toString() === $blob->toString() && $other->missing(chunk_keys($blob, 'tags')) === [],
        "$name: a client without options reads what was published");
    $store->deleteMultiple(['b', 'tags', 'tags:publisher', ...chunk_keys($blob, 'tags')]);
    check($keys() === [], "$name: no other key was written: " . implode(' ', $keys()));
}

$options = [];
foreach (['NONE', 'PHP', 'JSON', 'IGBINARY', 'MSGPACK'] as $serializer) {
    foreach (['NONE', 'LZF', 'ZSTD', 'LZ4'] as $compression) {
        if (defined("Redis::SERIALIZER_$serializer") && defined("Redis::COMPRESSION_$compression")) {
            $options["$serializer, $compression"] = [Redis::OPT_SERIALIZER => constant("Redis::SERIALIZER_$serializer"), Redis::OPT_COMPRESSION => constant("Redis::COMPRESSION_$compression")];
        }
    }
}
check(count($options) >= 4, 'several serializers and compressions');
foreach (['p:', '{other}:', '{', '}{x}'] as $prefix) {
    $options["prefix $prefix"] = [Redis::OPT_PREFIX => $prefix];
}
$options['literal replies, nulls'] = [Redis::OPT_REPLY_LITERAL => true, Redis::OPT_NULL_MULTIBULK_AS_NULL => true];
$options['everything'] = [Redis::OPT_SERIALIZER => Redis::SERIALIZER_JSON, Redis::OPT_PREFIX => 'p:{', Redis::OPT_REPLY_LITERAL => true];
$masters = array_map(function (int $port): Redis {
    $client = new Redis;
    $client->connect('127.0.0.1', $port);
    return $client;
}, $servers->ports);
$all = fn (): array => array_merge(...array_map(fn (Redis $master): array => $master->keys('*'), $masters));
foreach ($options as $name => $list) {
    $client = redis_client($server);
    $clustered = $servers->client();
    foreach ($list as $option => $setting) {
        check($client->setOption($option, $setting) && $clustered->setOption($option, $setting), "$name: $option");
    }
    try_options($name, $client, $plain, 'bloom:', fn () => $plain->keys('*'));
    foreach (['bloom:', 'bloom:{tags}:', 'x{}{y}:'] as $prefix) {
        try_options("cluster, $name, $prefix", $clustered, $cluster, $prefix, $all);
    }
    foreach ($list as $option => $setting) {
        check($client->getOption($option) == $setting && $clustered->getOption($option) == $setting, "$name: the client keeps its option $option");
    }
}
foreach (['a prefix' => ['prefix' => 'p:'], 'a hash tag' => ['prefix' => '{p}:'], 'errors as objects' => ['exceptions' => false]] as $name => $list) {
    $predis = new Predis\Client(['scheme' => 'unix', 'path' => $server->socket], $list);
    try_options("Predis, $name", $predis, $plain, 'bloom:', fn () => $plain->keys('*'));
    $predis = new Predis\Client(array_map(fn (string $address) => "tcp://$address", $servers->addresses()), $list + ['cluster' => 'redis']);
    try_options("Predis on a cluster, $name", $predis, $cluster, 'bloom:', $all);
}

// Another database: ext-redis 5 connects again without selecting it.
$client = redis_client($server);
$client->select(5);
$store = new RedisStore($client);
$store->set('a', 'in 5');
$client->close();
$store->set('b', 'in 5');
$client->close();
check($store->getMultiple(['a', 'b']) === ['a' => 'in 5', 'b' => 'in 5'] && $plain->keys('*') === [], 'the database stays selected');

// A client in MULTI or PIPELINE on a cluster, and a value that is longer than the server allows.
$clustered = $servers->client();
$clustered->multi();
echo thrown(fn () => (new RedisStore($clustered))->set('a', 'x')), "\n";
$clustered->discard();
(new RedisStore($clustered))->set('a', 'x');
$plain->config('SET', 'proto-max-bulk-len', (string) (1 << 20));
error_reporting(E_ALL & ~E_DEPRECATED & ~E_NOTICE); // of a broken pipe
foreach (['Redis' => redis_client($server), 'Predis' => predis_client($server)] as $name => $client) {
    $store = new RedisStore($client);
    $said = thrown(fn () => $store->set('a', str_repeat('x', 3 << 20)));
    check(str_starts_with($said, 'Bloom\StoreException: the store failed: ') && !str_contains($said, 'MULTI') && ($name === 'Predis' || str_contains($said, 'proto-max-bulk-len') || str_contains($said, 'bulk length')), "$name: $said");
    check($store->getMultiple(['a']) === [], "$name: the next call gets its own answer");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: the store cannot use its client: it is inside MULTI (call exec() or discard() first, or pass a client of its own)
