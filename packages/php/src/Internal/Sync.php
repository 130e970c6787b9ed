<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Kind;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;
use Bloom\SyncResult;

/**
 * Fetches the published version of a filter, and the keys that its journal has after the mark. The file `tried` notes
 * when this was last tried, and why it failed: in both cases, the next sync waits for as long.
 *
 * @phpstan-import-type Current from FilterDirectory
 */
final class Sync
{
    private CheckedStore $store;
    /** @var (callable(string, string, array<string, mixed>): mixed)|null */
    private mixed $log = null;

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
        if (is_object($logger) && method_exists($logger, 'log')
            && (new \ReflectionMethod($logger, 'log'))->isPublic()) {
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
        if (!$this->isDue($ttlMs)) {
            return SyncResult::NotDue;
        }
        $file = $this->directory->open('syncing');
        try {
            if (!flock($file, LOCK_EX | LOCK_NB)) {
                return SyncResult::Busy;
            }
            if (!$this->isDue($ttlMs)) { // Another process may have synced since.
                return SyncResult::NotDue;
            }
            $failures = self::info($this->directory)['syncFailuresInRow'];
            $this->directory->store('tried', (string) System::monotonic());
            $this->directory->limitLag($this->maxLag);
            $switched = $this->sync();
        } catch (\Throwable $error) {
            $status = Status::tryFrom($error instanceof BloomException ? $error->getCode() : 0) ?? Status::Store;
            $failed = [System::monotonic(), ($failures ?? 0) + 1, substr($error->getMessage(), 0, 250)];
            $this->directory->store('tried', implode(' ', $failed));
            $this->event('error', 'failed', '{name}: the sync failed: {error}',
                ['status' => $status->name, 'error' => $error->getMessage(), 'exception' => $error]);
            throw $error;
        } finally {
            fclose($file);
        }
        if ($switched === null) {
            return SyncResult::Current;
        }
        $this->event('info', 'switched', '{name}: switched to generation {generation}', $switched);
        return SyncResult::Switched;
    }

    /** @param array<string, mixed> $context */
    private function event(string $level, string $event, string $message, array $context): void
    {
        if ($this->log !== null) {
            ($this->log)($level, $message, ['event' => $event, 'name' => $this->directory->name] + $context);
        }
    }

    /** @phpstan-impure */
    private function isDue(int $ttlMs): bool
    {
        $tried = (int) FilterDirectory::read($this->directory->file('tried'));
        $now = System::monotonic();
        // The monotonic clock starts again at a reboot.
        return $this->isForced || $tried > $now || $now - $tried >= $ttlMs || $this->directory->current() === null;
    }

    /** @return array{syncFailuresInRow: int, lastError: string|null} */
    public static function info(FilterDirectory $directory): array
    {
        $tried = explode(' ', FilterDirectory::read($directory->file('tried')) ?? '', 3);
        return ['syncFailuresInRow' => (int) ($tried[1] ?? 0), 'lastError' => $tried[2] ?? null];
    }

    /**
     * Reads the journal of the served version, then looks for another version.
     *
     * @return array<string, mixed>|null what the logger is told about a switch; null: there was none
     */
    private function sync(): ?array
    {
        try {
            $this->follow();
        } catch (StoreException $error) {
            // The journal may continue from the mark of the published version, even if it is served.
            $isLost = in_array($error->getCode(), [Status::JournalLost->value, Status::RecordsLost->value], true);
            return $isLost ? $this->fetch(true) ?? throw $error : throw $error;
        }
        return $this->fetch($this->isForced);
    }

    /** Adds the journal's new keys. */
    private function follow(): void
    {
        $keys = $this->directory->current()['keys'] ?? null;
        $path = $this->directory->file((string) $keys);
        $set = $keys === null ? null : KeySet::read($path);
        $position = $set->position ?? '';
        if ($set !== null && $position !== '') {
            $reader = new JournalReader($this->store, $this->directory->name, $position, $set->lacksKeys);
            $told = $this->tellStrayed($set);
            if ($told !== '') {
                $reader->read();
            }
            // Another process may have read on meanwhile.
            KeySet::change($path, static fn (KeySet $set): array
                => [null, ($set->position === $position ? $reader->records() : '') . $told]);
        }
    }

    /**
     * Tells other hosts of keys that this host has added to another journal, which the store had for a while. Returns the
     * records for the set. If the store fails, a later sync tells them.
     */
    private function tellStrayed(KeySet $set): string
    {
        if ($set->strayed === []) {
            return '';
        }
        try {
            $end = (new JournalWriter($this->store, $this->directory->name))->strayed(end($set->strayed)) ?? '';
        } catch (StoreException) {
            return '';
        }
        return JournalReader::epoch($end) === JournalReader::epoch($set->position)
            ? implode('', array_map([KeySet::class, 'told'], $set->strayed)) : '';
    }

    /**
     * @param bool $isAgain load the version even if it is served
     *
     * @return array<string, mixed>|null
     */
    private function fetch(bool $isAgain): ?array
    {
        $name = $this->directory->name;
        $current = null;
        $blob = Fetch::version($this->store, $name, function () use ($name, $isAgain, &$current): ?Head {
            $head = $this->store->served($name) ?? throw Failure::of(Status::StoreMissing, $name);
            $current = $this->directory->current();
            $served = $current === null ? null : $this->directory->answers($current)?->head;
            if (!$isAgain && $served?->bytes === $head->bytes) {
                return null;
            }
            $isWhole = ($current['kind'] ?? '') !== Kind::OnDemand->value;
            $kind = $isWhole ? $head->kind() : Kind::OnDemand;
            $this->directory->check($current, $head, $kind->value, $this->older(), $name);
            return $head;
        }, $this->progress);
        if ($blob === null) {
            return null;
        }
        $journal = $blob->head->mark === '' ? null : new JournalReader($this->store, $name, $blob->head->mark);
        $loaded = $this->directory->load($blob, $journal, $this->maxLag, $current['memory'] ?? 0, $this->older());
        return ['generation' => $loaded['generation'], 'from' => $current['generation'] ?? null,
            'keys' => $blob->head->keys,
            'bytesFetched' => strlen($blob->body)];
    }

    private function older(): ?Status
    {
        return $this->isForced ? null : Status::Stale;
    }
}
