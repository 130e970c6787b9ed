<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\FormatException;
use Bloom\SecretException;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;

/**
 * Publishes a blob. The steps are those of section 6 of docs/format.md, which says why concurrent publishers leave a
 * complete version.
 *
 * A list of versions has each version once: its keys identify them, so + adds the versions that a list lacks.
 */
final class Publish
{
    private const ROUNDS_MAX = 3;
    private const DECISIONS_MAX = 10;
    private const BATCH_BYTES = 4 << 20;

    private CheckedStore $store;
    private PublishLock $lock;
    private int $chunksWritten = 0;
    private int $bytesWritten = 0;
    /** The head before this publish. */
    private ?string $first = null;
    /** Whether this publish has set the head. */
    private bool $isSet = false;
    /** Whether "<name>:staged" exists, or an earlier process may have left it. */
    private bool $hasStaged = false;
    /** What was not done after the publish, and why. */
    private ?string $warning = null;

    /** @param (callable(int, int, string=): mixed)|null $progress */
    public function __construct(
        Store $store,
        private string $name,
        private Head $head,
        private string $body,
        private mixed $progress,
        private bool $isForced,
        private bool $endsJournal,
        private int $retain
    ) {
        $this->store = new CheckedStore($store);
        $this->lock = new PublishLock($this->store, "$name:publisher");
    }

    /** @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string} */
    public function run(): array
    {
        $current = self::parsed($this->store->readable($this->name));
        $this->first = $current?->bytes;
        if ($this->first !== $this->head->bytes) {
            $this->checkJournal($current);
        }
        $this->writeUntilWhole(true, self::ROUNDS_MAX);
        // If the version was already published, and nothing is left to delete, the store need not be writable.
        $isDone = $this->chunksWritten === 0 && $this->first === $this->head->bytes
            && ($this->store->getOne("$this->name:publisher") ?? '') === ''
            && $this->divide(self::parsedList($this->store->readable("$this->name:versions")))[1] === [];
        if ($isDone) {
            $this->warnOfOverride(Override::find($this->store, $this->name));
        }
        for ($i = 0; !$isDone; $i++) {
            if ($i === self::DECISIONS_MAX) {
                throw Failure::of(Status::Overtaken, $this->name);
            }
            $wasTaken = $this->lock->take(fn (string $why) => $this->report(strlen($this->body), $why));
            $this->hasStaged = $this->hasStaged || $wasTaken;
            try {
                $isDone = $this->decide();
            } finally {
                $this->release();
            }
        }
        $this->report(strlen($this->body));
        return ['chunks' => $this->head->chunks(), 'chunksWritten' => $this->chunksWritten, 'bytesWritten' => $this->bytesWritten,
            'warning' => $this->warning];
    }

    private function report(int $bytes, ?string $reason = null): void
    {
        if ($this->progress === null) {
            return;
        }
        // Functions of PHP refuse an argument that they do not know.
        $isInternal = $reason !== null && (new \ReflectionFunction(($this->progress)(...)))->isInternal();
        ($this->progress)($bytes, strlen($this->body), ...($reason === null || $isInternal ? [] : [$reason]));
    }

    private function warn(string $text): void
    {
        $this->warning = $this->warning === null ? $text : "$text; $this->warning";
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
                $this->report($chunk * $this->head->chunkBytes + strlen($bytes));
            }
            $found = $wanted === [] ? [] : $this->store->get(array_keys($wanted));
            foreach ($wanted as $key => $chunk) {
                if (!isset($found[$key])) {
                    $isWhole = false;
                } elseif ($found[$key] !== $this->chunk($chunk)) {
                    throw self::altered($key, $this->chunk($chunk), $found[$key]);
                }
            }
            if (array_key_last($keys) < $this->head->chunks() - 1 && $this->lock->isHeld() && !$this->lock->renew()) {
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

    private function writeUntilWhole(bool $isProof, int $rounds): void
    {
        for ($isWhole = false; !$isWhole; $rounds--) {
            if ($rounds === 0) {
                throw Failure::of(Status::StoreMissing, 'a chunk that was just written');
            }
            $isWhole = $this->writeChunks($isProof);
            $this->isForced = false;
        }
    }

    /**
     * Deletes the chunks of versions, except for those that other versions need.
     *
     * @param array<string, Head> $unneeded
     * @param array<string, Head> $needed
     *
     * @return bool false: another process has taken the lock over, and may need the rest
     */
    private function deleteChunks(array $unneeded, array $needed): bool
    {
        $keys = fn (Head $head): array => $head->chunkKeys($this->name);
        $unneeded = array_merge(...array_values(array_map($keys, $unneeded)));
        $needed = array_merge(...array_values(array_map($keys, $needed)));
        foreach (array_chunk(array_keys(array_diff_key(array_flip($unneeded), array_flip($needed))), CheckedStore::KEYS_MAX) as $some) {
            if (!$this->lock->renew()) {
                return false;
            }
            $this->store->delete($some);
        }
        return true;
    }

    // ---- versions ----

    /** @return array<string, Head> */
    private static function list(?Head ...$heads): array
    {
        $heads = array_filter($heads);
        return array_combine(array_map(static fn (Head $head): string => $head->checksum() . " $head->headBytes", $heads), $heads);
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
     * @param array<string, Head> $earlier
     *
     * @return array{array<string, Head>, array<string, Head>} the versions to keep, and the others
     */
    private function divide(array $earlier): array
    {
        $dropped = array_slice(array_diff_key($earlier, self::list($this->head)), $this->retain - 1, null, true);
        // A process that has lost the lock may have put the new version there and be about to replace the head with its own.
        return [array_diff_key($earlier, $dropped), $dropped];
    }

    /** @param array<string, Head> $list */
    private static function joined(array $list): string
    {
        return implode('', array_map(static fn (Head $head): string => $head->bytes, $list));
    }

    /** Replaces the list of earlier versions, unless it has this value. Returns false if the store has a different list. */
    private function setEarlier(?string $before, string $value): bool
    {
        return ($before ?? '') === $value || $this->store->replace("$this->name:versions", $before, $value);
    }

    // ---- the decision ----

    /** Publishes the version with the lock held. Returns false if another process has changed something: look again. */
    private function decide(): bool
    {
        $override = Override::find($this->store, $this->name);
        $value = $this->store->replaceable($this->name);
        $before = $this->store->replaceable("$this->name:versions");
        $current = self::parsed($value);
        $earlier = self::parsedList($before);
        $needed = self::list($current, $override?->head);
        $isCurrent = $value === $this->head->bytes;
        if ($this->isSet && !$isCurrent) {
            return true; // Another version has replaced it since.
        }
        if ($current !== null && $current->builtMs > $this->head->builtMs && $current->bytes !== $this->first) {
            return $this->giveUp($needed + $earlier);
        }
        $this->writeUntilWhole(false, self::ROUNDS_MAX + 1);
        if (!$this->lock->isHeld()) {
            return false; // The lock was lost before all chunks were found.
        }
        // Hosts serve the override's version instead of one that was rolled back, which comes after all others.
        $isRolledBack = $override !== null && $current !== null && !$override->isPin && $override->appliesTo($current)
            && $override->isSigned($this->name);
        $endsRollback = $override !== null && !$override->isPin && !$override->appliesTo($this->head);
        $replaced = $isCurrent ? null : $current;
        $earlier = self::list($isRolledBack && !$isCurrent ? $override->head : $replaced) + $earlier
            + self::list($replaced, $endsRollback ? $override->head : null);
        $isDone = $isCurrent ? $this->setEarlier($before, self::joined($earlier)) : $this->replace($value, $current, $before, $earlier, $needed);
        if (!$isDone || !$this->isHeldOrUnknown()) {
            return false;
        }
        $override = $endsRollback && $this->endRollback($override) ? null : $override;
        $this->tellHosts($override !== null && $override->appliesTo($this->head) ? $override->head : $this->head);
        $this->deleteOld($earlier, self::list($override?->head));
        $this->warnOfOverride($override);
        return true;
    }

    /**
     * Deletes the chunks that only the new version has, because hosts would refuse it: a newer one is published.
     *
     * @param array<string, Head> $needed
     */
    private function giveUp(array $needed): bool
    {
        try {
            if (!$this->deleteChunks(self::list($this->head), $needed)) {
                return false;
            }
        } catch (StoreException) {
        }
        throw Failure::of(Status::Overtaken, "$this->name: a version that was built later is published");
    }

    /**
     * Sets the list of earlier versions and then the head. Returns false if another process has changed something.
     *
     * @param array<string, Head> $earlier
     * @param array<string, Head> $needed
     */
    private function replace(?string $value, ?Head $current, ?string $before, array &$earlier, array $needed): bool
    {
        $this->checkJournal($current);
        $isSet = $this->stage() && $this->makeRoom($earlier, $needed) && $this->lock->renew()
            && $this->setEarlier($before, self::joined($earlier))
            && $this->store->replace($this->name, $value, $this->head->bytes);
        $this->isSet = $this->isSet || $isSet;
        $this->bytesWritten += $isSet ? $this->head->headBytes : 0;
        return $isSet;
    }

    /**
     * Writes the head under another key and reads it back, so that a store that changes bytes never replaces a good head.
     * Returns false if another process has taken the lock over.
     */
    private function stage(): bool
    {
        $key = "$this->name:staged";
        $found = $this->store->replaceable($key);
        $this->hasStaged = true;
        $isDone = $this->store->replace($key, $found, $this->head->bytes);
        $found = $this->store->getOne($key);
        if ($isDone && $found === $this->head->bytes) {
            return true;
        }
        // A process that has taken the lock over may write there, too.
        if (!$this->lock->renew()) {
            return false;
        }
        throw $found === null ? Failure::of(Status::StoreMissing, $key) : self::altered($key, $this->head->bytes, $found);
    }

    /**
     * Removes the last versions from the list if its value would be too long for the store. Their chunks are deleted first,
     * because no value will contain them. Returns false if another process has taken the lock over.
     *
     * @param array<string, Head> $earlier
     * @param array<string, Head> $needed
     */
    private function makeRoom(array &$earlier, array $needed): bool
    {
        $all = $earlier;
        while (count($earlier) > 1 && strlen(self::joined($earlier)) > $this->store->valueBytesMax()) {
            array_pop($earlier);
        }
        $dropped = array_diff_key($all, $earlier);
        if ($dropped !== [] && count($earlier) + 1 < $this->retain) {
            $this->warning ??= sprintf('the store keeps only %d versions, because the heads of more do not fit into a value of %d bytes',
                count($earlier) + 1, $this->store->valueBytesMax());
        }
        return $this->deleteOrWarn($dropped, self::list($this->head) + $needed + $earlier, static fn (): bool => true);
    }

    // ---- after the publish, when a failure of the store is only a warning ----

    private function isHeldOrUnknown(): bool
    {
        try {
            return $this->lock->renew();
        } catch (StoreException $error) {
            $this->warning ??= $error->getMessage();
            return true;
        }
    }

    /** Deletes a rollback that the new version has ended. Returns false if it may still be there. */
    private function endRollback(Override $override): bool
    {
        try {
            if ($this->store->readable("$this->name:override") === $override->bytes) {
                $this->store->delete(["$this->name:override"]);
            }
            return true;
        } catch (StoreException $error) {
            $this->warning ??= $error->getMessage();
            return false;
        }
    }

    /**
     * Deletes the chunks of the versions that are not kept, and then takes these versions out of the list.
     *
     * @param array<string, Head> $earlier
     * @param array<string, Head> $needed
     */
    private function deleteOld(array $earlier, array $needed): void
    {
        [$retained, $dropped] = $this->divide($earlier);
        $this->deleteOrWarn($dropped, self::list($this->head) + $retained + $needed,
            fn (): bool => count($earlier) === count($retained)
                || ($this->lock->renew() && $this->setEarlier(self::joined($earlier), self::joined($retained))));
    }

    /**
     * @param array<string, Head> $dropped
     * @param array<string, Head> $needed
     * @param callable(): bool $next what to do once the chunks are deleted
     *
     * @return bool false: another process has taken the lock over
     */
    private function deleteOrWarn(array $dropped, array $needed, callable $next): bool
    {
        try {
            return $this->deleteChunks($dropped, $needed) && $next();
        } catch (StoreException $error) {
            $this->warning = $this->warning === $error->getMessage() ? null : $this->warning;
            $this->warn(sprintf('the chunks of %d old version%s could not be deleted; the next publish tries again: %s', count($dropped),
                count($dropped) === 1 ? '' : 's', $error->getMessage()));
            return true;
        }
    }

    /** Tells hosts that follow the journal, or says that they do not find keys, because it was begun after it was checked. */
    private function tellHosts(Head $served): void
    {
        try {
            if ($this->head->mark !== '' && $this->store->hasJournals()) {
                (new JournalWriter($this->store, $this->name))->notice($served);
            } elseif ($this->isSet && $this->store->hasJournals() && $this->store->missing(["$this->name:journal"]) === []
                && JournalWriter::isOpen($this->store->last("$this->name:journal")[1])) {
                $this->warn("a mark of $this->name was taken, or a key was added, during this publish: hosts do not find the keys that "
                    . 'were added since until a version with a mark is published');
            }
        } catch (BloomException $error) {
            $this->warning ??= $error->getMessage();
        }
    }

    private function warnOfOverride(?Override $override): void
    {
        if ($override !== null && $override->appliesTo($this->head) && $override->head->checksum() !== $this->head->checksum()) {
            $state = $override->isPin ? 'is pinned' : 'was rolled back';
            $this->warn("hosts do not serve this version, because $this->name $state to version {$override->head->checksum()}: unpin it");
        }
    }

    private function release(): void
    {
        try {
            if ($this->hasStaged && $this->lock->isHeld()) {
                $this->store->delete(["$this->name:staged"]);
                $this->hasStaged = false;
            }
        } catch (StoreException) {
            // The next publisher replaces it.
        }
        $this->lock->release();
    }
}
