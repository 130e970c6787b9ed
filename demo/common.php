<?php

/** Shared by the demo's parts: paths, the store, and a sync that reports its work. */

namespace Demo;

use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\RedisStore;
use Bloom\Store;

const FILTER = 'tags';
const COUNTS = 'counts';

/** Returns the demo's own temporary directory. */
function home(): string
{
    return getenv('BLOOM_DEMO_HOME');
}

function uses_redis(): bool
{
    return getenv('BLOOM_DEMO_STORE') === 'redis';
}

function redis(): \Redis
{
    $redis = new \Redis();
    $redis->connect(home() . '/redis/redis.sock');
    return $redis;
}

/** Connects when it is first used, because masters may be down. */
function cluster(): \RedisCluster
{
    return new \RedisCluster(null, explode(' ', getenv('BLOOM_DEMO_CLUSTER')), 0.5, 1);
}

function open_store(): Store
{
    return match (getenv('BLOOM_DEMO_STORE')) {
        'redis' => new RedisStore(redis()),
        'cluster' => new RedisStore(cluster(...)),
        default => new DirectoryStore(home() . '/store'),
    };
}

/** Returns the path of an article, which a page without a filter has to look up. */
function article_path(string $tag): string
{
    $hash = md5($tag);
    return home() . '/store/articles/' . substr($hash, 0, 2) . '/' . $hash;
}

function article_key(string $tag): string
{
    return "article:$tag";
}

/** @return list<string> */
function read_lines(string $path): array
{
    return file($path, FILE_IGNORE_NEW_LINES) ?: throw new \RuntimeException("$path cannot be read");
}

/** Returns the sizes of all files in the segment, by path. @return array<string, int> */
function segment_files(string $segment): array
{
    clearstatcache();
    $sizes = [];
    foreach (glob("$segment/*/*") as $path) {
        /* A file that has been renamed or unlinked since the listing has no size. */
        $sizes[$path] = (int) @filesize($path);
    }
    return $sizes;
}

/** A store that connects on first use and counts the chunks and bytes that are transferred. */
final class CountingStore implements Store
{
    public int $chunks = 0;
    public int $bytes = 0;
    private ?Store $inner = null;

    public function wasAsked(): bool
    {
        return $this->inner !== null;
    }

    public function getMultiple(array $keys): array
    {
        $values = $this->inner()->getMultiple($keys);
        foreach ($values as $key => $value) {
            $this->bytes += strlen((string) $value);
            $this->chunks += preg_match('/:[0-9a-f]{32}$/', $key);
        }
        return $values;
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

    private function inner(): Store
    {
        return $this->inner ??= open_store();
    }
}

/**
 * Runs Filter::sync() and describes what it did.
 *
 * @return array|null null if the store was not used, because no check is due or another process is checking
 */
function sync_watched(float $ttl, string $name = FILTER): ?array
{
    $store = new CountingStore();
    $peak = 0;
    $start = hrtime(true);
    $error = null;
    $switched = false;
    try {
        $switched = Filter::sync($name, $store, $ttl, progress: function () use (&$peak): void {
            $peak = max($peak, array_sum(segment_files(ini_get('bloom.path'))));
        });
    } catch (\Throwable $thrown) {
        $error = get_class($thrown) . ': ' . $thrown->getMessage();
    }
    return !$store->wasAsked() && $error === null ? null : [
        'pid' => getmypid(),
        'switched' => $switched,
        'chunks' => $store->chunks,
        'bytes' => $store->bytes,
        'ms' => (hrtime(true) - $start) / 1e6,
        'peak' => $peak,
        'error' => $error,
    ];
}
