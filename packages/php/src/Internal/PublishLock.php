<?php

namespace Bloom\Internal;

use Bloom\FormatException;
use Bloom\SecretException;
use Bloom\Status;
use Bloom\StoreException;

/**
 * The lock of a filter's publishers, and the deletion of chunks that no version needs any more. Section 6 of
 * docs/format.md says how it keeps concurrent publishers from deleting each other's chunks. The lock is a mark:
 *
 *     the time at which it was renewed   ms since 1970 in decimal; 0: no process holds the lock
 *     a space and the process's name     empty here: only the extension notices that a process has died
 *     a space and a random number        distinguishes this mark from all others
 *     a line feed
 *     the digests of the chunks          to delete, end to end, as in a head
 */
final class PublishLock
{
    private const LEASE_MS = 60_000; // other processes respect a mark for this long
    private const PAUSE_US_MAX = 20_000;
    private const REFUSED_MAX = 100;

    /** Why old chunks were not deleted. */
    public ?string $warning = null;
    /** Whether "<name>:staged" exists, or an earlier process may have left it. */
    public bool $hasStaged = false;

    /** The mark, while this process holds the lock. */
    private ?string $own = null;
    /** @var array<string, true> the chunks to delete, by digest */
    private array $list = [];

    /** @param (callable(int, int, string=): mixed)|null $progress null in rollback(), pin() and unpin() */
    public function __construct(private CheckedStore $store, private string $name, private ?Head $head, private mixed $progress)
    {
    }

    public function report(int $bytes, ?string $reason = null): void
    {
        if ($this->progress === null || $this->head === null) {
            return;
        }
        // Functions of PHP refuse an argument that they do not know.
        $isInternal = $reason !== null && (new \ReflectionFunction(($this->progress)(...)))->isInternal();
        $reasons = $reason === null || $isInternal ? [] : [$reason];
        ($this->progress)($bytes, $this->head->geometry->bytes(), ...$reasons);
    }

    /** A head that cannot be read is replaced like one that does not exist. */
    public static function validHead(CheckedStore $store, string $key): ?Head
    {
        try {
            return $store->head($key);
        } catch (FormatException | SecretException) {
            return null;
        } catch (StoreException $error) {
            return $error->getCode() === Status::StoreSize->value ? null : throw $error;
        }
    }

    /**
     * Returns the value of a head and the head, which is null if it cannot be read. Deletes a value that is too long to
     * be compared with: the caller holds the lock, and is about to replace it.
     *
     * @return array{?string, ?Head}
     */
    public static function stored(CheckedStore $store, string $key): array
    {
        try {
            $bytes = $store->getOne($key);
        } catch (StoreException $error) {
            if ($error->getCode() !== Status::StoreSize->value) {
                throw $error;
            }
            $store->delete([$key]);
            return [null, null];
        }
        try {
            return [$bytes, $bytes === null ? null : Head::parseExactly($bytes)];
        } catch (FormatException | SecretException) {
            return [$bytes, null]; // it is replaced like a head that does not exist
        }
    }

    // ---- the list ----

    public function add(?Head ...$heads): void
    {
        foreach ($heads as $head) {
            $this->list += self::digestsOf($head);
        }
    }

    public function keep(?Head ...$heads): void
    {
        foreach ($heads as $head) {
            $this->list = array_diff_key($this->list, self::digestsOf($head));
        }
    }

    /** @return array<string, true> by digest */
    private static function digestsOf(?Head $head): array
    {
        $digests = $head === null ? [] : array_fill_keys(array_map(fn (string $key): string => substr($key, 1), $head->chunkKeys('')), true);
        return $digests;
    }

    /** @return list<string> */
    private function chunkKeys(): array
    {
        return array_map(fn (int|string $digest): string => "$this->name:$digest", array_keys($this->list));
    }

    // ---- the lock ----

    private function key(): string
    {
        return "$this->name:collecting";
    }

    private function mark(int $timeMs): string
    {
        $begin = $timeMs === 0 ? '0' : "$timeMs  " . bin2hex(random_bytes(8));
        return "$begin\n" . hex2bin(implode('', array_keys($this->list)));
    }

    /** Waits for other processes and takes the lock: at most a minute for one that does not renew its mark. */
    public function lock(): void
    {
        $since = $reported = System::monotonic();
        $refused = 0;
        $before = null;
        for ($pause = 1000;; $pause = min(2 * $pause, self::PAUSE_US_MAX)) {
            [$mark] = self::stored($this->store, $this->key());
            if ($mark === null || $mark !== $before) {
                $since = System::monotonic();
            }
            $before = $mark;
            $left = $mark === null ? 0 : self::left($mark, $since);
            if ($left === 0) {
                $this->takeList($mark);
                $own = $this->mark(System::milliseconds());
                if ($this->store->replace($this->key(), $mark, $own)) {
                    $this->own = $own;
                    $this->hasStaged = $this->hasStaged || $mark !== null;
                    return;
                }
                // Another process was faster, or a replica shows an old mark.
                if (++$refused === self::REFUSED_MAX) {
                    throw Failure::of(Status::Overtaken, $this->name);
                }
            } else {
                $refused = 0;
            }
            if (System::monotonic() - $reported >= 1000 && $this->head !== null) {
                $reported = System::monotonic();
                $this->report($this->head->geometry->bytes(),
                    'waiting for another publisher, at most ' . intdiv($left + 999, 1000) . ' s more');
            }
            usleep($pause);
        }
    }

    private function takeList(?string $mark): void
    {
        $rows = substr((string) strstr($mark ?? '', "\n"), 1);
        $this->list = $rows === '' || strlen($rows) % 16 !== 0 ? [] : array_fill_keys(str_split(bin2hex($rows), 32), true);
    }

    /**
     * Returns how long to wait for the process of a mark, in ms. After a minute it has finished, died or lost its connection.
     * The clocks of two hosts may differ by any amount, so this host's monotonic clock also limits the wait.
     *
     * @param int $since the monotonic time at which this mark was first seen
     */
    private static function left(string $mark, int $since): int
    {
        preg_match('/\A\s*(\d*)/', $mark, $parts);
        $age = max(0, System::milliseconds() - min((int) ($parts[1] ?? 0), 1 << 60));
        if ($age >= self::LEASE_MS) {
            return 0;
        }
        return max(0, $since + self::LEASE_MS - $age - System::monotonic());
    }

    public function isHeld(): bool
    {
        return $this->own !== null;
    }

    /**
     * Renews the mark, with the present list. Returns false if another process has taken the lock over.
     *
     * @phpstan-impure
     */
    public function renew(): bool
    {
        if ($this->own === null) {
            return false;
        }
        $mark = $this->mark(System::milliseconds());
        $this->own = $this->store->replace($this->key(), $this->own, $mark) ? $mark : null;
        return $this->own !== null;
    }

    /** Ends the lock. If chunks are listed, the mark stays, so that the next process deletes them. Ignores failures. */
    public function unlock(): void
    {
        try {
            if ($this->own !== null && $this->hasStaged) {
                $this->store->delete(["$this->name:staged"]);
                $this->hasStaged = false;
            }
        } catch (StoreException) {
            // The next publisher replaces it. The lock must end nevertheless.
        }
        try {
            if ($this->own !== null && $this->list !== []) {
                $this->store->replace($this->key(), $this->own, $this->mark(0));
            } elseif ($this->own !== null && $this->store->getOne($this->key()) === $this->own) {
                $this->store->delete([$this->key()]);
            }
        } catch (StoreException) {
            // The lock ends after a minute.
        }
        $this->own = null;
        $this->list = [];
    }

    // ---- deleting ----

    /** Deletes the listed chunks. A failure is only a warning, and the chunks stay in the list. */
    public function collect(): void
    {
        try {
            foreach (array_chunk($this->list, CheckedStore::KEYS_MAX, true) as $some) {
                if (!$this->renew()) {
                    $this->list = []; // The process that has taken the lock over has the list.
                    return;
                }
                $this->store->delete(array_map(fn (int|string $digest): string => "$this->name:$digest", array_keys($some)));
                $this->list = array_diff_key($this->list, $some);
            }
            return;
        } catch (StoreException $error) {
            $this->warning ??= $error->getMessage();
        }
        try {
            $missing = $this->store->missing($this->chunkKeys());
            $isThere = fn (int|string $digest): bool => !isset($missing["$this->name:$digest"]);
            $this->list = array_filter($this->list, $isThere, ARRAY_FILTER_USE_KEY);
        } catch (StoreException) {
            // The list may then be too long, which does no harm.
        }
        if ($this->list !== []) {
            $count = count($this->list);
            $this->warning = sprintf('%d old chunk%s could not be deleted; the next publish tries again: %s', $count,
                $count === 1 ? '' : 's', $this->warning);
        }
    }
}
