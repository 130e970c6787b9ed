<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;

/** Files and streams that callers pass. */
final class Streams
{
    public const STEP_BYTES = 4 << 20;
    private const PIECE_BYTES = 256 << 10;
    private const LINKS_MAX = 40;

    /**
     * Opens a path for reading, or returns an open stream as it is.
     *
     * @return resource
     */
    public static function open(mixed $file, string $method)
    {
        if (is_resource($file) && in_array(get_resource_type($file), ['stream', 'persistent stream'], true)) {
            return $file;
        }
        if (is_resource($file) || gettype($file) === 'resource (closed)') {
            throw new \TypeError("Bloom\\$method(): supplied resource is not a valid stream resource");
        }
        if (!is_string($file)) {
            throw new \TypeError("Bloom\\$method(): Argument #1 (\$file) must be of type string|resource, "
                . Keys::type($file) . ' given');
        }
        if ($file === '' || str_contains($file, "\0")) {
            throw Arguments::error($method, 1, 'file', 'must be a path without null bytes');
        }
        clearstatcache(true); // PHP remembers for realpath_cache_ttl where links lead
        error_clear_last();
        $stream = @fopen($file, 'rb');
        // PHP opens a directory without an error.
        $isDirectory = $stream !== false && stream_get_meta_data($stream)['wrapper_type'] === 'plainfile' && is_dir($file);
        if ($stream === false || $isDirectory) {
            throw self::failed($file, 'cannot be opened', $stream === false ? self::reason() : 'Is a directory');
        }
        return $stream;
    }

    /** Returns what the operating system said last. */
    public static function reason(): string
    {
        $text = error_get_last()['message'] ?? '';
        // On Windows, "(code: 5)" follows the words of rename().
        return preg_match('/(?:: |errno=\d+ )([^:=]+?)(?: \(code: \d+\))?\z/', $text, $parts) === 1 ? $parts[1] : 'refused';
    }

    public static function failed(string $path, string $what, string $reason): BloomException
    {
        $path = (string) preg_replace('~^([^/]*://)[^/]*@~', '$1', $path); // without the user and password of a URL
        return new BloomException("$path: $what: $reason", Status::System->value);
    }

    /**
     * Yields the pieces of a stream.
     *
     * @param resource $stream
     *
     * @return \Generator<string>
     */
    public static function pieces($stream, string $name): \Generator
    {
        while (!feof($stream)) {
            $piece = self::piece($stream, $name, self::PIECE_BYTES);
            if ($piece !== '') {
                yield $piece;
                self::checkOpen($stream);
            }
        }
    }

    /**
     * Reads until there are enough bytes or the stream ends.
     *
     * @param resource $stream
     */
    public static function take($stream, string $name, int $bytes): string
    {
        $taken = '';
        while (strlen($taken) < $bytes) {
            $piece = self::piece($stream, $name, min(self::PIECE_BYTES, $bytes - strlen($taken)));
            if ($piece === '') {
                break;
            }
            $taken .= $piece;
        }
        return $taken;
    }

    /** @param resource $stream */
    private static function piece($stream, string $name, int $bytes): string
    {
        error_clear_last();
        $piece = @fread($stream, max(1, $bytes));
        // After a failed read, feof() returns true: without this check, keys would be missing.
        if ($piece === false || error_get_last() !== null) {
            throw new BloomException(($name === '' ? '' : "$name: ") . 'The file could not be read completely',
                Status::System->value);
        }
        return $piece;
    }

    /** @param resource $stream a callback may have closed it */
    public static function checkOpen($stream): void
    {
        if (!is_resource($stream)) {
            throw new BloomException('The stream was closed during the read', Status::System->value);
        }
    }

    /**
     * Returns the bytes that are left in a file.
     *
     * @param resource $stream
     *
     * @return int|null null: the size is unknown
     */
    public static function bytesLeft($stream): ?int
    {
        $found = @fstat($stream);
        $at = @ftell($stream);
        return $found !== false && ($found['mode'] & 0170000) === 0100000 && $at !== false && $found['size'] >= $at
            ? $found['size'] - $at : null;
    }

    /**
     * Returns the file that a path leads to. A symbolic link is followed as protected_symlinks of Linux does: where every user
     * can create links, only those of this user and of the directory's owner. PHP resolves links before it opens a file, so
     * the kernel does not see them.
     */
    public static function target(string $path): string
    {
        clearstatcache(true);
        if (System::isWindows()) {
            return realpath($path) ?: $path;
        }
        $target = $path;
        for ($links = 0; is_link($target) && $links < self::LINKS_MAX; $links++) {
            [$found, $parent, $link] = [@lstat($target), @stat(dirname($target)), @readlink($target)];
            $owner = $found === false ? -1 : $found['uid'];
            $isShared = $parent === false || ($parent['mode'] & 01002) === 01002;
            if ($isShared && $owner !== Process::user() && ($parent === false || $owner !== $parent['uid'])) {
                throw Failure::of(Status::RefusedLink, $path);
            }
            $target = str_starts_with((string) $link, '/') ? (string) $link : dirname($target) . "/$link";
        }
        return file_exists($target) ? $target : $path;
    }

    /**
     * Creates a file that will replace another one, with the mode of that file if it belongs to this user, and otherwise with no
     * permission that the mode does not have. PHP could change the mode later only through the path.
     *
     * @return resource|false
     */
    private static function create(string $path, string $temporary, int $mode)
    {
        $old = is_link($path) ? false : @lstat($path); // Every link has mode 0777.
        $mode &= ~umask();
        if ($old !== false && !System::isWindows()) {
            $mode = ($old['uid'] === Process::user() ? 0666 : $mode) & $old['mode'];
        }
        for ($isAgain = false;; $isAgain = true) {
            $mask = umask(~$mode & 0777);
            error_clear_last();
            $file = @fopen($temporary, 'xb');
            umask($mask);
            $others = $mode & ~070 | ($mode & $mode << 3 & 070);
            if ($file === false || $old === false || $isAgain || $mode === $others || (fstat($file)['gid'] ?? null) === $old['gid']) {
                return $file;
            }
            // The group is a different one, so it gets the permissions of others.
            fclose($file);
            unlink($temporary);
            $mode = $others;
        }
    }

    /** Writes a file under a temporary name in its directory, and renames it. Keeps the mode of an existing file. */
    public static function save(string $path, string $bytes, int $mode = 0666): void
    {
        // A symbolic link stays, and its target is replaced. A device or a FIFO is never replaced.
        $path = self::target($path);
        // Another process may remove the file between two checks.
        $isOther = file_exists($path) && !is_file($path);
        clearstatcache();
        if ($isOther && file_exists($path)) {
            throw self::failed($path, 'cannot be written', is_dir($path) ? 'Is a directory' : 'Invalid argument');
        }
        if (strlen($bytes) > Process::fileBytesMax()) {
            throw self::failed($path, 'cannot be written', 'File too large');
        }
        $temporary = $path . '.' . bin2hex(random_bytes(8)) . '.tmp';
        $file = self::create($path, $temporary, $mode);
        if ($file === false) {
            throw self::failed($path, 'cannot be written', self::reason());
        }
        $isWritten = @fwrite($file, $bytes) === strlen($bytes) && fflush($file) && @fsync($file);
        fclose($file);
        if (!$isWritten || !System::retry(static fn (): bool => @rename($temporary, $path))) {
            $reason = self::reason();
            @unlink($temporary);
            throw self::failed($path, 'cannot be written', $reason);
        }
        self::syncDirectory(dirname($path));
    }

    /** Makes the names of new files survive a power failure. Ignores errors: not every file system can do this. */
    public static function syncDirectory(string $path): void
    {
        $directory = !System::isWindows() && is_dir($path) ? @fopen($path, 'rb') : false;
        if ($directory !== false) {
            @fsync($directory);
            fclose($directory);
        }
    }
}
