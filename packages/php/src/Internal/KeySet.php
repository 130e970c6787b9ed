<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * An exact set of keys in a file, to which all processes of this user append. After a random ID of 8 bytes, it has records:
 *
 *     0       4        12       16      24    bytes
 *     ├ bytes ┼ change ┼ group ─┼ time ─┼ key ┤
 *
 * The change is added to the number of times that the key is in the set. If it is 0, the key is a position in a journal.
 * Writers lock the file. Readers need no lock: they ignore an incomplete record, which the next writer removes.
 */
final class KeySet
{
    public const NO_GROUP = -1;
    private const ID_BYTES = 8;
    private const HEAD_BYTES = 24;
    private const WASTE_MAX = 100_000;

    /** @var array<string, self> by path */
    private static array $known = [];

    private string $id = '';
    private int $bytes = self::ID_BYTES;
    private int $records = 0;
    /** The number of values in groups, each once per group. */
    private int $pairs = 0;
    /** @var array<array-key, int> how often each key was added */
    private array $counts = [];
    /** @var array<array-key, array<int, true>> the groups of each value */
    private array $groups = [];
    /** @var array<array-key, int> when each key was added last, in monotonic milliseconds */
    private array $times = [];
    /** The position up to which a journal's keys are in the set; "" if it follows no journal. */
    public string $position = '';

    private function __construct(private readonly string $path)
    {
    }

    /** Returns a record. */
    public static function record(string $key, int $change = 1, int $group = self::NO_GROUP): string
    {
        return pack('VVPP', self::HEAD_BYTES + strlen($key), $change & 0xFFFFFFFF, $group, Clock::monotonic()) . $key;
    }

    /** Returns the bytes of a new file with these records. */
    public static function file(string $records = ''): string
    {
        return random_bytes(self::ID_BYTES) . $records;
    }

    /** Reads a set; null: the file does not exist. */
    public static function read(string $path): ?self
    {
        $file = System::retry(static fn () => @fopen($path, 'rb'));
        if ($file === false) {
            unset(self::$known[$path]);
            return null;
        }
        try {
            if (System::isWindows()) {
                Lock::take($file, LOCK_SH); // A writer's lock also prevents reads there.
            }
            return self::at($path)->refresh($file);
        } finally {
            fclose($file);
        }
    }

    private static function at(string $path): self
    {
        // The sets of earlier filters with the same name are not needed any more.
        self::$known = array_filter(self::$known, static fn (string|int $other): bool => is_file((string) $other), ARRAY_FILTER_USE_KEY);
        return self::$known[$path] ??= new self($path);
    }

    /**
     * Lets a function add records, and appends those that it returns. Returns null if the file does not exist.
     *
     * @template T
     *
     * @param callable(self): array{T, string} $work returns a result and the records
     * @param int $windowMs keys are forgotten after this time; 0: never
     *
     * @return array{T}|null
     */
    public static function change(string $path, callable $work, int $windowMs = 0): ?array
    {
        $file = System::retry(static fn () => @fopen($path, 'r+b'));
        if ($file === false) {
            return null;
        }
        try {
            Lock::take($file, LOCK_EX);
            if (!System::isAt($file, $path)) {
                return null;
            }
            $set = self::at($path)->refresh($file);
            [$result, $records] = $work($set);
            $set->append($file, $records, $windowMs);
            return [$result];
        } finally {
            fclose($file);
        }
    }

    /** @param resource $file */
    private function append($file, string $records, int $windowMs): void
    {
        if ($records === '') {
            return;
        }
        ftruncate($file, max(0, $this->bytes));
        fseek($file, $this->bytes);
        if (@fwrite($file, $records) !== strlen($records) || !fflush($file)) {
            ftruncate($file, max(0, $this->bytes));
            throw Failure::of(Status::Space, $this->path);
        }
        $this->take($records);
        if ($this->records > self::WASTE_MAX && $this->records > 2 * ($this->size($windowMs) + $this->pairs)) {
            $this->compact($windowMs);
        }
    }

    /** Replaces the file by one without records that no longer matter. Another writer then finds that this one was replaced. */
    private function compact(int $windowMs): void
    {
        $records = $this->position === '' ? '' : self::record($this->position, 0);
        foreach ($this->keys($windowMs) as $key) {
            foreach (array_keys($this->groups[$key] ?? [self::NO_GROUP => true]) as $group) {
                $change = $group === self::NO_GROUP ? $this->counts[$key] : 1;
                $records .= pack('VVPP', self::HEAD_BYTES + strlen($key), $change, $group, $this->times[$key]) . $key;
            }
        }
        try {
            Streams::save($this->path, self::file($records), 0600);
        } catch (\Bloom\BloomException) {
            // The longer file has the same keys.
        }
    }

    /** @param resource $file */
    private function refresh($file): self
    {
        rewind($file);
        $id = (string) fread($file, self::ID_BYTES);
        if ($id !== $this->id) {
            [$this->id, $this->bytes, $this->records, $this->pairs, $this->position] = [$id, self::ID_BYTES, 0, 0, ''];
            $this->counts = $this->groups = $this->times = [];
        }
        $size = fstat($file)['size'] ?? 0;
        $new = $size > $this->bytes && fseek($file, $this->bytes) === 0 ? (string) stream_get_contents($file, $size - $this->bytes) : '';
        // Without this check, a failed read would look like a set without keys.
        if (strlen($id) !== self::ID_BYTES || strlen($new) < $size - $this->bytes) {
            $this->id = '';
            throw Failure::of(Status::Live, $this->path);
        }
        $this->take($new);
        return $this;
    }

    /** Takes the complete records at the beginning of some bytes. */
    private function take(string $bytes): void
    {
        for ($at = 0; $at + self::HEAD_BYTES <= strlen($bytes); $at += $length) {
            /** @var array{length: int, change: int, group: int, time: int} $record */
            $record = unpack('Vlength/Vchange/Pgroup/Ptime', $bytes, $at);
            $length = $record['length'];
            if ($length < self::HEAD_BYTES || $at + $length > strlen($bytes)) {
                break;
            }
            $key = substr($bytes, $at + self::HEAD_BYTES, $length - self::HEAD_BYTES);
            $change = $record['change'] > 0x7FFFFFFF ? $record['change'] - (1 << 32) : $record['change'];
            $this->apply($key, $change, $record['group'], $record['time']);
            $this->bytes += $length;
            $this->records++;
        }
    }

    private function apply(string $key, int $change, int $group, int $time): void
    {
        if ($change === 0) {
            $this->position = $key;
            return;
        }
        $this->counts[$key] = ($this->counts[$key] ?? 0) + $change;
        $this->times[$key] = $time;
        if ($this->counts[$key] <= 0) {
            unset($this->counts[$key], $this->times[$key]);
        } elseif ($group !== self::NO_GROUP) {
            $this->pairs += isset($this->groups[$key][$group]) ? 0 : 1;
            $this->groups[$key][$group] = true;
        }
    }

    /** @param int $windowMs 0: keys stay */
    public function has(string $key, int $windowMs = 0): bool
    {
        // After a reboot, the time of an earlier key may be ahead.
        return isset($this->counts[$key]) && ($windowMs === 0 || Clock::monotonic() - $this->times[$key] < $windowMs);
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

    public function hasGroup(string $value, int $group): bool
    {
        return isset($this->groups[$value][$group]);
    }

    /** @return list<string> */
    public function keys(int $windowMs = 0): array
    {
        return array_values(array_filter(array_map(strval(...), array_keys($this->counts)), fn (string $key): bool => $this->has($key, $windowMs)));
    }

    public function size(int $windowMs = 0): int
    {
        return $windowMs === 0 ? count($this->counts) : count($this->keys($windowMs));
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
