<?php

namespace Bloom\Internal;

use Bloom\JournalStore;
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
        return self::strings(array_filter(array_intersect_key($values, array_flip($keys)),
            static fn (mixed $value): bool => $value !== null));
    }

    public function getOne(string $key): ?string
    {
        return $this->get([$key])[$key] ?? null;
    }

    /**
     * Checks the types of values, because a store may break its contract.
     *
     * @param array<mixed> $values
     *
     * @return array<string, string>
     */
    private static function strings(array $values, string $what = ''): array
    {
        foreach ($values as $key => $value) {
            if (!is_string($value)) {
                throw Failure::of(Status::StoreType, $what === '' ? (string) $key : $what);
            }
        }
        /** @var array<string, string> */
        return $values;
    }

    /**
     * @param list<string> $keys
     *
     * @return list<string>
     */
    public function missing(array $keys): array
    {
        return array_values(self::strings($this->call(fn (): array => $this->store->missing($keys)), 'missing()'));
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
        $this->call(fn () => $this->store->deleteMultiple($keys));
    }

    /**
     * Returns the published head, or null.
     *
     * @phpstan-impure
     */
    public function head(string $name): ?Head
    {
        $bytes = $this->getOne($name);
        return $bytes === null ? null : Head::parseExactly($bytes);
    }

    /** Returns the head that hosts are to serve, or null. Only the extension knows what a pin or a rollback asks for. */
    public function served(string $name): ?Head
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

    /**
     * @template T
     *
     * @param callable(JournalStore): T $call
     *
     * @return T
     */
    private function onJournal(string $journal, callable $call): mixed
    {
        $store = $this->store instanceof JournalStore ? $this->store
            : throw Failure::of(Status::NoJournal, substr($journal, 0, -strlen(':journal')));
        return $this->call(static fn (): mixed => $call($store));
    }

    /** @return array<array-key, string>|null the records after a position; null: the journal does not continue from it */
    public function read(string $journal, string $position, int $limit): ?array
    {
        $all = $this->onJournal($journal,
            static fn (JournalStore $store): array => $store->read([$journal => $position], $limit));
        return isset($all[$journal]) ? self::strings($all[$journal], $journal) : null;
    }

    /** @return array{string, string} the position of the journal's end, and the last record */
    public function last(string $journal): array
    {
        $last = $this->onJournal($journal, static fn (JournalStore $store): array => $store->last($journal));
        /** @var array<mixed> $last a store may break its contract */
        [$position, $record] = $last + [null, null];
        return is_string($position) && is_string($record) && Mark::pack($position) !== null ? [$position, $record]
            : throw Failure::of(Status::Position, $journal);
    }

    /** @param list<string> $records */
    public function append(string $journal, array $records): ?string
    {
        return $this->onJournal($journal,
            static fn (JournalStore $store): ?string => $store->append($journal, $records));
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
            throw Failure::ofStore($error);
        }
    }
}
