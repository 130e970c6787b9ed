<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;

/** Files and streams that callers pass. */
final class Streams
{
    public const STEP_BYTES = 4 << 20;
    private const PIECE_BYTES = 256 << 10;
    private const LINE_BYTES_MAX = 1 << 20;
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
                . Arguments::type($file) . ' given');
        }
        if ($file === '' || str_contains($file, "\0")) {
            throw Arguments::error($method, 'file', 'must be a path without null bytes');
        }
        clearstatcache(true); // PHP remembers for realpath_cache_ttl where links lead
        error_clear_last();
        $stream = @fopen($file, 'rb');
        // PHP opens a directory without an error.
        $isDirectory = $stream !== false && stream_get_meta_data($stream)['wrapper_type'] === 'plainfile'
            && is_dir($file);
        return $stream !== false && !$isDirectory ? $stream
            : throw self::failed($file, 'cannot be opened', $isDirectory ? 'Is a directory' : self::reason());
    }

    /** Returns what the operating system said last. */
    public static function reason(): string
    {
        $text = error_get_last()['message'] ?? '';
        // On Windows, "(code: 5)" follows the words of rename().
        return preg_match('/(?:: |errno=\d+ )([^:=]+?)(?: \(code: \d+\))?\z/', $text, $parts) === 1 ? $parts[1]
            : 'refused';
    }

    public static function failed(string $path, string $what, string $reason): BloomException
    {
        $path = (string) preg_replace('~^([^/]*://)[^/]*@~', '$1', $path); // without the user and password of a URL
        return new BloomException("$path: $what: $reason", Status::System->value);
    }

    /**
     * Reads until there are enough bytes or the stream ends.
     *
     * @param resource $stream
     */
    public static function take($stream, int $bytes, string $name = ''): string
    {
        for ($taken = ''; strlen($taken) < $bytes; $taken .= $piece) {
            $piece = self::piece($stream, min(self::PIECE_BYTES, $bytes - strlen($taken)), $name);
            if ($piece === '') {
                break;
            }
        }
        return $taken;
    }

    /** @param resource $stream */
    private static function piece($stream, int $bytes, string $name): string
    {
        if (!is_resource($stream)) { // A callback has closed it.
            throw new BloomException('The stream was closed during the read', Status::System->value);
        }
        error_clear_last();
        $piece = @fread($stream, max(1, $bytes));
        // After a failed read, feof() returns true: without this check, keys would be missing.
        return $piece !== false && error_get_last() === null ? $piece
            : throw new BloomException(($name === '' ? '' : "$name: ") . 'The file could not be read completely',
                Status::System->value);
    }

    /**
     * Takes the lines of a file. A line ends with LF or CR LF; the last one may also end with CR or nothing. Its
     * length is limited, so that a text without line ends does not fill the memory.
     *
     * @param callable(string): mixed $take
     * @param (callable(int): mixed)|null $progress called with the bytes so far, after each step and at the end
     *
     * @return int the number of lines
     */
    public static function lines(mixed $file, string $method, callable $take, ?callable $progress): int
    {
        $stream = self::open($file, $method);
        $name = is_string($file) ? $file : '';
        $rest = '';
        $count = $bytes = $reported = 0;
        while (!is_resource($stream) || !feof($stream)) {
            $piece = self::piece($stream, self::PIECE_BYTES, $name);
            $lines = explode("\n", $rest . $piece);
            // A piece is shorter than the limit, so only the line that began before it can be too long.
            if (strlen($lines[0]) > self::LINE_BYTES_MAX) {
                throw Failure::of(Status::Line, ($name === '' ? '' : "$name: ") . 'line ' . ($count + 1));
            }
            $rest = array_pop($lines);
            foreach ($lines as $line) {
                $take(str_ends_with($line, "\r") ? substr($line, 0, -1) : $line);
                $count++;
            }
            $bytes += strlen($piece);
            if ($progress !== null && $bytes - $reported >= self::STEP_BYTES) {
                $progress($reported = $bytes);
            }
        }
        if ($rest !== '') {
            $take(str_ends_with($rest, "\r") ? substr($rest, 0, -1) : $rest);
            $count++;
        }
        if ($progress !== null) {
            $progress($bytes);
        }
        return $count;
    }

    // ---- writing ----

    /**
     * Returns the file that a path leads to. A symbolic link is followed as protected_symlinks of Linux does: where
     * every user can create links, only those of this user and of the directory's owner. PHP resolves links before it
     * opens a file, so the kernel does not see them.
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
            if ($isShared && $owner !== System::user() && ($parent === false || $owner !== $parent['uid'])) {
                throw Failure::of(Status::RefusedLink, $path);
            }
            $target = str_starts_with((string) $link, '/') ? (string) $link : dirname($target) . "/$link";
        }
        return file_exists($target) ? $target : $path;
    }

    /**
     * Writes a file under a temporary name in its directory, and renames it. An existing file keeps its permissions,
     * as far as the mode allows them too if the file belongs to another user.
     */
    public static function save(string $path, string $bytes, int $mode = 0666): void
    {
        // A symbolic link stays, and its target is replaced. A device or a FIFO is never replaced.
        $path = self::target($path);
        if (file_exists($path) && !is_file($path)) {
            clearstatcache(); // Another process may remove the file between two checks.
            if (file_exists($path)) {
                throw self::failed($path, 'cannot be written', is_dir($path) ? 'Is a directory' : 'Invalid argument');
            }
        }
        $old = System::isWindows() || is_link($path) ? false : @lstat($path);
        $mode &= ~umask();
        if ($old !== false) {
            $mode = ($old['uid'] === System::user() ? 0666 : $mode) & $old['mode'];
        }
        $temporary = $path . '.' . bin2hex(random_bytes(8)) . '.tmp';
        $file = self::create($temporary, $mode);
        if ($file !== false && $old !== false && (fstat($file)['gid'] ?? null) !== $old['gid']) {
            // The group is a different one, so it gets the permissions of others. PHP could change the mode only
            // through the path.
            fclose($file);
            unlink($temporary);
            $file = self::create($temporary, $mode & (0707 | $mode << 3));
        }
        $isWritten = $file !== false && @fwrite($file, $bytes) === strlen($bytes) && fflush($file) && @fsync($file);
        if ($file !== false) {
            fclose($file);
        }
        if (!$isWritten || !System::retry(static fn (): bool => @rename($temporary, $path))) {
            $reason = self::reason();
            @unlink($temporary);
            throw self::failed($path, 'cannot be written', $reason);
        }
        self::syncDirectory(dirname($path));
    }

    /** @return resource|false */
    private static function create(string $path, int $mode)
    {
        $before = umask(~$mode & 0777);
        error_clear_last();
        $file = @fopen($path, 'xb');
        umask($before);
        return $file;
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
