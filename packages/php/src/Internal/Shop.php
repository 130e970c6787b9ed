<?php

namespace Bloom\Internal;

use Bloom\JournalStore;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;

/**
 * Calls a store, checks its answers, and wraps its exceptions.
 *
 * @internal
 */
final class Shop
{
    public const KEYS_MAX = 1000;
    private const RECORD_BYTES_MIN = 48;
    private const RECORD_END = 4;
    private const RECORD_BEGIN = 5;

    public function __construct(private Store $store)
    {
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, string> the values that exist
     */
    public function get(array $keys): array
    {
        $values = $this->call(fn (): array => $this->store->getMultiple($keys));
        $found = [];
        foreach ($keys as $key) {
            /** @var mixed $value a store may break its contract */
            $value = $values[$key] ?? null;
            if ($value !== null && !is_string($value)) {
                throw Failure::of(Status::StoreType, $key);
            }
            if ($value !== null) {
                $found[$key] = $value;
            }
        }
        return $found;
    }

    public function getOne(string $key): ?string
    {
        return $this->get([$key])[$key] ?? null;
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, int> the missing keys, as keys
     */
    public function missing(array $keys): array
    {
        $missing = [];
        foreach (array_chunk($keys, self::KEYS_MAX) as $some) {
            $answer = $this->call(fn (): array => $this->store->missing($some));
            foreach ($answer as $key) {
                $missing[is_string($key) ? $key : throw Failure::of(Status::StoreType, 'missing()')] = 0;
            }
        }
        return $missing;
    }

    public function set(string $key, string $value): void
    {
        $this->call(fn () => $this->store->set($key, $value));
    }

    /** Stores a value if the present one is `$expected`; null: if the key does not exist. */
    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->call(fn (): bool => $this->store->replace($key, $expected, $value));
    }

    /** @param list<string> $keys */
    public function delete(array $keys): void
    {
        if ($keys !== []) {
            $this->call(fn () => $this->store->deleteMultiple($keys));
        }
    }

    /** Returns the head that is published under a key, or null. */
    public function head(string $key): ?Head
    {
        $bytes = $this->getOne($key);
        return $bytes === null ? null : Head::parseExactly($bytes);
    }

    /**
     * Returns the kind of the last record of the filter's journal, which says whether keys can be added: docs/format.md,
     * section 11.6.
     *
     * @return int 0: there is no record, or the store has no journals
     */
    private function journalKind(string $name): int
    {
        $store = $this->store;
        if (!$store instanceof JournalStore || $this->missing(["$name:journal"]) !== []) {
            return 0;
        }
        /** @var mixed $record a store may break its contract */
        $record = $this->call(fn (): array => $store->last("$name:journal"))[1] ?? null;
        if (!is_string($record)) {
            throw Failure::of(Status::StoreType, "$name:journal");
        }
        return strlen($record) < self::RECORD_BYTES_MIN ? 0 : Unpack::word(substr($record, 8, 4) . "\0\0\0\0");
    }

    /** Returns whether keys can be added to the filter's journal. */
    public function isJournalOpen(string $name): bool
    {
        return !in_array($this->journalKind($name), [0, self::RECORD_END], true);
    }

    /** Returns whether keys were added to the filter's journal since it was last begun, and it has not ended. */
    public function hasJournalKeys(string $name): bool
    {
        return !in_array($this->journalKind($name), [0, self::RECORD_END, self::RECORD_BEGIN], true);
    }

    /**
     * @template T
     *
     * @param callable(): T $call
     *
     * @return T
     */
    private function call(callable $call): mixed
    {
        try {
            return $call();
        } catch (StoreException $error) {
            throw $error;
        } catch (\Throwable $error) {
            $text = Sentences::ALL[Status::Store->value][1] . ': ' . $error::class;
            throw new StoreException($text . ($error->getMessage() === '' ? '' : ': ' . $error->getMessage()),
                Status::Store->value, $error);
        }
    }
}
