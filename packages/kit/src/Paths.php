<?php

declare(strict_types=1);

namespace Bloom\Kit;

/** Tells paths from URLs. The functions take the system as a parameter, so that tests on one system cover the others. */
final class Paths
{
    public static function isWindows(): bool
    {
        return \PHP_OS_FAMILY === 'Windows';
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
    public static function ofUrl(string $url, bool $isWindows): ?string
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

    /**
     * Returns the path of a script in Debian's packages, or null if it does not exist. On Windows, always returns null: the
     * path would be on the current drive, where any user may create the file.
     */
    public static function debianFile(string $path, bool $isWindows): ?string
    {
        return !$isWindows && is_file($path) ? $path : null;
    }
}
