<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\JournalStore;
use Bloom\Kind;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;
use Bloom\SyncResult;

/**
 * Fetches the published version of a filter, and the keys that its journal has after the mark. The file `sync` notes when
 * this was tried last.
 *
 * @phpstan-import-type Current from FilterDirectory
 * @phpstan-type State array{checkedMs: int, failedMs: int, failures: int, error: string|null, errorMs: int}
 */
final class Sync
{
    private const ROUNDS_MAX = 3;
    private const NONE = ['checkedMs' => 0, 'failedMs' => 0, 'failures' => 0, 'error' => null, 'errorMs' => 0];

    private CheckedStore $store;
    /** @var (callable(string, string, array<string, mixed>): mixed)|null */
    private mixed $log = null;
    private int $bytesFetched = 0;
    /** @var array<string, mixed> what the logger is told about a switch; empty: there was none */
    private array $switched = [];

    /**
     * @param (callable(int, int): mixed)|null $progress
     * @param (callable(string, string, array<string, mixed>): mixed)|object|null $logger
     */
    public function __construct(
        private FilterDirectory $directory,
        Store $store,
        private bool $isForced,
        private mixed $progress,
        private ?float $maxLag,
        object|callable|null $logger
    ) {
        $this->store = new CheckedStore($store);
        if (is_object($logger) && method_exists($logger, 'log') && (new \ReflectionMethod($logger, 'log'))->isPublic()) {
            $this->log = [$logger, 'log'];
        } elseif (is_callable($logger)) {
            $this->log = $logger;
        } elseif ($logger !== null) {
            throw new \TypeError('Bloom\Filter::sync(): Argument #7 ($logger) must be a PSR-3 logger '
                . '(an object with a public method log()), a callable or null, ' . get_debug_type($logger) . ' given');
        }
    }

    public function run(int $ttlMs): SyncResult
    {
        $began = hrtime(true);
        $failures = self::state($this->directory)['failures'];
        $thrown = null;
        try {
            $result = $this->once($this->isForced ? 0 : $ttlMs);
        } catch (\Throwable $thrown) {
            throw $thrown;
        } finally {
            // If the logger throws, too, PHP makes the sync's exception a previous one of the logger's.
            if ($thrown !== null) {
                $this->event('error', 'failed', '{name}: the sync failed: {error}', [
                    'status' => (Status::tryFrom($thrown instanceof BloomException ? $thrown->getCode() : 0) ?? Status::Store)->name,
                    'failures' => $failures + 1, 'error' => $thrown->getMessage(), 'exception' => $thrown]);
            }
        }
        if ($this->switched !== []) {
            $this->event('info', 'switched', '{name}: switched to generation {generation}',
                $this->switched + ['bytesFetched' => $this->bytesFetched, 'seconds' => (hrtime(true) - $began) / 1e9]);
        }
        if ($failures > 0 && in_array($result, [SyncResult::Switched, SyncResult::Current], true)) {
            $this->event('notice', 'recovered', '{name}: the sync recovered, failed attempts: {failures}',
                ['generation' => $this->directory->current()['generation'] ?? 0, 'failures' => $failures]);
        }
        return $result;
    }

    /** @param array<string, mixed> $context */
    private function event(string $level, string $event, string $message, array $context): void
    {
        if ($this->log !== null) {
            ($this->log)($level, $message, ['event' => $event, 'name' => $this->directory->name] + $context);
        }
    }

    // ---- when ----

    /** @return State */
    private static function state(FilterDirectory $directory): array
    {
        /** @var State|null $state */
        $state = json_decode(FilterDirectory::read($directory->file('sync')) ?? 'null', true);
        return ($state ?? []) + self::NONE;
    }

    /** Syncs if it is time, and no other process does, and notes the success or the failure. */
    private function once(int $ttlMs): SyncResult
    {
        $early = $this->early($ttlMs);
        if ($early !== null) {
            return $early;
        }
        $file = $this->directory->open('syncing');
        try {
            if (!flock($file, LOCK_EX | LOCK_NB)) {
                return SyncResult::Busy;
            }
            $early = $this->early($ttlMs); // Another process may have synced since.
            if ($early !== null) {
                return $early;
            }
            $this->directory->limitLag($this->maxLag);
            $result = $this->sync();
            $this->note(['checkedMs' => max(1, System::monotonic())] + self::NONE);
            return $result;
        } catch (\Throwable $error) {
            $this->note(['failedMs' => max(1, System::monotonic()), 'failures' => self::state($this->directory)['failures'] + 1,
                'error' => substr($error->getMessage(), 0, 250), 'errorMs' => System::milliseconds()] + self::state($this->directory));
            throw $error;
        } finally {
            fclose($file);
        }
    }

    /** @param array<string, mixed> $state */
    private function note(array $state): void
    {
        $this->directory->store('sync', json_encode($state, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR));
    }

    private function early(int $ttlMs): ?SyncResult
    {
        $state = self::state($this->directory);
        $now = System::monotonic();
        $isFailed = $state['failures'] > 0;
        [$last, $pause] = $isFailed ? [$state['failedMs'], min($ttlMs, 1000 << min(20, $state['failures'] - 1))] : [$state['checkedMs'], $ttlMs];
        $isDue = $last === 0 || $last > $now || $now - $last >= $pause || (!$isFailed && $this->directory->current() === null);
        return $isDue ? null : ($isFailed ? SyncResult::Paused : SyncResult::NotDue);
    }

    /** @return array<string, mixed> the properties of LoadedInfo */
    public static function info(FilterDirectory $directory): array
    {
        $state = self::state($directory);
        $at = $state['error'] === null ? null : $state['errorMs'] / 1000;
        $ago = System::monotonic() - $state['checkedMs'];
        return ['syncFailuresInRow' => $state['failures'], 'loadFailuresInRow' => $state['failures'], 'lastError' => $state['error'],
            'loadError' => $state['error'], 'lastErrorAt' => $at, 'loadErrorAt' => $at,
            'syncedSecondsAgo' => $state['checkedMs'] !== 0 && $ago >= 0 ? $ago / 1000 : null];
    }

    // ---- what ----

    /** Reads the journal of the served version, then looks for another version. */
    private function sync(): SyncResult
    {
        try {
            $this->follow();
        } catch (StoreException $error) {
            // The journal may continue from the mark of the published version, even if it is served.
            $isLost = in_array($error->getCode(), [Status::JournalLost->value, Status::RecordsLost->value], true);
            $result = $isLost ? $this->fetch(true) : throw $error;
            return $result === SyncResult::Switched ? $result : throw $error;
        }
        return $this->fetch(false);
    }

    /** Adds the journal's new keys. */
    private function follow(): void
    {
        $keys = $this->directory->current()['keys'] ?? null;
        $path = $this->directory->file((string) $keys);
        $set = $keys === null ? null : KeySet::read($path);
        $position = $set->position ?? '';
        if ($set !== null && $position !== '') {
            $records = (new JournalReader($this->store, $this->directory->name))->read($position, $set->lacksKeys);
            KeySet::change($path, static fn (KeySet $set): array => [null, $set->position === $position ? $records : '']);
        }
    }

    private function fetch(bool $isAgain): SyncResult
    {
        $name = $this->directory->name;
        $error = $incomplete = null;
        for ($round = 1;; $round++) {
            $head = $this->store->published($name) ?? throw Failure::of(Status::StoreMissing, $name);
            $current = $this->directory->current();
            $served = $current === null ? null : $this->directory->answers($current)?->head;
            if (!$isAgain && $served?->bytes === $head->bytes && (!$this->isForced || $this->isIntact($current))) {
                return SyncResult::Current;
            }
            if ($error !== null && $incomplete === $head->bytes) {
                throw $error; // It lacks a chunk, and it has not been replaced.
            }
            $this->check($head, $current, $served);
            try {
                if ($this->load($head, $current)) {
                    return SyncResult::Switched;
                }
                $error = Failure::of(Status::Overtaken, $name);
            } catch (StoreException $error) {
                // A publisher may have replaced the version and deleted its chunks.
                $incomplete = $error->getCode() === Status::StoreMissing->value ? $head->bytes : throw $error;
            }
            if ($round === self::ROUNDS_MAX) {
                throw $error;
            }
        }
    }

    /** @param Current|null $current */
    private function isIntact(?array $current): bool
    {
        try {
            \Bloom\Blob::open($this->directory->file((string) ($current['file'] ?? '')));
            return true;
        } catch (BloomException) {
            return false;
        }
    }

    /** @param Current|null $current */
    private function check(Head $head, ?array $current, ?Head $served): void
    {
        $isIndex = $head->geometry->groups !== 0;
        if ($current !== null && ($current['file'] === null || ($current['kind'] === Kind::Loaded->value && $current['isIndex'] !== $isIndex))) {
            throw FilterDirectory::wrongKind($this->directory->name, $current, FilterDirectory::text(Kind::Loaded, $isIndex));
        }
        if ($served !== null && !$this->isForced && $head->builtMs < $served->builtMs
            && $served->builtMs <= System::milliseconds() + Head::AHEAD_MS_MAX) {
            throw Failure::of(Status::Stale, $this->directory->name);
        }
    }

    /** @param Current|null $current */
    private function load(Head $head, ?array $current): bool
    {
        $body = Fetch::body($this->store, $this->directory->name, $head, $this->progress);
        $this->bytesFetched = strlen($body);
        $since = System::monotonic();
        $records = $head->mark === '' ? null : self::added($this->directory, $this->store, $head, $current);
        $loaded = $this->directory->load($head, $body, $records, $since, $this->maxLag, $current['memory'] ?? 0, $current['file'] ?? '', $this->isForced);
        if ($loaded !== null) {
            $this->switched = ['generation' => $loaded['generation'], 'from' => $current['generation'] ?? null, 'keys' => $head->keys];
        }
        return $loaded !== null;
    }

    /**
     * Returns the records of the keys that a journal has after a blob's mark. If the journal has lost the position up to
     * which the served keys were read, these are kept: the blob may lack them.
     *
     * @param Current|null $current
     */
    public static function added(FilterDirectory $directory, CheckedStore $store, Head $head, ?array $current): string
    {
        $reader = new JournalReader($store, $directory->name);
        $records = $reader->read($head->mark);
        $served = $current === null || $current['keys'] === null ? null
            : KeySet::read($directory->file($current['keys']));
        if ($served !== null && !$reader->has($served->position)) {
            $records .= implode('', array_map(KeySet::record(...), $served->keys()));
        }
        return $records;
    }
}
