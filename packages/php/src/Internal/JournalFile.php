<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;
use Bloom\StoreException;

/**
 * The end of a journal in a directory: section 11.2 of docs/format.md. Only the extension can do more with it.
 *
 *     0       8         16      24     32           40    48     56    64
 *     ├ magic ┼ version ┼ epoch ┼ base ┼ base check ┼ end ┼ last ┼ sum ┼ record │ record │ … │ last record ┤
 *
 * @internal
 */
final class JournalFile
{
    private const MAGIC = "\x89BLJRNL\n";
    private const HEADER_BYTES = 64;
    private const READS_MAX = 1000;
    private const RECORD_BYTES_MIN = 48;
    private const RECORD_BYTES_MAX = 1 << 20;

    /** @return array{string, string} the position of the end, and the last record */
    public static function last(string $path): array
    {
        error_clear_last();
        try {
            $target = Streams::target($path);
        } catch (BloomException $error) {
            throw self::failed($path, 'cannot be opened' . substr($error->getMessage(), strlen($path)));
        }
        $file = @fopen($target, 'rb');
        if ($file === false) {
            throw self::failed($path, 'cannot be opened: ' . Streams::reason());
        }
        try {
            stream_set_read_buffer($file, 0); // An append changes the header in place.
            [$epoch, $base, $end, $last] = self::header($file, $path);
            $record = $end === $last ? '' : self::bytes($file, $path, self::HEADER_BYTES + $last - $base, $end - $last);
        } finally {
            fclose($file);
        }
        if ($record !== '' && substr($record, 4, 4) !== pack('V', strlen($record))) {
            throw self::damaged($path, 'its last record is damaged');
        }
        return [sprintf('%u-%u-%s', $epoch, $end, bin2hex($record === '' ? str_repeat("\0", 8) : substr($record, -8))), $record];
    }

    /**
     * An append may change the header while it is read, so a header with a wrong checksum is read again.
     *
     * @param resource $file
     *
     * @return array{int, int, int, int} the epoch, and the offsets of the first record, of the end and of the last record
     */
    private static function header($file, string $path): array
    {
        for ($i = 0; $i < self::READS_MAX; $i++) {
            $bytes = self::bytes($file, $path, 0, self::HEADER_BYTES);
            $covered = substr($bytes, 0, 56);
            if (str_starts_with($bytes, self::MAGIC . pack('V', 1)) && strrev(hash('xxh3', $covered, true)) === substr($bytes, 56)) {
                [1 => $epoch, 2 => $base, 4 => $end, 5 => $last] = Unpack::words(substr($covered, 16));
                $isEmpty = $last === $end && $base === $end;
                if ($epoch === 0 || $base < 0 || $last < $base || ($last >= $end && !$isEmpty)) {
                    break;
                }
                if (!$isEmpty && ($end - $last < self::RECORD_BYTES_MIN || $end - $last > self::RECORD_BYTES_MAX)) {
                    throw self::damaged($path, 'the length of a record is out of range');
                }
                return [$epoch, $base, $end, $last];
            }
            usleep(1);
        }
        throw self::damaged($path, 'its header is damaged');
    }

    /** @param resource $file */
    private static function bytes($file, string $path, int $at, int $count): string
    {
        error_clear_last();
        $bytes = fseek($file, $at) === 0 ? @stream_get_contents($file, $count) : false;
        if ($bytes === false || error_get_last() !== null) {
            throw self::failed($path, 'cannot be read: ' . Streams::reason());
        }
        if (strlen($bytes) !== $count) {
            throw self::damaged($path, $at === 0 ? 'it has no header' : 'records at its end are missing');
        }
        return $bytes;
    }

    private static function damaged(string $path, string $what): StoreException
    {
        return self::failed($path, "not a valid journal: $what (remove the file, and build and publish the filter with a new mark)");
    }

    private static function failed(string $path, string $text): StoreException
    {
        return new StoreException("$path: $text", Status::Store->value);
    }
}
