<?php

declare(strict_types=1);

namespace Bloom\Laravel\Facades;

use Bloom\Laravel\FilterManager;
use Illuminate\Support\Facades\Facade;

/**
 * The filters of config/bloom.php.
 *
 * @method static \Bloom\Membership get(string $name)
 * @method static \Bloom\Journal|\Bloom\Kit\FoldedJournal journal(string $name)
 * @method static void add(string $name, iterable<mixed, string|int>|string|int $keys, ?\Illuminate\Database\ConnectionInterface $connection = null)
 * @method static int relay(int $limit = 10000, ?\Illuminate\Database\ConnectionInterface $connection = null)
 * @method static \Bloom\SyncResult sync(string $name, ?float $ttl = null, bool $force = false)
 * @method static \Bloom\Kit\ShadowFilter shadow(string $name)
 * @method static \Bloom\Kit\ListFilter list(string $name)
 * @method static \Bloom\Kit\Testing\FakeStore fake(array<string, iterable<string|int>|null> $keys = [])
 *
 * @see FilterManager
 */
final class BloomFilter extends Facade
{
    protected static function getFacadeAccessor(): string
    {
        return FilterManager::class;
    }
}
