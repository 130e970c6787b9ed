<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * An exact set of keys in a file, to which all processes of this user append. After a random ID of 8 bytes, it has records:
 *
 *     0       8        16      24     32    bytes
 *     ├ bytes ┼ change ┼ group ┼ time ┼ key ┤
 *
 * The change is added to the number of times that the key is in the set. If it is 0, the key is a position up to which a
 * journal was read, as at() writes it. Writers and readers lock the file. Of a writer that was killed, an incomplete record
 * may stay at the end, which everybody ignores and the next writer overwrites.
 */
final class KeySet
{
    public const NO_GROUP = -1;
    private const ID_BYTES = 8;
    private const HEAD_BYTES = 32;
    public const LAG_MS_MAX = 60_000; // of a filter whose processes have passed no maxLag
    private const WASTE_MAX = 100_000;

    /** @var array<string, self> by path */
    private static array $known = [];

    private string $id = '';
    private int $bytes = self::ID_BYTES;
    private int $records = 0;
    private int $recordsMax = self::WASTE_MAX;
    /** @var array<array-key, int> how often each key was added */
    private array $counts = [];
    /** @var array<array-key, array<int, true>> the groups of each value */
    private array $groups = [];
    /** @var array<array-key, int> when each key was added last, in monotonic milliseconds */
    private array $times = [];
    /** The position up to which a journal's keys are in the set; "" if it follows no journal. */
    public string $position = '';
    /** Whether the journal has lost records before that position which this host may not have read. */
    public bool $lacksKeys = false;
    /** @var array{string, int, int} the boot, the Unix time and the monotonic time at which the position was the journal's end */
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

    /** @return array{string, int, int} */
    public static function now(): array
    {
        return [System::boot(), System::milliseconds(), System::monotonic()];
    }

    /** Returns how many milliseconds ago the set had all keys of the journal. */
    public function lag(): int
    {
        [$boot, $wall, $monotonic] = self::now();
        [$itsBoot, $itsWall, $itsMonotonic] = $this->reached;
        // Where a boot has no ID, a clock that starts again at a boot may look as if no time had passed.
        $lag = max($monotonic - $itsMonotonic, $boot === '' ? abs($wall - $itsWall) : 0);
        return $this->position !== '' && $boot === $itsBoot && $monotonic >= $itsMonotonic ? $lag : PHP_INT_MAX;
    }

    /** Returns the bytes of a new file with these records. */
    public static function file(string $records = ''): string
    {
        return random_bytes(self::ID_BYTES) . $records;
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
                $set->append($file, $path, $records);
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
        do {
            $file = System::retry(static fn () => @fopen($path, $mode));
            if ($file === false) {
                unset(self::$known[$path]);
                return null;
            }
            try {
                System::lock($file, $lock);
                if (System::isAt($file, $path)) {
                    self::$known[$path] ??= new self();
                    self::$known[$path]->refresh($file, $path);
                    return $work(self::$known[$path], $file);
                }
            } finally {
                fclose($file);
            }
        } while (true); // Another process has replaced or removed the file.
    }

    /** @param resource $file */
    private function refresh($file, string $path): void
    {
        $id = (string) fread($file, self::ID_BYTES);
        if ($id !== $this->id) {
            [$this->id, $this->bytes, $this->records, $this->position, $this->lacksKeys] = [$id, self::ID_BYTES, 0, '', false];
            $this->counts = $this->groups = $this->times = [];
        }
        $size = fstat($file)['size'] ?? 0;
        $new = $size > $this->bytes && fseek($file, $this->bytes) === 0 ? (string) stream_get_contents($file, $size - $this->bytes) : '';
        // Without this check, a failed read would look like a set without keys.
        if (strlen($id) !== self::ID_BYTES || strlen($new) < $size - $this->bytes) {
            unset(self::$known[$path]);
            throw Failure::of(Status::Live, $path);
        }
        $this->take($new);
    }

    /** @param resource $file */
    private function append($file, string $path, string $records): void
    {
        ftruncate($file, max(0, $this->bytes));
        fseek($file, $this->bytes);
        if (@fwrite($file, $records) !== strlen($records) || !fflush($file)) {
            ftruncate($file, max(0, $this->bytes));
            throw Failure::of(Status::Space, $path);
        }
        $this->take($records);
        if ($this->records > $this->recordsMax) {
            $this->compact($path);
            $this->recordsMax = 2 * $this->records;
        }
    }

    /** Replaces the file by one without records that no longer matter. Other processes then find that it was replaced. */
    private function compact(string $path): void
    {
        $records = $this->position === '' ? '' : self::at($this->position, $this->lacksKeys, $this->reached);
        foreach ($this->counts as $key => $count) {
            foreach (array_keys($this->groups[$key] ?? [self::NO_GROUP => true]) as $group) {
                $change = $group === self::NO_GROUP ? $count : 1;
                $records .= pack('PPPP', self::HEAD_BYTES + strlen((string) $key), $change, $group, $this->times[$key]) . $key;
            }
        }
        try {
            Streams::save($path, self::file($records), 0600);
        } catch (\Bloom\BloomException) {
            // The longer file has the same keys.
        }
    }

    /** Takes the complete records at the beginning of some bytes. */
    private function take(string $bytes): void
    {
        for ($at = 0; $at + self::HEAD_BYTES <= strlen($bytes); $at += $length) {
            [1 => $length, 2 => $change, 3 => $group, 4 => $time] = Unpack::words(substr($bytes, $at, self::HEAD_BYTES));
            if ($length < self::HEAD_BYTES || $at + $length > strlen($bytes)) {
                break;
            }
            $this->apply(substr($bytes, $at + self::HEAD_BYTES, $length - self::HEAD_BYTES), $change, $group, $time);
            $this->bytes += $length;
            $this->records++;
        }
    }

    private function apply(string $key, int $change, int $group, int $time): void
    {
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
        return array_values(array_filter(array_map(strval(...), array_keys($this->counts)), fn (string $key): bool => $this->has($key, $windowMs)));
    }

    /** Returns the records of the keys that were added since a monotonic time. */
    public function since(int $time): string
    {
        $keys = array_keys(array_filter($this->times, fn (int $added): bool => $added >= $time));
        return implode('', array_map(fn (string|int $key): string => self::record((string) $key), $keys));
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
