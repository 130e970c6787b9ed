<?php

namespace Bloom\Cli;

/**
 * What differs between Windows and other systems. The functions take the system as a parameter, so that tests on one system
 * cover the others.
 */
final class System
{
    private const DEVICE = '(?:con|prn|aux|nul|com[0-9]|lpt[0-9])';
    private const TRIES_MAX = 100;
    private const PAUSE_US = 10_000;

    public static function isWindows(): bool
    {
        return PHP_OS_FAMILY === 'Windows';
    }

    /** Returns whether a text begins with a drive, such as C:, which must not be taken for the scheme of a URL. */
    public static function hasDrive(string $text, bool $isWindows): bool
    {
        return $isWindows && preg_match('/^[A-Za-z]:/', $text) === 1;
    }

    /**
     * Returns the path of a file URL: /path for file:///path. On Windows, C:/path for file:///C:/path, and //server/share for
     * file://server/share. Returns null if the text is not a valid file URL.
     */
    public static function pathOfUrl(string $url, bool $isWindows): ?string
    {
        if (preg_match('~^file://([^/?#]*)(/[^?#]*)$~', $url, $parts) !== 1) {
            return null;
        }
        [, $host, $path] = array_map(rawurldecode(...), $parts);
        $isLocal = $host === '' || $host === 'localhost';
        return match (true) {
            $isLocal && $isWindows && preg_match('~^/[A-Za-z]:(?:/|$)~', $path) === 1 => substr($path, 1),
            $isLocal => $path,
            $isWindows => "//$host$path",
            default => null,
        };
    }

    /** Returns whether PHP's functions take a path for a URL. They would warn about an unknown one. */
    public static function isUrl(string $path): bool
    {
        return preg_match('~^(?:[a-z0-9+.-]{2,}://|data:)~i', $path) === 1;
    }

    /** Returns the path of a file in a directory. */
    public static function join(string $directory, string $file, bool $isWindows): string
    {
        return $directory . (self::isSlash(substr($directory, -1), $isWindows) ? '' : '/') . $file;
    }

    /** Removes slashes at the end of a path, but not those of a root. */
    public static function trim(string $path, bool $isWindows): string
    {
        $trimmed = rtrim($path, $isWindows ? '/\\' : '/');
        return $trimmed === '' || ($isWindows && preg_match('/^[A-Za-z]:$/', $trimmed) === 1) ? $path : $trimmed;
    }

    /** Returns whether a path ends with a slash; on Windows, a backslash is a slash, too. */
    public static function endsInSlash(string $path, bool $isWindows): bool
    {
        return self::isSlash(substr($path, -1), $isWindows);
    }

    private static function isSlash(string $character, bool $isWindows): bool
    {
        return $character === '/' || ($isWindows && $character === '\\');
    }

    /** Returns whether a path leads to a device, as nul and C:\con.txt do on Windows. */
    public static function isDevice(string $path, bool $isWindows): bool
    {
        return $isWindows && preg_match('~(?:^|[\\\\/:])' . self::DEVICE . '(?:\.[^\\\\/]*)?$~iD', $path) === 1;
    }

    /** Returns the portable file name for the name of a filter (section 6.3 of docs/format.md). */
    public static function portableName(string $name): string
    {
        $isDevice = preg_match('/^' . self::DEVICE . '(?:\.|$)/iD', $name) === 1;
        return (string) preg_replace_callback(
            $isDevice ? '/^.|[A-Z]|\.$/D' : '/[A-Z]|\.$/D',
            static fn (array $found): string => sprintf('%%%02X', ord($found[0])),
            $name
        );
    }

    /** Returns the name of the filter that has a portable file name; null if no filter has it. */
    public static function nameOfPortable(string $file): ?string
    {
        $name = rawurldecode($file);
        return self::portableName($name) === $file ? $name : null;
    }

    /** Replaces a file with another one. On Windows, this fails while a process has the file open, so it is tried again. */
    public static function rename(string $from, string $to): bool
    {
        for ($tries = 1; !@rename($from, $to); $tries++) {
            if ($tries === self::TRIES_MAX || !self::isTransient(error_get_last()['message'] ?? '', self::isWindows())) {
                return false;
            }
            usleep(self::PAUSE_US);
        }
        return true;
    }

    /** Returns whether a PHP warning says that another process has a file open: ERROR_ACCESS_DENIED or a sharing violation. */
    public static function isTransient(string $warning, bool $isWindows): bool
    {
        return $isWindows && preg_match('/: Permission denied$|\(code: (?:5|32|33)\)$/D', $warning) === 1;
    }

    /**
     * Returns the path of a script in Debian's packages, or null if it does not exist. On Windows, always returns null: the
     * path would be on the current drive, where any user may create the file.
     */
    public static function debianFile(string $path, bool $isWindows): ?string
    {
        return !$isWindows && is_file($path) ? $path : null;
    }
}
