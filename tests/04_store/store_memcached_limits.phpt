--TEST--
Memcached's item size limit, evictions and crashes harm no served filter, and publishing again repairs the store
--DESCRIPTION--
fault: store-mixes-up
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_memcached_limits
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/memcached.inc';
require __DIR__ . '/../lib/stores.inc';
with_memcached_extension();
use Bloom\{Builder, Filter, MemcachedStore};

function store(MemcachedServer ...$servers): MemcachedStore
{
    $client = memcached_client(...$servers);
    $client->setOption(Memcached::OPT_COMPRESSION, false); // these filters have so few bits set that they would compress well
    return new MemcachedStore($client);
}
/** Returns the error of a failing sync and checks that it changed nothing. */
function refused(Bloom\Store $store): string
{
    $said = thrown(fn () => Filter::sync('booth', $store, 0));
    check(Filter::open('booth')->candidates(keys('old', 5000)) === keys('old', 5000),
        'the loaded version is still served');
    check(Filter::open('booth')->info()->generation === 1, 'the generation is unchanged');
    return $said . "\n    " . Filter::open('booth')->info()->lastError;
}
Filter::load('booth', chunked(keys('old', 5000), builtAt: 1));
$new = chunked(keys('new', 5000));
$chunks = chunk_keys($new, 'booth');

echo "-- a chunk is gone, the head is gone\n";
$server = new MemcachedServer;
$new->publish(store($server), 'booth');
memcached_client($server)->delete("bloom:{$chunks[3]}");
echo refused(store($server)), "\n";
check($new->publish(store($server), 'booth')['chunksWritten'] === 1, 'publish writes the lost chunk again');
memcached_client($server)->delete('bloom:booth');
echo refused(store($server)), "\n";
$new->publish(store($server), 'booth');

echo "-- a chunk is damaged\n";
memcached_client($server)->set("bloom:{$chunks[3]}", str_repeat('x', 1024));
echo str_replace($chunks[3], '{chunk}', refused(store($server))), "\n";
check($new->publish(store($server), 'booth')['chunksWritten'] === 1, 'publish writes the damaged chunk again');
check($new->publish(store($server), 'booth', force: true)['chunksWritten'] === count($chunks),
    'a forced publish writes every chunk');

echo "-- the server dies in the middle, and comes back empty\n";
$dying = new class($server) implements Bloom\Store {
    private Bloom\Store $inner;
    public int $calls = 1;
    public function __construct(private MemcachedServer $server)
    {
        $this->inner = store($server);
    }
    private function inner(): Bloom\Store
    {
        if ($this->calls-- === 0) {
            $this->server->stop();
        }
        return $this->inner;
    }
    public function getMultiple(array $keys): array
    {
        return $this->inner()->getMultiple($keys);
    }
    public function missing(array $keys): array
    {
        return $this->inner()->missing($keys);
    }
    public function set(string $key, string $value): void
    {
        $this->inner()->set($key, $value);
    }
    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->inner()->replace($key, $expected, $value);
    }
    public function deleteMultiple(array $keys): void
    {
        $this->inner()->deleteMultiple($keys);
    }
};
check(str_starts_with($said = refused($dying), 'Bloom\StoreException: the store failed: Memcached answered get with '), $said);
check(str_starts_with($said = refused(store($server)), 'Bloom\StoreException: the store failed: Memcached answered get with '), $said);
$server->start();
foreach ([0, 1, 10] as $calls) {
    $dying->__construct($server);
    $dying->calls = $calls;
    check(str_starts_with($said = thrown(fn () => $new->publish($dying, 'booth')), 'Bloom\StoreException: the store failed: Memcached answered '), $said);
    $server->start();
}
echo refused(store($server)), "\n";

echo "-- one of two servers dies: what it has is not missing, but cannot be told\n";
$second = new MemcachedServer(name: 'second.sock');
$new->publish(store($server, $second), 'booth');
$second->stop();
$said = refused(store($server, $second));
check(str_contains($said, 'Bloom\StoreException: the store failed: Memcached answered get with ') && !str_contains($said, '0x'), $said);
check(!str_contains(thrown(fn () => store($server, $second)->missing($chunks)), 'nothing'), 'missing() throws as well');
$second->start();
$new->publish(store($server, $second), 'booth');

echo "-- tiny memory: sets evict\n";
$server->stop();
$tiny = new MemcachedServer(['-m', '2']);
$large = blob_of(keys('new', 5000), 25_000_000, shardBytes: 16384, chunkBytes: 16384);
echo thrown(fn () => $large->publish(store($tiny), 'booth')), "\n";
check($tiny->evicted() > 0, 'evicted ' . $tiny->evicted());
$said = refused(store($tiny));
check(str_contains($said, 'missing from the store'), $said);
echo "-- and -M: they are refused\n";
$tiny->stop();
$full = new MemcachedServer(['-m', '2', '-M']);
$said = thrown(fn () => $large->publish(store($full), 'booth'));
check(str_starts_with($said, 'Bloom\StoreException: the store failed: Memcached answered set with '), $said);
echo refused(store($full)), "\n";
$full->stop();

echo "-- items over the limit\n";
$server = new MemcachedServer;
$build = fn (int $capacity, mixed ...$more) => blob_of(['a'], $capacity, 1, ...$more);
echo preg_replace('/[0-9a-f]{32}/', '{digest}', thrown(fn () => $build(1_000_000, chunkBytes: 1 << 20)->publish(store($server), 'chunk'))), "\n";
check($build(1_000_000, chunkBytes: 120 << 13)->publish(store($server), 'chunk')['chunks'] > 1,
    'chunks of 960 KiB fit');
// The first head has as many 1 KiB shards as fit into an item. The second has one more.
foreach ([32_623, 32_624] as $shards) {
    $blob = $build($shards * 1024, bitsPerKey: 8.0, shardBytes: 1024, chunkBytes: 1024);
    check($blob->info()->shards === $shards, "$shards shards: " . $blob->info()->shards);
    echo thrown(fn () => $blob->publish(store($server), 'head')), "\n";
}
check($server->evicted() === 0, 'nothing was evicted');
$small = new MemcachedServer(['-I', '512k'], 'small.sock');
echo preg_replace('/[0-9a-f]{32}/', '{digest}', thrown(fn () => $build(1_000_000, chunkBytes: 640 << 10)->publish(store($small), 'chunk'))), "\n";
echo thrown(fn () => $build(16_384 * 1024, bitsPerKey: 8.0, shardBytes: 1024, chunkBytes: 1024)->publish(store($small), 'head')), "\n";

echo "-- all is well again\n";
$new->publish(store($server), 'booth');
var_dump(switched(Filter::sync('booth', store($server), 0)), Filter::open('booth')->candidates(keys('new', 5000)) === keys('new', 5000));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- a chunk is gone, the head is gone
Bloom\StoreException: a chunk: missing from the store
    a chunk: missing from the store
Bloom\StoreException: booth: missing from the store
    booth: missing from the store
-- a chunk is damaged
Bloom\FormatException: {chunk}: the chunk's bytes do not match its digest
    {chunk}: the chunk's bytes do not match its digest
-- the server dies in the middle, and comes back empty
Bloom\StoreException: booth: missing from the store
    booth: missing from the store
-- one of two servers dies: what it has is not missing, but cannot be told
-- tiny memory: sets evict
Bloom\StoreException: a chunk that was just written: missing from the store
-- and -M: they are refused
Bloom\StoreException: booth: missing from the store
    booth: missing from the store
-- items over the limit
Bloom\StoreException: the store failed: chunk:{digest}: 1048576 bytes exceed Memcached's item size, by default 1 MB (raise it with the option -I, or build with smaller chunkBytes)
nothing
Bloom\StoreException: the store failed: head:staged: 1048576 bytes exceed Memcached's item size, by default 1 MB (raise it with the option -I, or build with larger shardBytes and chunkBytes, for a smaller head)
Bloom\StoreException: the store failed: chunk:{digest}: 655360 bytes exceed Memcached's item size, by default 1 MB (raise it with the option -I, or build with smaller chunkBytes)
Bloom\StoreException: the store failed: head:staged: 528384 bytes exceed Memcached's item size, by default 1 MB (raise it with the option -I, or build with larger shardBytes and chunkBytes, for a smaller head)
-- all is well again
bool(true)
bool(true)
