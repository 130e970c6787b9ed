<?php

namespace Bloom\Internal;

use Bloom\JournalStore;
use Bloom\MemcachedStore;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;

/** Calls a store, checks its answers, and wraps its exceptions. */
final class CheckedStore
{
    public const KEYS_MAX = 1000;

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

    /** Returns a value, or null if there is none or it is too long. */
    public function readable(string $key): ?string
    {
        try {
            return $this->getOne($key);
        } catch (StoreException $error) {
            return $error->getCode() === Status::StoreSize->value ? null : throw $error;
        }
    }

    /**
     * Returns a value that this process is about to replace. A value that is too long cannot be compared with, so it is
     * deleted: the caller holds the publishers' lock or takes it.
     */
    public function replaceable(string $key): ?string
    {
        try {
            return $this->getOne($key);
        } catch (StoreException $error) {
            $error->getCode() === Status::StoreSize->value ? $this->delete([$key]) : throw $error;
            return null;
        }
    }

    public function valueBytesMax(): int
    {
        return $this->store instanceof MemcachedStore ? (1 << 20) - 512 : PHP_INT_MAX;
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

    /** Returns the head that hosts are to serve, or null. Only the extension knows what else a pin or a rollback may ask for. */
    public function published(string $name): ?Head
    {
        $values = $this->get(["$name:override", $name]);
        if (isset($values[$name], $values["$name:override"])) {
            throw Failure::needsExtension("$name: a filter that is pinned or rolled back");
        }
        return isset($values[$name]) ? Head::parseExactly($values[$name]) : null;
    }

    // ---- journals ----

    public function hasJournals(): bool
    {
        return $this->store instanceof JournalStore;
    }

    private function journals(string $journal): JournalStore
    {
        return $this->store instanceof JournalStore ? $this->store : throw Failure::of(Status::NoJournal, substr($journal, 0, -8));
    }

    /**
     * Returns the records after a position, by the position of their end; null: the journal does not continue from it.
     *
     * @return array<array-key, string>|null
     */
    public function read(string $journal, string $position, int $limit): ?array
    {
        $store = $this->journals($journal);
        /** @var mixed $records a store may break its contract */
        $records = $this->call(fn (): array => $store->read([$journal => $position], $limit))[$journal] ?? null;
        if ($records !== null && (!is_array($records) || array_filter($records, static fn (mixed $record): bool => !is_string($record)) !== [])) {
            throw Failure::of(Status::StoreType, $journal);
        }
        /** @var array<array-key, string>|null */
        return $records;
    }

    /** @return array{string, string} the position of the journal's end, and the last record */
    public function last(string $journal): array
    {
        $store = $this->journals($journal);
        /** @var array<mixed> $last a store may break its contract */
        $last = $this->call(fn (): array => $store->last($journal));
        [$position, $record] = $last + [null, null];
        return is_string($position) && is_string($record) && Mark::pack($position) !== null ? [$position, $record]
            : throw Failure::of(Status::Position, $journal);
    }

    /** @param list<string> $records */
    public function append(string $journal, array $records): ?string
    {
        $store = $this->journals($journal);
        return $this->call(fn (): ?string => $store->append($journal, $records));
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
