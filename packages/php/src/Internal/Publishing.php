<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\JournalStore;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;

/**
 * Publishes a blob. The steps are those of section 6 of docs/format.md, which says why concurrent publishers
 * leave a complete version.
 *
 * @internal
 */
final class Publishing
{
    private const ROUNDS_MAX = 3;
    private const DECISIONS_MAX = 10;
    private const BATCH_BYTES = 4 << 20;

    private Shop $shop;
    private Collecting $old;
    private int $chunksWritten = 0;
    private int $bytesWritten = 0;
    /** The head before this publish. */
    private ?string $first = null;

    /** @param (callable(int, int, string=): mixed)|null $progress */
    public function __construct(
        private Store $store,
        private string $name,
        private Head $head,
        private string $body,
        ?callable $progress,
        private bool $isForced,
        private bool $endsJournal
    ) {
        $this->shop = new Shop($store);
        $this->old = new Collecting($this->shop, $name, $head, $progress);
    }

    /** @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string} */
    public function run(): array
    {
        $current = Collecting::validHead($this->shop, $this->name);
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
        $isDone = $this->chunksWritten === 0 && $this->first === $this->head->bytes && $this->shop->getOne("$this->name:collecting") === null;
        if ($isDone) {
            $this->warnOfOverride(Override::find($this->shop, $this->name));
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

    /**
     * Refuses a version without a mark if the filter has a journal, because hosts would not find the keys that are added.
     * Only the extension can look into the journal, so one that has ended counts, too.
     */
    private function checkJournal(?Head $current): void
    {
        $journal = "$this->name:journal";
        if ($this->head->mark !== '' || !$this->store instanceof JournalStore
            || (($current->mark ?? '') === '' && $this->shop->missing([$journal]) !== [])) {
            return;
        }
        throw $this->endsJournal ? new BloomException('Journals need the extension bloom') : Failure::of(Status::MarkRequired, $this->name);
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
        $count = max(1, min(Shop::KEYS_MAX, intdiv(self::BATCH_BYTES, $this->head->chunkBytes)));
        foreach (array_chunk($this->head->chunkKeys($this->name), $count, true) as $keys) {
            // Equal chunks have the same key and are written only once.
            $wanted = array_flip(array_reverse($keys, true));
            if (!$isProof) {
                $wanted = array_intersect_key($wanted, $this->shop->missing(array_values($keys)));
                $isWhole = $isWhole && $wanted === [];
            } elseif (!$this->isForced) {
                $wanted = $this->withoutPresent($wanted);
            }
            ksort($wanted);
            asort($wanted);
            foreach ($wanted as $key => $chunk) {
                $bytes = $this->chunk($chunk);
                $this->shop->set($key, $bytes);
                $this->chunksWritten++;
                $this->bytesWritten += strlen($bytes);
                $this->old->report($chunk * $this->head->chunkBytes + strlen($bytes));
            }
            $found = $wanted === [] ? [] : $this->shop->get(array_keys($wanted));
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
            $found = $this->shop->get(array_keys($wanted));
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
        $override = Override::find($this->shop, $this->name);
        [$currentBytes, $current] = Collecting::stored($this->shop, $this->name);
        [$previousBytes, $previous] = Collecting::stored($this->shop, "$this->name:previous");
        if ($current !== null && $current->builtMs > $this->head->builtMs && $current->bytes !== $this->first) {
            // Hosts would refuse the older version.
            $this->old->add($this->head);
            $this->old->keep($current, $previous, $override?->head);
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
            $this->old->keep($current, $previous, $override?->head);
            $this->old->collect();
            $this->warnOfOverride($override);
            return true;
        }
        $this->checkJournal($current);
        // If this publish replaces no version, the previous version is still needed.
        $kept = $current;
        $dropped = $current === null ? null : $previous;
        $isRollback = $override?->kind === Override::ROLLBACK;
        if ($override !== null && $isRollback && $override->isInForce($this->name, $current)) {
            // The version that hosts serve is the previous one, and the one that was rolled back is deleted.
            [$kept, $dropped] = [$override->head, $current];
        }
        $endsRollback = $override !== null && $isRollback && !$override->applies($this->head);
        if (!$this->stage()) {
            return false;
        }
        $this->old->add($dropped, $endsRollback ? $override->head : null);
        $this->old->keep($kept ?? $previous, $this->head);
        if (!$this->old->renew()
            || ($kept !== null && $previousBytes !== $kept->bytes && !$this->shop->replace("$this->name:previous", $previousBytes, $kept->bytes))
            || !$this->shop->replace($this->name, $currentBytes, $this->head->bytes)) {
            return false;
        }
        $this->bytesWritten += $this->head->headBytes;
        // The process that has taken the lock over may have deleted chunks before it saw the new head.
        if (!$this->isHeldOrUnknown()) {
            $this->keepChunks();
        }
        if (!$endsRollback || !$this->endRollback($override)) {
            $this->old->keep($override?->head);
        }
        $this->old->collect();
        $this->warnOfJournal();
        $this->warnOfOverride($override);
        return true;
    }

    /**
     * Writes the head under another key and reads it back, so that a store that changes bytes never replaces a good head.
     * Returns false if another process has taken the lock over.
     */
    private function stage(): bool
    {
        $key = "$this->name:staged";
        [$found] = Collecting::stored($this->shop, $key);
        $this->old->hasStaged = true;
        $isDone = $this->shop->replace($key, $found, $this->head->bytes);
        $found = $this->shop->getOne($key);
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

    /** Deletes a rollback that the new version has ended. Returns false if it is still there. */
    private function endRollback(Override $override): bool
    {
        try {
            if (Override::find($this->shop, $this->name)?->bytes === $override->bytes) {
                $this->shop->delete(["$this->name:override"]);
            }
            return true;
        } catch (StoreException $error) {
            $this->old->warning = $error->getMessage();
            return false;
        }
    }

    /** Says that hosts do not find keys, because the journal was begun after it was checked. */
    private function warnOfJournal(): void
    {
        try {
            if ($this->head->mark === '' && $this->shop->isJournalOpen($this->name)) {
                $this->warn("a mark of $this->name was taken, or a key was added, during this publish: hosts do not find the keys that "
                    . 'were added since until a version with a mark is published');
            }
        } catch (BloomException $error) {
            $this->old->warning ??= $error->getMessage(); // The version is already published.
        }
    }

    private function warn(string $text): void
    {
        $this->old->warning = $text . ($this->old->warning === null ? '' : '; ' . $this->old->warning);
    }

    /** Says that hosts do not serve this version, because the filter is pinned or this version was rolled back. */
    private function warnOfOverride(?Override $override): void
    {
        if ($override !== null && $override->applies($this->head) && $override->head->checksum() !== $this->head->checksum()) {
            $state = $override->kind === Override::PIN ? 'is pinned' : 'was rolled back';
            $this->warn("hosts do not serve this version, because $this->name $state to version {$override->head->checksum()}: unpin it");
        }
    }
}
