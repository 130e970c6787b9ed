--TEST--
Hosts that share a Redis server find every key of its journal, through kills, reboots, new versions and the loss of the journal
--DESCRIPTION--
fault: fleet-hosts
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-journal_in_redis
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/journal_host.inc';
with_redis_extension();

$server = new RedisServer;
$client = redis_client($server);
$connect = fn (string $options = ''): string => '(function () { $client = new Redis; $client->connect(' . var_export($server->socket, true) . "); $options"
    . ' return new Bloom\RedisStore($client); })()';
try_following_hosts('plain', $connect(), fn (string $journal) => $client->del("bloom:$journal"));

$client->flushAll();
$options = '$client->setOption(Redis::OPT_PREFIX, "own:"); $client->setOption(Redis::OPT_SERIALIZER, Redis::SERIALIZER_PHP);';
$settings = has_sodium() ? ['bloom.signing_key_file' => ring('signing-keys', 'key')] : [];
try_following_hosts('options', $connect($options), fn (string $journal) => $client->del("bloom:$journal"), $settings);

if (is_file('/usr/share/php/Predis/autoload.php')) {
    $client->flushAll();
    $predis = '(function () { require ' . var_export(dirname(__DIR__) . '/lib/redis.inc', true) . '; require "/usr/share/php/Predis/autoload.php"; error_reporting(E_ALL & ~E_DEPRECATED);
        return new Bloom\RedisStore(new Predis\Client(["scheme" => "unix", "path" => ' . var_export($server->socket, true) . '])); })()';
    try_following_hosts('predis', $predis, fn (string $journal) => $client->del("bloom:$journal"));
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
