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

    private Shop $shop;
    private Collecting $old;
    private int $chunksWritten = 0;
    private int $bytesWritten = 0;

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
        $current = $this->prepare();
        $old = $override = null;
        if ($current?->bytes !== $this->head->bytes) {
            $this->checkJournal($current);
            $override = Override::find($this->shop, $this->name);
            [$current, $old] = $this->setHeads($current, $override);
            $this->settle($current);
            $this->endRollback($override);
        } else {
            // The version was already published, but the store may have lost chunks.
            if ($this->chunksWritten > 0) {
                $this->settle($current);
            }
            $override = Override::find($this->shop, $this->name);
        }
        // If this publish replaced no version, the previous version is still needed.
        $this->old->collect($current !== null ? $old : null);
        $this->warnOfOverride($override);
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

    /**
     * Writes the chunks, and returns the current head. Writing may take minutes. Chunks that another publisher deletes
     * meanwhile are written again before a reader can see the new head.
     */
    private function prepare(): ?Head
    {
        $current = Collecting::validHead($this->shop, $this->name);
        if ($current?->bytes !== $this->head->bytes) {
            $this->checkJournal($current);
        }
        for ($i = 0, $isSame = false; !$isSame && $i < self::ROUNDS_MAX; $i++) {
            $this->old->hasWaited = false;
            $this->writeChunks();
            $this->old->wait();
            $before = $current?->bytes;
            $current = Collecting::validHead($this->shop, $this->name);
            $isSame = $current?->bytes === $before && !$this->old->hasWaited;
        }
        return $current;
    }

    private function writeChunks(): void
    {
        foreach (array_chunk($this->head->chunkKeys($this->name), Shop::KEYS_MAX, true) as $keys) {
            $wanted = $this->isForced ? array_flip($keys) : $this->shop->missing(array_values($keys));
            foreach ($keys as $chunk => $key) {
                if (!isset($wanted[$key])) {
                    continue;
                }
                // Equal chunks have the same key and are written only once.
                unset($wanted[$key]);
                $at = $chunk * $this->head->chunkBytes;
                $bytes = substr($this->body, $at, $this->head->chunkBytes);
                $this->shop->set($key, $bytes);
                $this->chunksWritten++;
                $this->bytesWritten += strlen($bytes);
                $this->old->report($at + strlen($bytes));
            }
        }
        $this->isForced = false;
    }

    /** Deletes a rollback that the new version has ended, unless another process has replaced it. */
    private function endRollback(?Override $override): void
    {
        if ($override === null || $override->kind !== Override::ROLLBACK || $override->applies($this->head)) {
            return;
        }
        try {
            if (Override::find($this->shop, $this->name)?->bytes === $override->bytes) {
                $this->shop->delete(["$this->name:override"]);
                $this->old->superseded = $override->head;
            }
        } catch (StoreException $error) {
            $this->old->warning = $error->getMessage();
        }
    }

    /** Says that hosts do not serve this version, because the filter is pinned or this version was rolled back. */
    private function warnOfOverride(?Override $override): void
    {
        if ($override !== null && $override->applies($this->head) && $override->head->checksum() !== $this->head->checksum()) {
            $state = $override->kind === Override::PIN ? 'is pinned' : 'was rolled back';
            $text = "hosts do not serve this version, because $this->name $state to version {$override->head->checksum()}: unpin it";
            $this->old->warning = $text . ($this->old->warning === null ? '' : '; ' . $this->old->warning);
        }
    }

    /**
     * Keeps the head that hosts serve as the previous one, and makes the new one visible. If another publisher has set a
     * head in the meantime, that head is the one to keep, because no other publisher would know of its chunks.
     *
     * @return array{?Head, ?Head} the head that was replaced, and that of the version to delete
     */
    private function setHeads(?Head $current, ?Override $override): array
    {
        $old = null;
        for ($i = 0, $isSame = false; !$isSame && $i < self::ROUNDS_MAX; $i++) {
            $old = Collecting::validHead($this->shop, "$this->name:previous");
            $kept = $current;
            if ($override !== null && $override->kind === Override::ROLLBACK && $override->isInForce($this->name, $current)) {
                // The version that hosts serve is the previous one, and the one that was rolled back is deleted.
                [$kept, $old] = [$override->head, $current];
            }
            if ($kept !== null) {
                $this->shop->set("$this->name:previous", $kept->bytes);
            }
            $before = $current?->bytes;
            $current = Collecting::validHead($this->shop, $this->name);
            $isSame = $current?->bytes === $before;
        }
        $this->bytesWritten += $this->head->headBytes;
        $this->old->hasSetHead = true;
        $this->old->replaced = $current;
        $this->shop->set($this->name, $this->head->bytes);
        return [$current, $old];
    }

    /**
     * Writes the chunks that have disappeared, until the store has kept them all. A full store may evict them at once,
     * and then no host can load the version.
     */
    private function settle(?Head $before): void
    {
        for ($i = 0; $i < self::ROUNDS_MAX; $i++) {
            $written = $this->chunksWritten;
            $this->old->wait();
            $this->writeChunks();
            if ($this->chunksWritten === $written) {
                return;
            }
            $now = Collecting::validHead($this->shop, $this->name)?->bytes;
            if ($now !== null && $now !== $this->head->bytes && $now !== $before?->bytes) {
                return; // Another publisher has replaced this version.
            }
        }
        if ($this->shop->missing($this->head->chunkKeys($this->name)) !== []) {
            throw Failure::of(Status::StoreMissing, 'a chunk that was just written');
        }
    }
}
