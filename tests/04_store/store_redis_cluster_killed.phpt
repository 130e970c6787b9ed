--TEST--
A cluster master that dies during a sync harms no served filter, and syncs succeed after its restart or a failover
--DESCRIPTION--
fault: server-dies
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
skip_without_redis();
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-store_redis_cluster_killed
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
require __DIR__ . '/../lib/stores.inc';
with_redis_extension();
use Bloom\{Filter, RedisStore};

/** A store that runs a callback before its n-th call. */
final class Interrupted implements Bloom\Store
{
    public function __construct(private Bloom\Store $inner, private Closure $then, private int $calls)
    {
    }

    private function inner(): Bloom\Store
    {
        if (--$this->calls === 0) {
            ($this->then)();
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
}
$booth = Filter::load('booth', chunked(keys('old', 5000), builtAt: 1));
$files = tree(segment_path());
$new = chunked(keys('new', 5000));
$servers = new RedisClusterServers(3, 1, node_timeout_ms: 1000);
$fails = function (string $what, callable $call) use ($booth, $files): void {
    echo "$what: ", thrown($call, true), "\n";
    check($booth->candidates(keys('old', 5000)) === keys('old', 5000), 'the loaded version is still served');
    check(tree(segment_path()) === $files, 'no staged file is left: ' . implode(' ', tree(segment_path())));
};
$store = fn () => new RedisStore($servers->client(0.5));

// Kill a master that has a chunk but not the head, and has no replica. The cluster is down until it returns.
$chunk = current(array_filter(chunk_keys($new, 'booth'), fn ($key) => !in_array($servers->of("bloom:$key"), [0, $servers->of('bloom:booth')])));
$victim = $servers->of("bloom:$chunk");
$new->publish($store(), 'booth');
$fails('sync', fn () => Filter::sync('booth', new Interrupted($store(), fn () => $servers->stop($victim), 2), 0));
check(str_contains($booth->info()->lastError, 'the store failed: RedisClusterException: '), $booth->info()->lastError);
$fails('sync again', fn () => Filter::sync('booth', $store(), 0));
$fails('publish', fn () => $new->publish($store(), 'booth'));
$servers->start($victim);
$servers->awaitWhole();
// The master returns empty, so its chunks are missing.
$fails('sync, back', fn () => Filter::sync('booth', $store(), 0));
$said = $new->publish($store(), 'booth');
check($said['chunksWritten'] > 0 && $said['chunksWritten'] < $said['chunks'],
    'publish writes the chunks that the master had: ' . json_encode($said));

// Kill the first master. Its replica takes over with all keys, and the same client keeps working.
$client = $servers->client(0.5);
$head = chunked(keys('new', 5000), builtAt: 1_700_000_001);
$head->publish(new RedisStore($client), 'booth');
$chunk = current(array_filter(chunk_keys($head, 'booth'), fn ($key) => $servers->of("bloom:$key") === 0));
check($chunk !== false, 'the first master has a chunk');
$servers->ask($servers->ports[0], 'WAIT', '1', '5000');
$fails('sync', fn () => Filter::sync('booth', new Interrupted(new RedisStore($client), fn () => $servers->stop(0), 2), 0));
$servers->await(fn () => $servers->of("bloom:$chunk") === 3);
$servers->awaitWhole();
var_dump(switched(Filter::sync('booth', new RedisStore($client), 0)), $booth->candidates(keys('new', 5000)) === keys('new', 5000));
check($booth->info()->syncFailuresInRow === 0, 'the next sync succeeds');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
sync: Bloom\StoreException
sync again: Bloom\StoreException
publish: Bloom\StoreException
sync, back: Bloom\StoreException
sync: Bloom\StoreException
bool(true)
bool(true)
