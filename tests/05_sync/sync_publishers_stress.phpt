--TEST--
Processes that publish versions of one filter concurrently get no exceptions but for older versions, and leave a complete version and no mark
--DESCRIPTION--
fault: publishers
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publishers_stress
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
use Bloom\{Blob, DirectoryStore, RedisStore, Store};

// BLOOM_TEST_PUBLISHES sets the number of publishes of each process.
$publishes = (int) (getenv('BLOOM_TEST_PUBLISHES') ?: 40);
$hasRedis = shell_exec('command -v redis-server') && is_file(PHP_EXTENSION_DIR . '/redis.so');
if ($hasRedis) {
    with_redis_extension();
    $server = new RedisServer;
}
mkdir(own_file('store'), 0700);
// Each version has a random subset of six keys, so versions reuse chunks that other publishers delete.
mt_srand(1);
for ($number = 0; $number < 20; $number++) {
    $more = array_filter(keys('more', 6), fn () => mt_rand(0, 1) === 1);
    blob_of([...keys('k', 1000), ...$more], 3000, 1_700_000_000 + $number, shardBytes: 1024, chunkBytes: 1024)
        ->save(own_file("$number.bloom"));
}
$publish = '
    [, $seed, $publishes, $socket] = $argv;
    $blobs = array_map(fn ($number) => Bloom\Blob::open(own_file("$number.bloom")), range(0, 19));
    if ($socket === "") {
        $store = new Bloom\DirectoryStore(own_file("store"));
    } else {
        $client = new Redis;
        $client->connect($socket);
        $store = new Bloom\RedisStore($client);
    }
    echo "ready\n";
    fgets(STDIN);
    mt_srand((int) $seed);
    $said = [];
    for ($i = 0; $i < $publishes; $i++) {
        $warning = null;
        // A version that was built before one that another process publishes in the meantime is refused.
        $said[] = preg_replace("/^.*version that was built later.*/", "nothing", thrown(function () use ($blobs, $store, &$warning) {
            $warning = $blobs[mt_rand(0, 19)]->publish($store, "booth")["warning"];
        }));
        $said[] = $warning ?? "nothing";
    }
    echo json_encode(array_count_values($said));';
$race = function (Store $store, string $socket) use ($publish, $publishes): void {
    $children = array_map(fn ($seed) => new Child($publish, [], [$seed, $publishes, $socket]), range(1, 4));
    array_map(fn ($child) => $child->hear(), $children);
    array_map(fn ($child) => $child->say('go'), $children);
    foreach ($children as $child) {
        $said = $child->end();
        check($said === json_encode(['nothing' => 2 * $publishes]), $store::class . ": no exception and no warning: $said");
    }
    $found = thrown(fn () => Blob::fetch($store, 'booth'));
    check($found === 'nothing', $store::class . ": the published version is complete: $found");
    check($store->getMultiple(['booth:publisher']) === ['booth:publisher' => ''], $store::class . ': the lock is free');
};
$race(new DirectoryStore(own_file('store')), '');
if ($hasRedis) {
    $race(new RedisStore(redis_client($server)), $server->socket);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
