<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * An exact set of keys in a file, to which all processes of this user append records:
 *
 *     0       8        16      24     32    bytes
 *     ├ bytes ┼ change ┼ group ┼ time ┼ key ┤
 *
 * The change is added to the number of times that the key is in the set. If it is 0, the key is a position of a
 * journal, as at(), appended(), lost() or told() writes it. Writers and readers lock the file. Of a writer that was killed, an
 * incomplete record may stay at the end, which everybody ignores and the next writer overwrites.
 */
final class KeySet
{
    public const NO_GROUP = -1;
    public const LAG_MS_MAX = 60_000; // of a filter whose processes have passed no maxLag
    private const HEAD_BYTES = 32;
    private const APPENDED = 'appended';
    private const LOST = 'lost';
    private const TOLD = 'told';

    /** @var array<string, self> what this process has read, by path; the next read continues from there */
    private static array $known = [];

    private int $bytes = 0;
    /** @var array<array-key, int> how often each key was added */
    private array $counts = [];
    /** @var array<array-key, array<int, true>> the groups of each value */
    private array $groups = [];
    /** @var array<array-key, int> when each key was added last, in monotonic milliseconds */
    private array $times = [];
    /** The position up to which a journal's keys are in the set; "" if it follows no journal. */
    public string $position = '';
    /** The newest position to which this host has appended; "" if there is none. */
    public string $appended = '';
    /** @var array<array-key, string> the newest position in each other journal to which this host has appended */
    public array $strayed = [];
    /** A position that the journal has lost; a blob may lack keys before it. "" if there is none. */
    public string $lost = '';
    /** Whether the journal has lost records before that position which this host may not have read. */
    public bool $lacksKeys = false;
    /** @var array{string, int, int} the result of now() when the position was the journal's end */
    private array $reached = ['', 0, 0];

    public static function record(string $key, int $change = 1, int $group = self::NO_GROUP): string
    {
        return pack('PPPP', self::HEAD_BYTES + strlen($key), $change, $group, System::monotonic()) . $key;
    }

    /**
     * Returns the record of a position.
     *
     * @param array{string, int, int} $reached the result of now() before the journal was read
     */
    public static function at(string $position, bool $lacksKeys, array $reached): string
    {
        return self::record(implode(' ', [$position, (int) $lacksKeys, ...$reached]), 0);
    }

    public static function appended(string $position): string
    {
        return self::record(self::APPENDED . " $position", 0);
    }

    public static function lost(string $position): string
    {
        return self::record(self::LOST . " $position", 0);
    }

    /** Returns the record for a strayed position of which other hosts were told. */
    public static function told(string $position): string
    {
        return self::record(self::TOLD . " $position", 0);
    }

    /** @return array{string, int, int} the boot, the Unix time and the monotonic time */
    public static function now(): array
    {
        return [System::boot(), System::milliseconds(), System::monotonic()];
    }

    /** Returns how many milliseconds ago the set had all keys of the journal. */
    public function lag(): int
    {
        [$boot, $wall, $monotonic] = self::now();
        [$itsBoot, $itsWall, $itsMonotonic] = $this->reached;
        // The monotonic clock may stop while the host is suspended. Where a boot has no ID, it may start again without
        // notice.
        $lag = max($monotonic - $itsMonotonic, abs($wall - $itsWall));
        return $this->position !== '' && $boot === $itsBoot && $monotonic >= $itsMonotonic ? $lag : PHP_INT_MAX;
    }

    /** Reads a set; null: the file does not exist. */
    public static function read(string $path): ?self
    {
        return self::locked($path, 'rb', LOCK_SH, static fn (self $set): self => $set);
    }

    /**
     * Lets a function add records, and appends those that it returns. Returns null if the file does not exist.
     *
     * @template T
     *
     * @param callable(self): array{T, string} $work returns a result and the records
     *
     * @return array{T}|null
     */
    public static function change(string $path, callable $work): ?array
    {
        return self::locked($path, 'r+b', LOCK_EX, static function (self $set, $file) use ($path, $work): array {
            [$result, $records] = $work($set);
            if ($records !== '') {
                ftruncate($file, max(0, $set->bytes));
                fseek($file, $set->bytes);
                if (@fwrite($file, $records) !== strlen($records) || !fflush($file)) {
                    ftruncate($file, max(0, $set->bytes));
                    throw Failure::of(Status::Space, $path);
                }
                $set->take($records, $path);
            }
            return [$result];
        });
    }

    /**
     * @template T
     *
     * @param 1|2 $lock
     * @param callable(self, resource): T $work
     *
     * @return T|null
     */
    private static function locked(string $path, string $mode, int $lock, callable $work): mixed
    {
        $file = System::retry(static fn () => @fopen($path, $mode));
        if ($file === false) {
            unset(self::$known[$path]);
            return null;
        }
        try {
            System::lock($file, $lock);
            $set = self::$known[$path] ??= new self();
            $size = fstat($file)['size'] ?? 0;
            $left = $size - $set->bytes;
            // A set has at least one record, and never becomes smaller. Keys are missing from one that was truncated.
            if ($size === 0 || $left < 0) {
                throw Failure::of(Status::Live, $path);
            }
            fseek($file, $set->bytes);
            $new = (string) stream_get_contents($file);
            if (strlen($new) < $left) { // Otherwise a failed read would look like a set without keys.
                throw Failure::of(Status::Live, $path);
            }
            $set->take($new, $path);
            return $work($set, $file);
        } finally {
            fclose($file);
        }
    }

    /** Takes the complete records at the beginning of some bytes. */
    private function take(string $bytes, string $path): void
    {
        for ($at = 0; $at + self::HEAD_BYTES <= strlen($bytes); $at += $length) {
            [1 => $length, 2 => $change, 3 => $group, 4 => $time] = Unpack::words(substr($bytes, $at, self::HEAD_BYTES));
            if ($length < self::HEAD_BYTES) { // No killed writer leaves this.
                throw Failure::of(Status::Live, $path);
            }
            if ($length > strlen($bytes) - $at) {
                break;
            }
            $this->apply(substr($bytes, $at + self::HEAD_BYTES, $length - self::HEAD_BYTES), $change, $group, $time);
            $this->bytes += $length;
        }
    }

    private function apply(string $key, int $change, int $group, int $time): void
    {
        if ($change === 0 && str_starts_with($key, self::APPENDED)) {
            $position = substr($key, strlen(self::APPENDED) + 1);
            $epoch = JournalReader::epoch($position);
            if ($this->position === '' || $epoch === JournalReader::epoch($this->position)) {
                $this->appended = JournalReader::newest($this->appended, $position);
            } else {
                $this->strayed[$epoch] = $position;
            }
            return;
        }
        if ($change === 0 && str_starts_with($key, self::TOLD)) {
            $this->strayed = array_diff($this->strayed, [substr($key, strlen(self::TOLD) + 1)]);
            return;
        }
        if ($change === 0 && str_starts_with($key, self::LOST)) {
            $this->lost = substr($key, strlen(self::LOST) + 1);
            return;
        }
        if ($change === 0) {
            [$this->position, $lacksKeys, $boot, $wall, $monotonic] = array_pad(explode(' ', $key), 5, '');
            [$this->lacksKeys, $this->reached] = [$lacksKeys === '1', [$boot, (int) $wall, (int) $monotonic]];
            return;
        }
        $this->counts[$key] = ($this->counts[$key] ?? 0) + $change;
        $this->times[$key] = $time;
        if ($this->counts[$key] <= 0) {
            unset($this->counts[$key], $this->times[$key]);
        } elseif ($group !== self::NO_GROUP) {
            $this->groups[$key][$group] = true;
        }
    }

    /** @param int $windowMs keys are forgotten after this time; 0: never */
    public function has(string $key, int $windowMs = 0): bool
    {
        // After a reboot, the time of an earlier key may be ahead.
        return isset($this->counts[$key]) && ($windowMs === 0 || System::monotonic() - $this->times[$key] < $windowMs);
    }

    public function count(string $key): int
    {
        return $this->counts[$key] ?? 0;
    }

    /** @return list<int> in ascending order */
    public function groups(string $value): array
    {
        $groups = array_keys($this->groups[$value] ?? []);
        sort($groups);
        return $groups;
    }

    /** @return list<string> */
    public function keys(int $windowMs = 0): array
    {
        $keys = array_map(strval(...), array_keys($this->counts));
        return array_values(array_filter($keys, fn (string $key): bool => $this->has($key, $windowMs)));
    }

    /** Returns the records of all keys. */
    public function all(): string
    {
        return implode('', array_map(self::record(...), $this->keys()));
    }

    /** Returns how many more times keys were added than removed. */
    public function total(): int
    {
        return array_sum($this->counts);
    }

    public function fileBytes(): int
    {
        return $this->bytes;
    }
}
