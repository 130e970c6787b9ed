--TEST--
A server that dies between head and chunks harms no served filter
--DESCRIPTION--
fault: server-dies
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-store_redis_killed
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/stores.inc';
with_redis_extension();
use Bloom\{Filter, RedisStore};

/** A store that kills the server before its n-th call. */
final class Fatal implements Bloom\Store
{
    public function __construct(private Bloom\Store $inner, private RedisServer $server, private int $calls)
    {
    }

    private function inner(): Bloom\Store
    {
        if (--$this->calls === 0) {
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
}
$server = new RedisServer;
foreach ([1, 2] as $call) {
    Filter::drop('booth');
    $booth = Filter::load('booth', chunked(keys('old', 5000), builtAt: 1));
    $files = tree(segment_path());
    chunked(keys('new', 5000))->publish(new RedisStore(redis_client($server)), 'booth');
    echo "sync, call $call: ", thrown(fn () => Filter::sync('booth', new Fatal(new RedisStore(redis_client($server)), $server, $call), 0), true), "\n";
    check($booth->candidates(keys('old', 5000)) === keys('old', 5000), 'the loaded version is still served');
    check(tree(segment_path()) === $files, 'no staged file is left: ' . implode(' ', tree(segment_path())));
    check(str_contains((string) $booth->info()->lastError, 'the store failed: '),
        'lastError holds the reason: ' . $booth->info()->lastError);
    // The server restarts empty. Then a publisher publishes again.
    $server->start();
    echo thrown(fn () => Filter::sync('booth', new RedisStore(redis_client($server)), 0)), "\n";
    check($booth->info()->syncFailuresInRow === 2 && $booth->mightContain('old1'),
        'the loaded version is still served');
    chunked(keys('new', 5000))->publish(new RedisStore(redis_client($server)), 'booth');
    check(switched(Filter::sync('booth', new RedisStore(redis_client($server)), 0)) && $booth->candidates(keys('new', 5000)) === keys('new', 5000),
        'the next sync succeeds');
    check($booth->info()->syncFailuresInRow === 0, 'the count of consecutive failures is reset');
}
$server->stop();
$server->start();
Filter::drop('booth');
$booth = Filter::load('booth', chunked(keys('old', 5000), builtAt: 1));
foreach ([1, 2, 10] as $call) {
    echo "publish, call $call: ", thrown(fn () => chunked(keys('new', 5000))->publish(new Fatal(new RedisStore(redis_client($server)), $server, $call), 'booth'), true), "\n";
    $server->start();
}
chunked(keys('new', 5000))->publish(new RedisStore(redis_client($server)), 'booth');
var_dump(switched(Filter::sync('booth', new RedisStore(redis_client($server)), 0)), $booth->mightContain('new1'));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
sync, call 1: Bloom\StoreException
Bloom\StoreException: booth: missing from the store
sync, call 2: Bloom\StoreException
Bloom\StoreException: booth: missing from the store
publish, call 1: Bloom\StoreException
publish, call 2: Bloom\StoreException
publish, call 10: Bloom\StoreException
bool(true)
bool(true)
