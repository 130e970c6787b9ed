<?php

/** What the demo's parts share: where things are, the store, a sync that can be watched. */

namespace Demo;

use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\RedisStore;
use Bloom\Store;

const FILTER = 'tags';

/** The demo's own temporary directory. */
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

function open_store(): Store
{
    return uses_redis() ? new RedisStore(redis()) : new DirectoryStore(home() . '/store');
}

/** Where the directory store's side keeps an article: what a page without a filter has to look at. */
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

/** Sizes of all files in the segment, by path. @return array<string, int> */
function segment_files(string $segment): array
{
    clearstatcache();
    $sizes = [];
    foreach (glob("$segment/*/*") as $path) {
        /* One that was renamed or unlinked since the listing has no size. */
        $sizes[$path] = (int) @filesize($path);
    }
    return $sizes;
}

/** A store of our own, for the demo's table: connects when first asked, and counts what travels. */
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
 * Filter::sync(), told as it went.
 *
 * @return array|null null when the store was not asked: it is not time, or another process is at it
 */
function sync_watched(float $ttl): ?array
{
    $store = new CountingStore();
    $peak = 0;
    $start = hrtime(true);
    $error = null;
    $switched = false;
    try {
        $switched = Filter::sync(FILTER, $store, $ttl, progress: function () use (&$peak): void {
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
