<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\FormatException;
use Bloom\SecretException;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;

/**
 * Publishes a blob, with the publishers' lock held all the time. The protocol of docs/dev/store.md says why
 * concurrent publishers leave a complete version, even if one of them loses the lock.
 *
 * A list of versions has each version once: its keys identify them, so + adds the versions that a list lacks.
 */
final class Publish
{
    private const ROUNDS_MAX = 10;
    private const BATCH_BYTES = 4 << 20;

    private CheckedStore $store;
    private PublishLock $lock;
    private Head $head;
    private int $chunksWritten = 0;
    private int $bytesWritten = 0;
    private bool $isSet = false;
    /** What was not done after the publish, and why. */
    private ?string $warning = null;

    /** @param (callable(int, int, string=): mixed)|null $progress */
    public function __construct(
        Store $store,
        private string $name,
        private Answers $blob,
        private mixed $progress,
        private bool $isForced,
        private bool $endsJournal,
        private int $retain
    ) {
        $this->store = new CheckedStore($store);
        $this->lock = new PublishLock($this->store, "$name:publisher");
        $this->head = $blob->head;
    }

    /** @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string} */
    public function run(): array
    {
        $first = $this->store->getOne($this->name);
        for ($round = 1; !$this->attempt($first); $round++) {
            if ($round === self::ROUNDS_MAX) {
                throw Failure::of(Status::Overtaken, $this->name);
            }
        }
        return [
            'chunks' => $this->head->chunks(),
            'chunksWritten' => $this->chunksWritten,
            'bytesWritten' => $this->bytesWritten,
            'warning' => $this->warning,
        ];
    }

    private function report(int $bytes, ?string $reason = null): void
    {
        if ($this->progress === null) {
            return;
        }
        // Functions of PHP refuse an argument that they do not know.
        $isInternal = $reason !== null && (new \ReflectionFunction(($this->progress)(...)))->isInternal();
        $more = $reason === null || $isInternal ? [] : [$reason];
        ($this->progress)($bytes, strlen($this->blob->body), ...$more);
    }

    /**
     * Publishes the version. Returns false if another process has changed something: look again.
     *
     * @param string|null $first the head before this publish
     */
    private function attempt(?string $first): bool
    {
        $this->lock->take(fn (string $why) => $this->report(0, $why));
        try {
            if ($this->store->getOne("$this->name:override") !== null) {
                throw Failure::needsExtension("$this->name: publishing while it is pinned or rolled back");
            }
            $value = $this->store->getOne($this->name);
            $list = $this->store->getOne("$this->name:versions");
            $current = self::parsed($value);
            $isCurrent = $value === $this->head->bytes;
            if ($this->isSet && !$isCurrent) {
                return true; // Another version has replaced it since.
            }
            if ($value !== $first && $current?->builtMs > $this->head->builtMs) {
                // Hosts would refuse this version, so its chunks are not needed.
                $needed = self::list($current) + self::parsedList($list);
                $this->afterwards(fn () => $this->deleteChunks(self::list($this->head), $needed));
                throw Failure::of(Status::Overtaken, "$this->name: a version that was built later is published");
            }
            $this->checkMark();
            if (!$isCurrent) {
                $this->checkJournal($current);
            }
            // The list has every version whose chunks may exist, so the next publisher finds those of a killed one.
            $earlier = ($isCurrent ? [] : self::list($current)) + self::parsedList($list);
            $isDone = $this->writeChunks()
                && $this->setEarlier($list, $earlier)
                && ($isCurrent || $this->setHead($value))
                // Whoever has taken the lock over may have deleted chunks of this version. If somebody without the
                // lock has replaced it, that version may need the chunks that would be deleted now.
                && $this->lock->renew() && $this->store->getOne($this->name) === $this->head->bytes;
            if ($isDone) {
                $this->afterwards($this->tellHosts(...));
                $this->afterwards(fn () => $this->deleteOld($earlier));
            }
            return $isDone;
        } finally {
            $this->lock->release();
        }
    }

    private function setHead(?string $before): bool
    {
        $this->isSet = $this->store->replace($this->name, $before, $this->head->bytes);
        $this->bytesWritten += $this->isSet ? $this->head->headBytes : 0;
        return $this->isSet;
    }

    /** Refuses a version that no host could load, because the journal does not continue from its mark. */
    private function checkMark(): void
    {
        if ($this->head->mark !== '' && $this->store->hasJournals()) {
            $this->store->read("$this->name:journal", JournalReader::withoutLink($this->head->mark), 1)
                ?? throw Failure::of(Status::JournalLost, $this->name);
        }
    }

    /** Refuses a version without a mark while keys can be added, because hosts would not find them. */
    private function checkJournal(?Head $current): void
    {
        if ($this->head->mark === '' && $this->store->hasJournals()
            && (($current->mark ?? '') !== '' || $this->store->missing(["$this->name:journal"]) === [])) {
            throw $this->endsJournal ? Failure::needsExtension('the end of a journal')
                : Failure::of(Status::MarkRequired, $this->name);
        }
    }

    // ---- chunks ----

    private function chunk(int $chunk): string
    {
        return substr($this->blob->body, $chunk * $this->head->chunkBytes, $this->head->chunkBytes);
    }

    /** Writes the chunks that the store lacks, and reads them back. Returns false if the lock was lost. */
    private function writeChunks(): bool
    {
        $count = max(1, min(CheckedStore::KEYS_MAX, intdiv(self::BATCH_BYTES, $this->head->chunkBytes)));
        foreach (array_chunk($this->head->chunkKeys($this->name), $count, true) as $keys) {
            $wanted = array_flip($keys); // Equal chunks have the same key.
            $found = $this->isForced ? [] : $this->store->get(array_keys($wanted));
            foreach ($wanted as $key => $chunk) {
                $bytes = $this->chunk($chunk);
                if (($found[$key] ?? null) === $bytes) {
                    unset($wanted[$key]);
                    continue;
                }
                $this->store->set($key, $bytes);
                $this->chunksWritten++;
                $this->bytesWritten += strlen($bytes);
            }
            $this->verify($wanted);
            $this->report(min(strlen($this->blob->body), (array_key_last($keys) + 1) * $this->head->chunkBytes));
            if (!$this->lock->renew()) {
                return false;
            }
        }
        $this->isForced = false;
        return true;
    }

    /** @param array<string, int> $chunks that were written, by key */
    private function verify(array $chunks): void
    {
        $found = $chunks === [] ? [] : $this->store->get(array_keys($chunks));
        foreach ($chunks as $key => $chunk) {
            $read = $found[$key] ?? throw Failure::of(Status::StoreMissing, 'a chunk that was just written');
            $bytes = $this->chunk($chunk);
            if ($read !== $bytes) {
                // The first byte that is not zero in the exclusive or of both is the first one that differs.
                throw Failure::of(Status::StoreAltered,
                    sprintf('%s: stored %d bytes, read %d, which differ from byte %d on',
                    $key, strlen($bytes), strlen($read), strspn($bytes ^ $read, "\0")));
            }
        }
    }

    // ---- versions ----

    /** @return array<string, Head> */
    private static function list(?Head ...$heads): array
    {
        $heads = array_filter($heads);
        return array_combine(array_map(static fn (Head $head): string => "{$head->checksum()} $head->headBytes",
            $heads), $heads);
    }

    /** A head that cannot be read is replaced like one that does not exist. */
    private static function parsed(?string $value): ?Head
    {
        try {
            return $value === null ? null : Head::parseExactly($value);
        } catch (FormatException | SecretException) {
            return null;
        }
    }

    /** @return array<string, Head> the versions before the first bytes that are no valid head */
    private static function parsedList(?string $value): array
    {
        $list = [];
        try {
            for ($at = 0; $at < strlen($value ?? ''); $at += $head->headBytes) {
                $head = Head::parse(substr((string) $value, $at));
                $list += self::list($head);
            }
        } catch (FormatException | SecretException) {
        }
        return $list;
    }

    /**
     * Replaces the list of earlier versions. Returns false if the store has a different one.
     *
     * @param array<string, Head> $list
     */
    private function setEarlier(?string $before, array $list): bool
    {
        $value = self::joined($list);
        return ($before ?? '') === $value || $this->store->replace("$this->name:versions", $before, $value);
    }

    /**
     * @param array<string, Head> $dropped
     * @param array<string, Head> $needed
     *
     * @return bool false: another process has taken the lock over, and may need the rest
     */
    private function deleteChunks(array $dropped, array $needed): bool
    {
        $unneeded = array_diff(array_unique($this->keysOf($dropped)), $this->keysOf($needed));
        foreach (array_chunk($unneeded, CheckedStore::KEYS_MAX) as $some) {
            if (!$this->lock->renew()) {
                return false;
            }
            $this->store->delete($some);
        }
        return true;
    }

    /**
     * @param array<string, Head> $list
     *
     * @return list<string> the keys of all chunks
     */
    private function keysOf(array $list): array
    {
        return array_merge(...array_map(fn (Head $head): array => $head->chunkKeys($this->name), array_values($list)));
    }

    /** @param array<string, Head> $list */
    private static function joined(array $list): string
    {
        return implode('', array_column($list, 'bytes'));
    }

    // ---- after the publish, when a failure of the store is only a warning ----

    /** @param callable(): mixed $work */
    private function afterwards(callable $work): void
    {
        try {
            $work();
        } catch (BloomException $error) {
            $this->warning ??= $error->getMessage();
        }
    }

    /** Tells hosts that follow the journal, or the caller that hosts do not find keys that were added meanwhile. */
    private function tellHosts(): void
    {
        if (!$this->store->hasJournals()) {
            return;
        }
        if ($this->head->mark !== '') {
            (new JournalWriter($this->store, $this->name))->notice($this->head);
        } elseif ($this->store->missing(["$this->name:journal"]) === []
            && JournalWriter::isOpen($this->store->last("$this->name:journal")[1])) {
            $this->warning = "a mark of $this->name was taken, or a key was added, during this publish: hosts do not find "
                . 'the keys that were added since until a version with a mark is published';
        }
    }

    /**
     * Deletes the chunks that only versions need which are no longer retained, and then takes these out of the list.
     *
     * @param array<string, Head> $earlier
     */
    private function deleteOld(array $earlier): void
    {
        $own = self::list($this->head);
        $dropped = array_slice(array_diff_key($earlier, $own), $this->retain - 1, null, true);
        // A process that has lost the lock may have put the new version there and be about to replace the head with it.
        $kept = array_diff_key($earlier, $dropped);
        try {
            if ($dropped !== [] && $this->deleteChunks($dropped, $kept + $own) && $this->lock->renew()) {
                $this->setEarlier(self::joined($earlier), $kept);
            }
        } catch (StoreException $error) {
            throw new StoreException(sprintf('the chunks of %d old version%s could not be deleted; the next publish tries again: %s',
                count($dropped), count($dropped) === 1 ? '' : 's', $error->getMessage()));
        }
    }
}
