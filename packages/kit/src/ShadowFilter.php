<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\Filter;
use Bloom\Journal;
use Bloom\JournalStore;
use Bloom\Membership;
use Bloom\Store;
use Psr\Log\LoggerInterface;

/**
 * Checks a filter against the database before you trust it. It answers "maybe" although the filter denies a key, and
 * compares what the application then finds:
 *
 *     lookup ─► the filter says "maybe" ────────────────────────────► "maybe"
 *             └ the filter says "no" ─► share of these, remembered ─► "maybe" ─► database ─► confirm()
 *                                     └ the others ─────────────────► "no"
 *
 * A key that exists although the filter denies it is logged as an error and counted for health(), the metrics and the
 * status page. The key may have been added while the database was asked, so the filter is asked again before that.
 */
final class ShadowFilter implements Membership
{
    /** No more are remembered, in case that the application never calls confirm(). */
    private const DENIED_MAX = 10_000;
    private const KEYS_LOGGED = 5;

    /** @var array<array-key, true> keys that the filter denied, but that the application looks up */
    private array $denied = [];
    private bool $isReported = false;

    /**
     * @param float $share of the "no" answers that are checked, from 0 to 1. 1: the application looks up every key
     * @param (\Closure(): Store)|null $journal the store that has the filter's journal, if there is one. Before a key is reported, the new keys
     *        of the journal are read, because another host may have added it a moment ago
     * @param Fold|null $fold the fold of $filter; null: none
     */
    public function __construct(
        private readonly string $name,
        private readonly HostMembership $filter,
        private readonly ?LoggerInterface $logger = null,
        private readonly float $share = 1.0,
        private readonly ?\Closure $journal = null,
        private readonly ?Fold $fold = null,
    ) {
    }

    /**
     * Calls a function that looks a key up in the database, unless the key is definitely not there, and compares the result.
     *
     * @template TKey of string|int
     * @template T
     *
     * @param TKey $key
     * @param callable(TKey): T $find returns null, false or [] if the key does not exist
     *
     * @return T|null what the function returned; null: it was not called
     */
    public function lookup(string|int $key, callable $find): mixed
    {
        if (!$this->mightContain($key)) {
            return null;
        }
        $found = $find($key);
        $this->confirm([$key], $found === null || $found === false || $found === [] ? [] : [$key]);
        return $found;
    }

    /** @param string|int $key any other type throws TypeError */
    public function mightContain(mixed $key): bool
    {
        return $this->filter->mightContain($key) || $this->isChecked($key);
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     *
     * @psalm-suppress InvalidArgument, PossiblyInvalidArgument, MixedReturnTypeCoercion conditional types
     */
    public function candidates(iterable $keys): array
    {
        $isArray = is_array($keys);
        $keys = $isArray ? $keys : iterator_to_array($keys, false);
        $candidates = $this->filter->candidates($keys);
        if ($this->share > 0) {
            $candidates += array_filter(array_diff_key($keys, $candidates), $this->isChecked(...));
            $candidates = array_intersect_key($keys, $candidates); // in the order of $keys
        }
        return $isArray ? $candidates : array_values($candidates);
    }

    /**
     * Tells what the application has found.
     *
     * @param array<string|int> $looked the keys that it looked up: what candidates() returned, or a part of it
     * @param array<string|int> $found those of them that exist, written as in $looked or, with a fold, as in the database
     */
    public function confirm(array $looked, array $found): void
    {
        $asked = array_flip($looked);
        $denied = array_intersect_key($this->denied, $asked);
        $this->denied = array_diff_key($this->denied, $denied);
        if ($this->fold !== null) {
            $rows = array_map($this->foldedOrSame(...), array_values($found));
            $sought = array_combine($looked, array_map($this->foldedOrSame(...), $looked));
            $found = [
                ...array_intersect_key(array_values($found), array_diff($rows, $sought)),
                ...array_keys(array_intersect($sought, $rows)),
            ];
        }
        $strange = array_diff($found, $looked);
        if ($strange !== []) {
            $this->report('warning', 'cannot be checked: the application found keys that it did not look up. Does the database'
                . ' ignore case?', $strange);
            return;
        }
        $found = array_flip($found);
        $doubtful = array_intersect_key($denied, $found);
        $wrong = $doubtful === [] ? [] : $this->stillDenied(array_keys($doubtful));
        $this->filter->confirm(
            count($asked) - count($denied),
            count($found) - count($doubtful),
            count($denied) - ($wrong === null ? count($doubtful) : 0),
            count($wrong ?? []),
        );
        if ($wrong !== null && $wrong !== []) {
            $this->report('error', 'denied keys that exist. Are all keys added, and written as in lookups?', $wrong);
        }
    }

    /** Call this method after each request of a process: it forgets what the request looked up, and can log again. */
    public function reset(): void
    {
        $this->denied = [];
        $this->isReported = false;
    }

    /** Returns what the filter should have for a row. A key that is not UTF-8 is always "maybe", so it is compared as it is. */
    private function foldedOrSame(string|int $key): string
    {
        try {
            return $this->fold?->key($key) ?? (string) $key;
        } catch (\ValueError) {
            return (string) $key;
        }
    }

    /** Returns whether the application is to look up a key that the filter denies. */
    private function isChecked(string|int $key): bool
    {
        $isChecked = $this->share >= 1 || random_int(0, PHP_INT_MAX - 1) < $this->share * PHP_INT_MAX;
        if ($isChecked && count($this->denied) < self::DENIED_MAX) {
            $this->denied[$key] = true;
        }
        return $isChecked;
    }

    /**
     * Returns the keys that the filter denies even with all keys of its journal. null: the journal could not be read.
     *
     * @param list<string|int> $keys
     *
     * @return array<string|int>|null
     */
    private function stillDenied(array $keys): ?array
    {
        try {
            if ($this->journal !== null && Filter::find($this->name)?->followsJournal() === true) {
                $store = ($this->journal)();
                if (!$store instanceof JournalStore || Journal::pull($store, [$this->name]) !== []) {
                    return null;
                }
            }
        } catch (\Throwable) { // the application's own store may throw anything
            return null;
        }
        return array_diff_key($keys, $this->filter->candidates($keys));
    }

    /** @param array<string|int> $keys */
    private function report(string $level, string $what, array $keys): void
    {
        if (!$this->isReported) {
            $this->isReported = true;
            $this->logger?->log($level, "The Bloom filter \"$this->name\" $what", [
                'filter' => $this->name,
                'keys' => array_slice(array_values($keys), 0, self::KEYS_LOGGED),
            ]);
        }
    }
}
