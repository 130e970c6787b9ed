<?php

namespace Bloom\Internal;

use Bloom\BusyException;
use Bloom\Status;
use Bloom\StoreException;

/**
 * A journal in a directory: docs/dev/journal.md. Offsets count the bytes of all records.
 *
 *     0       8         16      24     32           40    48     56    64
 *     ├ magic ┼ version ┼ epoch ┼ base ┼ base check ┼ end ┼ last ┼ sum ┼ record │ record │ … │ last record ┤
 */
final class JournalFile
{
    private const MAGIC = "\x89BLJRNL\n";
    private const HEADER_BYTES = 64;
    private const READS_MAX = 100;
    private const NO_CHECK = "\0\0\0\0\0\0\0\0";

    private int $epoch = 0;
    private int $base = 0;
    private string $baseCheck = self::NO_CHECK;
    private int $end = 0;
    private int $last = 0;

    /** @param resource $file */
    private function __construct(private $file, private string $path)
    {
        stream_set_read_buffer($file, 0); // An append changes the header in place.
        $this->readHeader();
    }

    /**
     * Runs a function with the journal open; null: there is none.
     *
     * @template T
     *
     * @param callable(self): T $work
     *
     * @return T|null
     */
    public static function use(string $path, string $mode, callable $work): mixed
    {
        error_clear_last();
        $isOther = file_exists($path) && !is_file($path);
        $file = $isOther ? throw self::failed($path, 'not a file') : @fopen($path, $mode);
        if ($file === false) {
            $reason = Streams::reason();
            return $reason === 'No such file or directory' ? null
                : throw self::failed($path, "cannot be opened: $reason");
        }
        try {
            return $work(new self($file, $path));
        } finally {
            fclose($file);
        }
    }

    /** Waits for the lock of the directory's writers. Returns false if the file has been replaced meanwhile. */
    public function isLocked(): bool
    {
        self::lock($this->file, $this->path);
        $this->readHeader();
        return System::isAt($this->file, $this->path);
    }

    /** @param resource $file */
    public static function lock($file, string $path): void
    {
        try {
            System::lock($file, LOCK_EX);
        } catch (BusyException) {
            throw self::failed($path, 'another process held the lock for the whole lock timeout '
                . '(try again, or raise bloom.lock_timeout)');
        }
    }

    /** Returns the bytes of a new journal. */
    public static function header(): string
    {
        return self::headerOf(random_int(1, PHP_INT_MAX), 0, self::NO_CHECK, 0, 0);
    }

    private static function headerOf(int $epoch, int $base, string $baseCheck, int $end, int $last): string
    {
        $header = self::MAGIC . pack('VVPPa8PP', 1, 0, $epoch, $base, $baseCheck, $end, $last);
        return $header . strrev(hash('xxh3', $header, true));
    }

    /** An append may change the header while it is read, so a header with a wrong checksum is read again. */
    private function readHeader(): void
    {
        for ($i = 0; $i < self::READS_MAX; $i++) {
            $bytes = $this->bytes(0, self::HEADER_BYTES);
            [1 => $this->epoch, 2 => $this->base, 4 => $this->end, 5 => $this->last] = Unpack::words(substr($bytes, 16, 40));
            $this->baseCheck = substr($bytes, 32, 8);
            if ($bytes === self::headerOf($this->epoch, $this->base, $this->baseCheck, $this->end, $this->last)) {
                $isEmpty = $this->last === $this->end && $this->base === $this->end;
                $isOrdered = $this->epoch !== 0 && $this->base >= 0 && $this->last >= $this->base
                    && $this->end >= $this->last;
                if (!$isOrdered || (!$isEmpty && !self::isLength($this->end - $this->last))) {
                    throw $this->damaged('the length of a record is out of range');
                }
                return;
            }
            usleep(1);
        }
        throw $this->damaged('its header is damaged');
    }

    private static function isLength(int $bytes): bool
    {
        return $bytes >= JournalReader::RECORD_BYTES_MIN && $bytes <= JournalReader::RECORD_BYTES_MAX;
    }

    private function bytes(int $at, int $count): string
    {
        error_clear_last();
        $bytes = fseek($this->file, $at) === 0 ? @stream_get_contents($this->file, $count) : false;
        if ($bytes === false || error_get_last() !== null) {
            throw self::failed($this->path, 'cannot be read: ' . Streams::reason());
        }
        return strlen($bytes) === $count ? $bytes
            : throw $this->damaged($at === 0 ? 'it has no header' : 'records at its end are missing');
    }

    private function records(int $offset, int $count): string
    {
        return $count === 0 ? '' : $this->bytes(self::HEADER_BYTES + $offset - $this->base, $count);
    }

    private function position(int $offset, string $check): string
    {
        return sprintf('%u-%u-%s', $this->epoch, $offset, bin2hex($check));
    }

    /** @return array{string, string} the position of the end, and the last record */
    public function last(): array
    {
        $record = $this->records($this->last, $this->end - $this->last);
        if ($record !== '' && substr($record, 4, 4) !== pack('V', strlen($record))) {
            throw $this->damaged('its last record is damaged');
        }
        return [$this->position($this->end, $record === '' ? $this->baseCheck : substr($record, -8)), $record];
    }

    /** @return array<string, string>|null the records after a position; null: the journal does not continue from it */
    public function read(string $position, int $limit): ?array
    {
        $at = $this->offsetOf($position);
        $found = $at === null ? null : [];
        for ($total = 0; $at !== null && $at < $this->end && $total < $limit; $total += $length) {
            $length = $this->lengthAt($at);
            $record = $this->records($at, $length);
            $at += $length;
            $found[$this->position($at, substr($record, -8))] = $record;
        }
        return $found;
    }

    /** Returns the offset of a position, or null if the journal does not have it. */
    private function offsetOf(string $position): ?int
    {
        [1 => $epoch, 2 => $at] = Unpack::words(substr((string) Mark::pack($position), 0, 16)) + [1 => 0, 2 => 0];
        if ($epoch !== $this->epoch || $at < $this->base || $at > $this->end) {
            return null;
        }
        $check = $at === $this->base ? $this->baseCheck : $this->records($at - 8, 8);
        return $this->position($at, $check) === $position ? $at : null;
    }

    private function lengthAt(int $offset): int
    {
        $length = $offset + 8 > $this->end ? 0 : Unpack::word($this->records($offset + 4, 4) . "\0\0\0\0");
        return self::isLength($length) && $offset + $length <= $this->end ? $length
            : throw $this->damaged('the length of a record is out of range');
    }

    /** Returns the bytes of the journal without the records before a position; null: nothing is to be removed. */
    public function trimmed(string $position): ?string
    {
        $to = $this->offsetOf($position);
        for ($at = $this->base; $to !== null && $at < $to; $at += $length) {
            $length = $this->lengthAt($at);
            if ($at + $length === $to && $at > $this->base) {
                return self::headerOf($this->epoch, $at, $this->records($at - 8, 8), $this->end, $this->last)
                    . $this->records($at, $this->end - $at);
            }
        }
        return null;
    }

    /**
     * Appends records. The caller holds the lock. The records are on the disk before the header says that they exist.
     *
     * @param non-empty-list<string> $records
     */
    public function append(array $records): string
    {
        $all = implode('', $records);
        $newest = end($records);
        $end = $this->end + strlen($all);
        $this->write(self::HEADER_BYTES + $this->end - $this->base, $all);
        $this->write(40, substr(self::headerOf($this->epoch, $this->base, $this->baseCheck, $end,
            $end - strlen($newest)), 40));
        return $this->position($end, substr($newest, -8));
    }

    private function write(int $at, string $bytes): void
    {
        error_clear_last();
        $isWritten = fseek($this->file, $at) === 0 && @fwrite($this->file, $bytes) === strlen($bytes)
            && fflush($this->file);
        if (!$isWritten || !@fsync($this->file)) {
            $reason = Streams::reason();
            @ftruncate($this->file, max(0, self::HEADER_BYTES + $this->end - $this->base));
            throw self::failed($this->path, "cannot be appended to: $reason");
        }
    }

    private function damaged(string $what): StoreException
    {
        return self::failed($this->path,
            "not a valid journal: $what (remove the file, and build and publish the filter with "
            . 'a new mark)');
    }

    private static function failed(string $path, string $text): StoreException
    {
        return new StoreException("$path: $text", Status::Store->value);
    }
}
