<?php

namespace Bloom\Cli;

use Bloom\JournalStore;
use Bloom\Store;
use Bloom\StoreException;

/**
 * A store that connects at its first request, so that a sync records a failed connection like any other failure. After a
 * failed request, the next request connects again.
 */
final class LazyStore implements JournalStore
{
    private ?Store $store = null;
    private ?Failure $failure = null;

    public function __construct(private readonly StoreUrl $url, private readonly float $timeout)
    {
    }

    /** Closes the connection. A failed connection attempt is repeated only after a reset. */
    public function reset(): void
    {
        $this->store = null;
        $this->failure = null;
    }

    public function getMultiple(array $keys): array
    {
        return $this->ask(static fn (Store $store): array => $store->getMultiple($keys));
    }

    public function missing(array $keys): array
    {
        return $this->ask(static fn (Store $store): array => $store->missing($keys));
    }

    public function set(string $key, string $value): void
    {
        $this->ask(static fn (Store $store) => $store->set($key, $value));
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->ask(static fn (Store $store): bool => $store->replace($key, $expected, $value));
    }

    public function deleteMultiple(array $keys): void
    {
        $this->ask(static fn (Store $store) => $store->deleteMultiple($keys));
    }

    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        return $this->ask(static fn (Store $store): ?string => self::journals($store)->append($journal, $records, $after));
    }

    public function last(string $journal): array
    {
        return $this->ask(static fn (Store $store): array => self::journals($store)->last($journal));
    }

    public function read(array $positions, int $limit): array
    {
        return $this->ask(static fn (Store $store): array => self::journals($store)->read($positions, $limit));
    }

    public function trim(string $journal, string $position): void
    {
        $this->ask(static fn (Store $store) => self::journals($store)->trim($journal, $position));
    }

    /**
     * Calls the extension with a lazy store. If the store could not be opened, throws the Failure with the reason.
     *
     * @template T
     *
     * @param callable(): T $call
     *
     * @return T
     */
    public static function clearly(callable $call): mixed
    {
        try {
            return $call();
        } catch (StoreException $thrown) {
            $cause = $thrown->getPrevious();
            throw $cause instanceof Failure ? $cause : $thrown;
        }
    }

    private static function journals(Store $store): JournalStore
    {
        return $store instanceof JournalStore
            ? $store
            : throw Failure::usage('STORE: Memcached cannot keep a journal; use Redis or a directory');
    }

    private function ask(callable $question): mixed
    {
        $store = $this->store ??= $this->connect();
        try {
            return $question($store);
        } catch (\Throwable $thrown) {
            // The rest of a reply may still be in flight on that connection.
            $this->store = null;
            throw $thrown;
        }
    }

    private function connect(): Store
    {
        if ($this->failure === null) {
            clearstatcache(true);
            try {
                return $this->url->open($this->timeout);
            } catch (Failure $failure) {
                $this->failure = $failure;
            }
        }
        throw new StoreException($this->failure->getMessage(), 0, $this->failure);
    }
}
