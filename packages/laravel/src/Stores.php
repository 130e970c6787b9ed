<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\DirectoryStore;
use Bloom\Kit\Testing\FakeStore;
use Bloom\MemcachedStore;
use Bloom\RedisStore;
use Bloom\Store;
use Illuminate\Contracts\Container\Container;
use Illuminate\Redis\RedisManager;

/** Creates the stores of config/bloom.php. Clients are connected by their first use. */
final class Stores
{
    /** @var array<string, Store> */
    private array $created = [];

    private ?FakeStore $fake = null;

    public function __construct(private readonly Container $container, private readonly Settings $settings)
    {
    }

    /** Keeps everything in memory from now on, for a test. */
    public function fake(): FakeStore
    {
        return $this->fake = new FakeStore();
    }

    public function get(string $name): Store
    {
        return $this->fake ?? $this->created[$name] ??= $this->create(...$this->settings->store($name));
    }

    private function create(string $driver, string $value, string $prefix): Store
    {
        return match ($driver) {
            'directory' => new DirectoryStore($value),
            'redis' => new RedisStore(fn (): object => $this->redis($value), $prefix),
            'memcached' => new MemcachedStore(fn (): object => $this->memcached($value), $prefix),
            default => $this->service($value),
        };
    }

    /**
     * Makes a client. The store asks for a new one after a failure and in a forked worker, so it must not get the one that
     * the application and its earlier requests use.
     */
    private function redis(string $name): object
    {
        /** @var object $redis */
        $redis = $this->container->make('redis');
        \assert($redis instanceof RedisManager || $redis instanceof \Illuminate\Contracts\Redis\Factory);
        $connection = $redis instanceof RedisManager ? $redis->resolve($name) : $redis->connection($name);
        /** @var object $client */
        $client = $connection->client();
        return $client;
    }

    private function memcached(string $cache): object
    {
        $factory = $this->container->make('cache');
        \assert($factory instanceof \Illuminate\Contracts\Cache\Factory);
        $store = $factory->store($cache)->getStore();
        if (!$store instanceof \Illuminate\Cache\MemcachedStore) {
            $given = get_debug_type($store);
            throw new \InvalidArgumentException(
                "cache.stores.$cache: the driver must be \"memcached\" for a store of filters, $given given"
            );
        }
        return $store->getMemcached();
    }

    private function service(string $name): Store
    {
        /** @var object $store */
        $store = $this->container->make($name);
        return $store instanceof Store ? $store : throw new \InvalidArgumentException(
            "\"$name\" must be a " . Store::class . ' to keep filters, ' . get_debug_type($store) . ' given'
        );
    }
}
