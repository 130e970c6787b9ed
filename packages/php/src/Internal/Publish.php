<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;

/**
 * Publishes a blob. The steps are those of section 6 of docs/format.md, which says why concurrent publishers
 * leave a complete version.
 */
final class Publish
{
    private const ROUNDS_MAX = 3;
    private const DECISIONS_MAX = 10;
    private const BATCH_BYTES = 4 << 20;

    private CheckedStore $store;
    private PublishLock $old;
    private int $chunksWritten = 0;
    private int $bytesWritten = 0;
    /** The head before this publish. */
    private ?string $first = null;

    /** @param (callable(int, int, string=): mixed)|null $progress */
    public function __construct(
        Store $store,
        private string $name,
        private Head $head,
        private string $body,
        ?callable $progress,
        private bool $isForced,
        private bool $endsJournal
    ) {
        $this->store = new CheckedStore($store);
        $this->old = new PublishLock($this->store, $name, $head, $progress);
    }

    /** @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string} */
    public function run(): array
    {
        $current = PublishLock::validHead($this->store, $this->name);
        if ($current?->bytes !== $this->head->bytes) {
            $this->checkJournal($current);
        }
        $this->first = $current?->bytes;
        for ($i = 0, $isWhole = false; !$isWhole && $i < self::ROUNDS_MAX; $i++) {
            $isWhole = $this->writeChunks(true);
            $this->isForced = false;
        }
        if (!$isWhole) {
            throw Failure::of(Status::StoreMissing, 'a chunk that was just written');
        }
        // If the version was already published, and nothing is left to delete, the store need not be writable.
        $isDone = $this->chunksWritten === 0 && $this->first === $this->head->bytes && $this->store->getOne("$this->name:collecting") === null;
        if ($isDone) {
            $this->refuseOverride();
        }
        for ($i = 0; !$isDone; $i++) {
            if ($i === self::DECISIONS_MAX) {
                throw Failure::of(Status::Overtaken, $this->name);
            }
            $this->old->lock();
            try {
                $isDone = $this->decide();
            } finally {
                $this->old->unlock();
            }
        }
        $this->old->report(strlen($this->body));
        return ['chunks' => $this->head->chunks(), 'chunksWritten' => $this->chunksWritten, 'bytesWritten' => $this->bytesWritten,
            'warning' => $this->old->warning];
    }

    /** Refuses a version without a mark while keys can be added, because hosts would not find them. */
    private function checkJournal(?Head $current): void
    {
        if ($this->head->mark === '' && $this->store->hasJournals()
            && (($current->mark ?? '') !== '' || $this->store->missing(["$this->name:journal"]) === [])) {
            throw $this->endsJournal ? Failure::needsExtension('the end of a journal') : Failure::of(Status::MarkRequired, $this->name);
        }
    }

    // ---- chunks ----

    private function chunk(int $chunk): string
    {
        return substr($this->body, $chunk * $this->head->chunkBytes, $this->head->chunkBytes);
    }

    /**
     * Writes the chunks that the store lacks, and reads back what it has written.
     *
     * @param bool $isProof read the chunks that the store has as well, and write those that are wrong
     *
     * @return bool false: the store did not have or keep a chunk
     */
    private function writeChunks(bool $isProof): bool
    {
        $isWhole = true;
        $count = max(1, min(CheckedStore::KEYS_MAX, intdiv(self::BATCH_BYTES, $this->head->chunkBytes)));
        foreach (array_chunk($this->head->chunkKeys($this->name), $count, true) as $keys) {
            // Equal chunks have the same key and are written only once.
            $wanted = array_flip(array_reverse($keys, true));
            if (!$isProof) {
                $wanted = array_intersect_key($wanted, $this->store->missing(array_values($keys)));
                $isWhole = $isWhole && $wanted === [];
            } elseif (!$this->isForced) {
                $wanted = $this->withoutPresent($wanted);
            }
            ksort($wanted);
            asort($wanted);
            foreach ($wanted as $key => $chunk) {
                $bytes = $this->chunk($chunk);
                $this->store->set($key, $bytes);
                $this->chunksWritten++;
                $this->bytesWritten += strlen($bytes);
                $this->old->report($chunk * $this->head->chunkBytes + strlen($bytes));
            }
            $found = $wanted === [] ? [] : $this->store->get(array_keys($wanted));
            foreach ($wanted as $key => $chunk) {
                if (!isset($found[$key])) {
                    $isWhole = false;
                } elseif ($found[$key] !== $this->chunk($chunk)) {
                    throw self::altered($key, $this->chunk($chunk), $found[$key]);
                }
            }
            if (array_key_last($keys) < $this->head->chunks() - 1 && $this->old->isHeld() && !$this->old->renew()) {
                return $isWhole;
            }
        }
        return $isWhole;
    }

    /**
     * @param array<string, int> $wanted
     *
     * @return array<string, int> those that the store does not have, or not with the right bytes
     */
    private function withoutPresent(array $wanted): array
    {
        try {
            $found = $this->store->get(array_keys($wanted));
        } catch (StoreException $error) {
            // A value that is too long or of a wrong type cannot be a chunk, so the whole batch is written again.
            return in_array($error->getCode(), [Status::StoreSize->value, Status::StoreType->value], true) ? $wanted : throw $error;
        }
        foreach ($found as $key => $value) {
            if ($value === $this->chunk($wanted[$key])) {
                unset($wanted[$key]);
            }
        }
        return $wanted;
    }

    private static function altered(string $key, string $bytes, string $found): \Throwable
    {
        // The first byte that is not zero in the exclusive or of both is the first one that differs.
        $same = strspn($bytes ^ $found, "\0");
        return Failure::of(Status::StoreAltered, sprintf('%s: stored %d bytes, read %d, which differ from byte %d on', $key,
            strlen($bytes), strlen($found), $same));
    }

    /** Writes the chunks that have disappeared, until the store has kept them all. A full store may evict them at once. */
    private function keepChunks(): void
    {
        for ($i = 0; $i <= self::ROUNDS_MAX; $i++) {
            if ($this->writeChunks(false)) {
                return;
            }
        }
        throw Failure::of(Status::StoreMissing, 'a chunk that was just written');
    }

    // ---- the heads ----

    /** Publishes the version with the lock held. Returns false if another process has changed something: look again. */
    private function decide(): bool
    {
        $this->refuseOverride();
        [$currentBytes, $current] = PublishLock::stored($this->store, $this->name);
        [$previousBytes, $previous] = PublishLock::stored($this->store, "$this->name:previous");
        if ($current !== null && $current->builtMs > $this->head->builtMs && $current->bytes !== $this->first) {
            // Hosts would refuse the older version.
            $this->old->add($this->head);
            $this->old->keep($current, $previous);
            if (!$this->old->renew()) {
                return false;
            }
            $this->old->collect();
            throw Failure::of(Status::Overtaken, "$this->name: a version that was built later is published");
        }
        $this->keepChunks();
        if (!$this->old->isHeld()) {
            return false; // The lock was lost before all chunks were found.
        }
        if ($currentBytes === $this->head->bytes) {
            // The version was already published.
            $this->old->keep($current, $previous);
            $this->old->collect();
            return true;
        }
        $this->checkJournal($current);
        // If this publish replaces no version, the previous version is still needed.
        $kept = $current;
        $dropped = $current === null ? null : $previous;
        if (!$this->stage()) {
            return false;
        }
        $this->old->add($dropped);
        $this->old->keep($kept ?? $previous, $this->head);
        if (!$this->old->renew()
            || ($kept !== null && $previousBytes !== $kept->bytes && !$this->store->replace("$this->name:previous", $previousBytes, $kept->bytes))
            || !$this->store->replace($this->name, $currentBytes, $this->head->bytes)) {
            return false;
        }
        $this->bytesWritten += $this->head->headBytes;
        // The process that has taken the lock over may have deleted chunks before it saw the new head.
        if (!$this->isHeldOrUnknown()) {
            $this->keepChunks();
        }
        $this->old->collect();
        $this->warnOfJournal();
        return true;
    }

    /**
     * Writes the head under another key and reads it back, so that a store that changes bytes never replaces a good head.
     * Returns false if another process has taken the lock over.
     */
    private function stage(): bool
    {
        $key = "$this->name:staged";
        [$found] = PublishLock::stored($this->store, $key);
        $this->old->hasStaged = true;
        $isDone = $this->store->replace($key, $found, $this->head->bytes);
        $found = $this->store->getOne($key);
        if ($isDone && $found === $this->head->bytes) {
            return true;
        }
        // A process that has taken the lock over may write there, too.
        if (!$this->old->renew()) {
            return false;
        }
        throw $found === null ? Failure::of(Status::StoreMissing, $key) : self::altered($key, $this->head->bytes, $found);
    }

    /** Renews the lock once the version is published, when a failure of the store is only a warning. */
    private function isHeldOrUnknown(): bool
    {
        try {
            return $this->old->renew();
        } catch (StoreException $error) {
            $this->old->warning = $error->getMessage();
            return true;
        }
    }

    /** Only the extension knows which chunks a pin or a rollback needs. */
    private function refuseOverride(): void
    {
        if ($this->store->getOne("$this->name:override") !== null) {
            throw Failure::needsExtension("$this->name: a filter that is pinned or rolled back");
        }
    }

    private function isJournalOpen(): bool
    {
        return $this->store->hasJournals() && $this->store->missing(["$this->name:journal"]) === []
            && JournalWriter::isOpen($this->store->last("$this->name:journal")[1]);
    }

    /** Tells hosts that follow the journal, or says that they do not find keys, because it was begun after it was checked. */
    private function warnOfJournal(): void
    {
        try {
            if ($this->head->mark !== '') {
                (new JournalWriter($this->store, $this->name))->notice($this->head);
            } elseif ($this->isJournalOpen()) {
                $this->old->warning = "a mark of $this->name was taken, or a key was added, during this publish: hosts do not find the keys "
                    . 'that were added since until a version with a mark is published'
                    . ($this->old->warning === null ? '' : "; {$this->old->warning}");
            }
        } catch (BloomException $error) {
            $this->old->warning ??= $error->getMessage(); // The version is already published.
        }
    }
}
