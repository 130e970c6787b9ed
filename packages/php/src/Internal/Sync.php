<?php

namespace Bloom\Internal;

use Bloom\Kind;
use Bloom\JournalStore;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;
use Bloom\SyncResult;

/**
 * Fetches the published version of a filter, and the keys that its journal has after the mark.
 *
 * @phpstan-import-type Current from FilterDirectory
 */
final class Sync
{
    private const ROUNDS_MAX = 3;

    private CheckedStore $store;

    /** @param (callable(int, int): mixed)|null $progress */
    public function __construct(
        private FilterDirectory $directory,
        private Store $own,
        private bool $isForced,
        private bool $isAlways,
        private mixed $progress,
        private SyncLog $log
    ) {
        $this->store = new CheckedStore($own);
    }

    /** Reads the journal of the served version, then looks for another version. */
    public function run(): SyncResult
    {
        $switched = false;
        try {
            $this->follow();
        } catch (StoreException $error) {
            // The journal may continue from the mark of the published version.
            $isLost = in_array($error->getCode(), [Status::JournalLost->value, Status::RecordsLost->value], true);
            $result = $isLost ? $this->fetch(true) : throw $error;
            return $result === SyncResult::Switched ? $result : throw $error;
        }
        return $this->fetch(false);
    }

    /** Adds the journal's new keys. */
    private function follow(): void
    {
        $current = $this->directory->current();
        $file = $current['journal'] ?? '';
        $path = $this->directory->file($file);
        $position = $file === '' ? '' : KeySet::read($path)->position ?? '';
        if ($position === '') {
            return;
        }
        $now = SyncState::now();
        $reader = new JournalReader($this->store, $this->own, $this->directory->name);
        $records = $reader->read(rtrim($position, JournalReader::LACKS), str_ends_with($position, JournalReader::LACKS));
        KeySet::change($path, static fn (KeySet $set): array => [null, $set->position === $position ? $records : '']);
        SyncState::reached($this->directory->syncFile, $file, $now);
    }

    /** @param bool $isAgain load the published version even if it is served, because its journal's position is gone */
    private function fetch(bool $isAgain): SyncResult
    {
        $tried = $incomplete = $error = null;
        for ($round = 1;; $round++) {
            $head = $this->store->published($this->directory->name) ?? throw Failure::of(Status::StoreMissing, $this->directory->name);
            $page = $this->directory->page();
            $current = $this->directory->current();
            $served = $current !== null && $current['isBlob'] ? $this->directory->answers($current) : null;
            $isDamaged = $this->isForced && $current !== null && !$this->directory->isIntact($current);
            if ($served?->head->bytes === $head->bytes && !$isDamaged && !$isAgain) {
                return SyncResult::Current;
            }
            if ($error !== null && $incomplete === $head->bytes) {
                throw $error; // it lacks a chunk, and it has not been replaced
            }
            $version = bin2hex(substr($head->bytes, -8));
            if ($tried !== $version) {
                if (!$this->isAlways && SyncState::isPaused($this->directory->syncFile, $version)) {
                    return SyncResult::Paused;
                }
                SyncState::beginLoad($this->directory->syncFile, $tried = $version);
            }
            $this->check($head, $current, $served?->head);
            $error = Failure::of(Status::Overtaken, $this->directory->name);
            try {
                if ($this->load($head, $current, $served, $page)) {
                    return SyncResult::Switched;
                }
            } catch (StoreException $error) {
                // A publisher may have replaced the version and deleted its chunks.
                if ($error->getCode() !== Status::StoreMissing->value) {
                    throw $error;
                }
                $incomplete = $head->bytes;
            }
            if ($round === self::ROUNDS_MAX) {
                throw $error;
            }
        }
    }

    /** @param Current|null $current */
    private function check(Head $head, ?array $current, ?Head $served): void
    {
        $isIndex = $head->geometry->groups !== 0;
        $isLoaded = $current !== null && $current['kind'] === Kind::Loaded->value;
        if ($current !== null && (!$current['isBlob'] || ($isLoaded && $current['isIndex'] !== $isIndex))) {
            throw Load::wrongKind($this->directory->name, $current, Load::text(Kind::Loaded, $isIndex));
        }
        if ($served !== null && !$this->isForced && $head->builtMs < $served->builtMs
            && $served->builtMs <= Clock::milliseconds() + Head::AHEAD_MS_MAX) {
            throw Failure::of(Status::Stale, $this->directory->name);
        }
        Segment::reserve($this->directory->name, $head->fileBytes);
    }

    /**
     * @param Current|null $current
     * @param resource $page
     */
    private function load(Head $head, ?array $current, ?Answers $served, $page): bool
    {
        $usable = $current !== null && $this->directory->isIntact($current) ? $served : null;
        $body = Fetch::body($this->store, $this->directory->name, $head, $usable?->body() ?? '', $usable?->head, $this->progress,
            $this->log->bytesFetched);
        $head->verify($body);
        $now = SyncState::now();
        $added = $head->mark === '' ? null
            : self::added($this->directory, $this->own instanceof JournalStore ? $this->own : null, $head, $current);
        $load = new Load($this->directory, $head, $body, $added, $current['memory'] ?? 0);
        $loaded = $load->run($current['file'] ?? '', $this->isForced, $page);
        if ($loaded === null) {
            return false;
        }
        if ($loaded['journal'] !== null) {
            SyncState::reached($this->directory->syncFile, $loaded['journal'], $now);
        }
        $this->log->switched = ['generation' => $loaded['generation'], 'from' => $current['generation'] ?? null, 'keys' => $head->keys];
        return true;
    }

    /**
     * Returns the records of the keys that a journal has after a blob's mark. If the journal has lost the position up to
     * which the served version has its keys, these are kept: the blob may lack them.
     *
     * @param Current|null $current
     */
    public static function added(FilterDirectory $directory, ?JournalStore $journal, Head $head, ?array $current): string
    {
        if ($journal === null) {
            throw Failure::of(Status::NoJournal, $directory->name);
        }
        $store = new CheckedStore($journal);
        $reader = new JournalReader($store, $journal, $directory->name);
        $records = $reader->read($head->mark);
        $served = $current === null || $current['journal'] === null ? null : KeySet::read($directory->file($current['journal']));
        if ($served !== null && !$reader->has($served->position)) {
            foreach ($served->keys() as $key) {
                $records .= KeySet::record($key);
            }
        }
        return $records;
    }
}
