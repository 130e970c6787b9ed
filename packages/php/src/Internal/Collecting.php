<?php

namespace Bloom\Internal;

use Bloom\FormatException;
use Bloom\SecretException;
use Bloom\Status;
use Bloom\StoreException;

/**
 * Deletes the chunks that only the version before the last one needs. Section 6 of docs/format.md says why a mark keeps
 * concurrent publishers from deleting each other's chunks. Its value:
 *
 *     the time at which deleting began   ms since 1970 in decimal; 0: no publisher is deleting
 *     a space and the process's name     as Process::name() returns it; may be empty
 *     a space and a random number        distinguishes this mark from all others
 *     a line feed
 *     the digests of the chunks          end to end, as in a head
 *
 * @internal
 */
final class Collecting
{
    private const MARK_MS = 60_000; // other publishers respect a mark for this long
    private const GONE_MS = 1000;
    private const PAUSE_MS = 200; // a publisher that finds no mark normally sets its own within this time
    private const PAUSE_US_MAX = 20_000;
    private const ATTEMPTS_MAX = 50;

    public bool $hasWaited = false;
    /** Whether this publisher has set its head as the current one. */
    public bool $hasSetHead = false;
    /** The head that it replaced. */
    public ?Head $replaced = null;
    /** The head of an override that was deleted. */
    public ?Head $superseded = null;
    /** Why old chunks were not deleted. */
    public ?string $warning = null;

    /** A mark whose publisher is gone. */
    private ?string $mark = null;
    /** The mark for which this publisher waited last. */
    private ?string $expired = null;
    private ?string $own = null;
    private int $ownMs = 0;
    private int $lookedMs = 0;
    /** Whether another publisher has replaced the head that this publisher set. */
    private bool $isOvertaken = false;
    /** @var array<string, true> the chunks to delete, by digest */
    private array $list = [];

    /** @param (callable(int, int, string=): mixed)|null $progress */
    public function __construct(private Shop $shop, private string $name, private Head $head, private mixed $progress)
    {
    }

    public function report(int $bytes, ?string $reason = null): void
    {
        if ($this->progress === null) {
            return;
        }
        // Functions of PHP refuse an argument that they do not know.
        $isInternal = $reason !== null && (new \ReflectionFunction(($this->progress)(...)))->isInternal();
        $reasons = $reason === null || $isInternal ? [] : [$reason];
        ($this->progress)($bytes, $this->head->geometry->bytes(), ...$reasons);
    }

    /** A head that cannot be read is replaced like one that does not exist. */
    public static function validHead(Shop $shop, string $key): ?Head
    {
        try {
            return $shop->head($key);
        } catch (FormatException | SecretException) {
            return null;
        } catch (StoreException $error) {
            return $error->getCode() === Status::StoreSize->value ? null : throw $error;
        }
    }

    // ---- the mark ----

    private function key(): string
    {
        return "$this->name:collecting";
    }

    /** A value that is too long to be a mark counts as an abandoned one without chunks. */
    private function readMark(): ?string
    {
        try {
            return $this->shop->getOne($this->key());
        } catch (StoreException $error) {
            return $error->getCode() === Status::StoreSize->value ? '' : throw $error;
        }
    }

    private function setMark(int $timeMs): void
    {
        $begin = $timeMs === 0 ? '0' : "$timeMs " . Process::name() . ' ' . bin2hex(random_bytes(8));
        $this->own = "$begin\n" . hex2bin(implode('', array_keys($this->list)));
        $this->ownMs = Clock::monotonic();
        $this->shop->set($this->key(), $this->own);
    }

    /** Another publisher's mark must stay, because it protects the chunks of a third publisher. */
    private function deleteMark(?string $mark): void
    {
        if ($mark !== null && $this->readMark() === $mark) {
            $this->shop->delete([$this->key()]);
        }
    }

    // ---- waiting ----

    /** Waits until no other publisher is deleting chunks: at most a minute, or a second if it died on this host. */
    public function wait(): void
    {
        // The clocks of two hosts may differ by any amount, so this host's monotonic clock also limits the wait.
        $start = $reported = Clock::monotonic();
        $gone = 0;
        for ($pause = 1000; Clock::monotonic() - $start < self::MARK_MS; $pause = min(2 * $pause, self::PAUSE_US_MAX)) {
            $this->lookedMs = Clock::monotonic();
            $this->mark = $this->readMark();
            if ($this->mark === null || $this->mark === $this->expired) {
                break;
            }
            $left = self::endOf($this->mark, $gone) - Clock::milliseconds();
            if ($left <= 0) {
                break;
            }
            $this->hasWaited = true;
            if (Clock::monotonic() - $reported >= 1000) {
                $reported = Clock::monotonic();
                $seconds = intdiv($left + 999, 1000);
                $this->report($this->head->geometry->bytes(),
                    "waiting for another publisher to delete old chunks, at most $seconds s more");
            }
            usleep($pause);
        }
        $this->expired = $this->mark;
    }

    /**
     * Returns when to stop waiting for the publisher of a mark, in ms since 1970. After a minute, a publisher on
     * another host has finished, died or lost its connection. A second after the end of a process on this host, the
     * server has handled all requests that it sent.
     *
     * @param int $gone when the process was first found to be gone; 0: not yet
     */
    private static function endOf(string $mark, int &$gone): int
    {
        preg_match('/\A\s*(\d*)(?: ([^ \n]*))?/', $mark, $parts);
        $end = min((int) ($parts[1] ?? 0), 1 << 60) + self::MARK_MS;
        if (Process::isGone($parts[2] ?? '')) {
            $gone = $gone ?: Clock::milliseconds();
            $end = min($end, $gone + self::GONE_MS);
        }
        return $end;
    }

    // ---- deleting ----

    /** Deletes the chunks of an old version and those of an abandoned mark. A failure is only a warning. */
    public function collect(?Head $old): void
    {
        $start = Clock::monotonic();
        for ($i = 1, $isLast = false; !$isLast; $i++) {
            $isLast = $i === self::ATTEMPTS_MAX || Clock::monotonic() - $start > self::MARK_MS;
            if ($this->collectOnce($old, $isLast)) {
                return;
            }
        }
    }

    /** @return bool false: another publisher has replaced the mark */
    private function collectOnce(?Head $old, bool $isLast): bool
    {
        $isDone = true;
        try {
            try {
                $now = $this->hasSetHead ? self::validHead($this->shop, $this->name) : null;
                // A lagging replica of the store may still have a head from before.
                $this->isOvertaken = $now !== null && $now->builtMs > $this->head->builtMs && $now->bytes !== $this->replaced?->bytes;
                if ($this->listOld($old) === [] && $this->mark === null) {
                    return true;
                }
                $this->wait();
            } finally {
                $this->list = $this->listOld($old);
            }
            if ($this->list === []) {
                $this->deleteMark($this->mark);
                return true;
            }
            $isDone = $this->tryCollect();
        } catch (StoreException $error) {
            $this->warning ??= $error->getMessage();
            if ($this->list !== []) {
                $this->leave();
            }
            return true;
        }
        if (!$isDone && $isLast) {
            $this->warning = 'other publishers are deleting chunks';
            $this->leave();
            if ($this->list === []) {
                $this->warning = null; // the other publishers have deleted them
            }
        }
        return $isDone;
    }

    /**
     * Leaves the chunks of a version that hosts may still use to the next publisher: sets a mark that lists those that
     * neither the heads nor the override name.
     */
    public function collectLater(Head $old, bool $keepOverride): void
    {
        $this->wait();
        $override = $keepOverride ? Override::find($this->shop, $this->name)?->head : null;
        $this->list = array_diff_key($this->listOld($old), self::digestsOf(self::validHead($this->shop, $this->name)),
            self::digestsOf(self::validHead($this->shop, "$this->name:previous")), self::digestsOf($override));
        // A mark that another publisher has set in the meantime stays.
        if ($this->list !== [] && in_array($this->readMark(), [null, $this->mark], true)) {
            $this->setMark(0);
        }
    }

    /**
     * Lists the chunks of an old version and of an abandoned mark. Those of the new version are listed only if another
     * publisher has replaced it.
     *
     * @return array<string, true>
     */
    private function listOld(?Head $old): array
    {
        $lines = explode("\n", $this->mark ?? '', 2);
        $left = strlen($lines[1] ?? '') % 16 === 0 ? bin2hex($lines[1] ?? '') : '';
        $new = self::digestsOf($this->head);
        $listed = self::digestsOf($old) + self::digestsOf($this->superseded) + ($left === '' ? [] : array_fill_keys(str_split($left, 32), true));
        return $this->isOvertaken ? $listed + $new : array_diff_key($listed, $new);
    }

    /** @return array<string, true> by digest */
    private static function digestsOf(?Head $head): array
    {
        $digests = [];
        for ($chunk = 0; $head !== null && $chunk < $head->chunks(); $chunk++) {
            $digests[bin2hex($head->chunkDigestOf($chunk))] = true;
        }
        return $digests;
    }

    private function tryCollect(): bool
    {
        $this->setMark(Clock::milliseconds());
        // Two publishers may set their marks at the same time, and then only one mark remains. If this publisher's
        // head is the current one, no other publisher deletes chunks now. Otherwise the pause gives a publisher that
        // has just found no mark the time to set its own.
        $isSlow = Clock::monotonic() - $this->lookedMs > self::PAUSE_MS;
        $current = self::validHead($this->shop, $this->name);
        if ($isSlow || !$this->hasSetHead || $current?->bytes !== $this->head->bytes) {
            usleep(self::PAUSE_MS * 1000);
            $current = self::validHead($this->shop, $this->name);
        }
        $previous = self::validHead($this->shop, "$this->name:previous");
        $override = Override::find($this->shop, $this->name)?->head;
        $this->list = array_diff_key($this->list, self::digestsOf($current), self::digestsOf($previous), self::digestsOf($override));
        // If this publisher has stalled, its mark may expire during the deletion.
        if ($this->readMark() !== $this->own || Clock::monotonic() - $this->ownMs >= self::MARK_MS / 2) {
            return false;
        }
        $this->shop->delete($this->chunkKeys());
        $this->deleteMark($this->own);
        return true;
    }

    /** @return list<string> */
    private function chunkKeys(): array
    {
        return array_map(fn (int|string $digest): string => "$this->name:$digest", array_keys($this->list));
    }

    /** Leaves a list of the chunks that were not deleted for the next publisher. */
    private function leave(): void
    {
        $found = null;
        try {
            $missing = $this->shop->missing($this->chunkKeys());
            $isThere = fn (int|string $digest): bool => !isset($missing["$this->name:$digest"]);
            $this->list = array_filter($this->list, $isThere, ARRAY_FILTER_USE_KEY);
        } catch (StoreException) {
            // The list may then be too long, which does no harm.
        }
        $isTold = true;
        try {
            $found = $this->readMark();
        } catch (StoreException) {
            // Then the own mark may still be there.
        }
        try {
            $isTold = $found === null || $found === $this->own || $found === $this->mark;
            match (true) {
                !$isTold => null,
                $this->list !== [] => $this->setMark(0),
                default => $this->deleteMark($this->own),
            };
        } catch (StoreException) {
            $isTold = false;
        }
        if ($this->list !== []) {
            $count = count($this->list);
            $this->warning = sprintf('%d old chunk%s could not be deleted%s: %s', $count, $count === 1 ? '' : 's',
                $isTold ? '; the next publish tries again' : '', (string) $this->warning);
        }
    }
}
