<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Kind;
use Bloom\Status;
use Bloom\Store;
use Bloom\Version;

/**
 * Lists the versions in a store, and makes hosts serve an earlier one.
 *
 * @internal
 */
final class Versions
{
    private const BATCH_BYTES = 4 << 20;

    private Shop $shop;

    public function __construct(Store $store, private string $name)
    {
        $this->shop = new Shop($store);
    }

    /** @return list<Version> */
    public function list(bool $verify): array
    {
        $keys = ['current' => $this->name, 'previous' => "$this->name:previous", '' => "$this->name:override"];
        $heads = $errors = [];
        $override = null;
        $values = $this->shop->get(array_values($keys));
        foreach ($keys as $label => $key) {
            try {
                if ($label === '' && isset($values[$key])) {
                    $found = Override::parse($values[$key], $this->name);
                    $found->check($this->name);
                    $override = $found->applies($heads['current'] ?? null) ? $found : null;
                } elseif (isset($values[$key])) {
                    $heads[$label] = Head::parseExactly($values[$key]);
                }
            } catch (BloomException $error) {
                $errors[$label] = $error->getMessage();
            }
        }
        $checksums = array_map(fn (Head $head): string => $head->checksum(), $heads);
        if ($override !== null && !in_array($override->head->checksum(), $checksums, true)) {
            $heads[''] = $override->head;
        }
        // Whoever can write to the store could have made up the numbers of a version that the signing keys refuse.
        foreach ($heads as $label => $head) {
            try {
                Signature::check($head, $this->name);
            } catch (BloomException $error) {
                unset($heads[$label]);
                $errors[$label] = $error->getMessage();
            }
        }
        $versions = [];
        $here = $this->here();
        foreach (array_keys($keys) as $label) {
            if (isset($heads[$label])) {
                $versions[] = $this->version($label, $heads, $here, $override, $verify);
            } elseif (isset($errors[$label])) {
                $versions[] = Infos::make(Version::class, ['label' => $label ?: null, 'isServed' => false, 'checksum' => '', 'builtAt' => 0.0,
                    'keys' => 0, 'bytes' => 0, 'falsePositiveRate' => 0.0, 'seed' => 0, 'shards' => 0, 'shardBytes' => 0, 'chunks' => 0,
                    'chunkBytes' => 0, 'sharedChunks' => 0, 'badChunks' => [], 'error' => $errors[$label]]);
            }
        }
        return $versions;
    }

    /**
     * @param array<string, Head> $heads by label
     * @param array{Head|null}|null $here
     */
    private function version(string $label, array $heads, ?array $here, ?Override $override, bool $verify): Version
    {
        $head = $heads[$label];
        $overriding = $override?->head->checksum() === $head->checksum() ? $override : null;
        $heldSince = $overriding === null ? null : $overriding->sinceMs / 1000;
        $others = [];
        foreach (array_diff_key($heads, [$label => true]) as $other) {
            $others += array_flip($other->chunkKeys($this->name));
        }
        $shared = array_filter($head->chunkKeys($this->name), fn (string $key): bool => isset($others[$key]));
        return Infos::make(Version::class, [
            'label' => $label ?: null,
            'isServed' => $override === null ? $label === 'current' : $overriding !== null,
            'pinnedSince' => $overriding?->kind === Override::PIN ? $heldSince : null,
            'rolledBackAt' => $overriding?->kind === Override::ROLLBACK ? $heldSince : null,
            'sharedChunks' => count($shared),
        ] + ($here === null ? [] : Fetching::count($this->name, $head, $here[0]))
            + ($verify ? $this->check($head) : ['badChunks' => []]) + Infos::head($head));
    }

    /** @return array{Head|null}|null the head of the blob that this host serves, or null if it is damaged; null: it serves none */
    private function here(): ?array
    {
        try {
            $place = Segment::place($this->name);
            $current = $place->current();
            $isLoaded = $current !== null && $current['kind'] === Kind::Loaded->value;
            $served = $isLoaded ? $place->answers($current) : null;
            return $current === null || $served === null ? null : [$place->isIntact($current) ? $served->head : null];
        } catch (BloomException) {
            return null; // the filter cannot be opened
        }
    }

    /** @return array{missingChunks: int, damagedChunks: int, badChunks: list<string>} */
    private function check(Head $head): array
    {
        $missing = $damaged = 0;
        $bad = [];
        $most = max(1, min(Shop::KEYS_MAX, intdiv(self::BATCH_BYTES, $head->chunkBytes) + 1));
        foreach (array_chunk($head->chunkKeys($this->name), $most, true) as $keys) {
            $values = $this->shop->get(array_values($keys));
            foreach ($keys as $chunk => $key) {
                $length = min($head->chunkBytes, $head->geometry->bytes() - $chunk * $head->chunkBytes);
                if (!isset($values[$key])) {
                    $missing++;
                } elseif (strlen($values[$key]) !== $length
                    || Head::digestOfChunk($values[$key], $head->chunkDigest) !== $head->chunkDigestOf($chunk)) {
                    $damaged++;
                } else {
                    continue;
                }
                $bad[] = $key;
            }
        }
        return ['missingChunks' => $missing, 'damagedChunks' => $damaged, 'badChunks' => $bad];
    }

    public function rollback(): void
    {
        $this->locked(function (Collecting $lock): void {
            [$current, $before] = $this->begin();
            $inForce = $before?->isInForce($this->name, $current) === true ? $before->kind : 0;
            if ($inForce === Override::PIN) {
                throw Failure::of(Status::Pinned, $this->name);
            }
            if ($inForce === 0) {
                $previous = $this->shop->head("$this->name:previous");
                if ($previous === null || $previous->bytes === $current->bytes) {
                    throw Failure::of(Status::NoPrevious, $this->name);
                }
                $this->override($lock, $previous, $current, $before, true);
            }
        });
    }

    public function pin(?string $checksum): void
    {
        $this->locked(function (Collecting $lock) use ($checksum): void {
            [$current, $before] = $this->begin();
            $previous = Collecting::validHead($this->shop, "$this->name:previous");
            $inForce = $before?->isInForce($this->name, $current) === true ? $before : null;
            $checksum ??= $inForce === null ? $current->checksum() : $inForce->head->checksum();
            foreach (array_filter([$current, $previous, $before?->head]) as $head) {
                if ($head->checksum() !== $checksum) {
                    continue;
                }
                $isPinned = $inForce !== null && $inForce->kind === Override::PIN && $inForce->head->checksum() === $checksum;
                if (!$isPinned) {
                    $this->override($lock, $head, $current, $before, false);
                }
                return;
            }
            throw Failure::of(Status::StoreMissing, "version $checksum");
        });
    }

    /** An unreadable head or override does not prevent this. */
    public function unpin(): void
    {
        $this->locked(function (Collecting $lock): void {
            $current = Collecting::validHead($this->shop, $this->name);
            $before = Override::find($this->shop, $this->name);
            if ($current !== null && $before !== null) {
                $this->requireClosed($current);
                $this->leaveChunks($lock, $before->head, $current);
            }
            $this->shop->delete(["$this->name:override"]);
        });
    }

    /** @param callable(Collecting): void $call */
    private function locked(callable $call): void
    {
        $lock = new Collecting($this->shop, $this->name, null, null);
        $lock->lock();
        try {
            $call($lock);
        } finally {
            $lock->unlock();
        }
    }

    /** @return array{Head, ?Override} */
    private function begin(): array
    {
        $current = $this->shop->head($this->name) ?? throw Failure::of(Status::StoreMissing, $this->name);
        return [$current, Override::find($this->shop, $this->name)];
    }

    /** Makes hosts serve a version. */
    private function override(Collecting $lock, Head $head, Head $current, ?Override $before, bool $isRollback): void
    {
        Signature::check($head, $this->name);
        $head->checkBuilt($this->name);
        $this->requireChunks($head);
        $this->requireClosed($head);
        // Its time is later than that of the override that it replaces, even if clocks differ. Anyone can date a record
        // that is not signed, and hosts refuse the replay only of a time that is at most a day ahead.
        $sinceMs = Clock::milliseconds();
        if ($before !== null && $before->sinceMs >= $sinceMs && $before->sinceMs < $sinceMs + Head::AHEAD_MS_MAX && $before->isSigned($this->name)) {
            $sinceMs = $before->sinceMs + 1;
        }
        $override = Override::make($head, $sinceMs, $isRollback ? $current : null, $this->name);
        $key = "$this->name:override";
        [$value] = Collecting::stored($this->shop, $key);
        if ($before !== null && $before->head->bytes !== $head->bytes) {
            $this->leaveChunks($lock, $before->head, $head, $current);
        }
        if (!$lock->renew() || !$this->shop->replace($key, $value, $override->bytes)) {
            throw Failure::of(Status::Overtaken, $this->name);
        }
        // A process that has stalled until another one took the lock over may lack chunks now.
        if (!$lock->renew()) {
            try {
                $this->requireChunks($head);
            } catch (BloomException $error) {
                $this->shop->delete([$key]);
                throw $error;
            }
        }
    }

    /** Refuses a version without a mark while keys can be added, because hosts would not find them. Only the extension ends a journal. */
    private function requireClosed(Head $head): void
    {
        if ($head->mark === '' && $this->shop->isJournalOpen($this->name)) {
            throw new BloomException("$this->name: the version has no mark, so the journal has to end (this needs the extension bloom)");
        }
    }

    /** Leaves the chunks of a version that hosts may still use to the next publisher. */
    private function leaveChunks(Collecting $lock, Head $head, Head ...$kept): void
    {
        $lock->add($head);
        $lock->keep(Collecting::validHead($this->shop, "$this->name:previous"), ...$kept);
    }

    private function requireChunks(Head $head): void
    {
        if ($this->shop->missing($head->chunkKeys($this->name)) !== []) {
            throw Failure::of(Status::StoreMissing, 'a chunk of the version');
        }
    }
}
