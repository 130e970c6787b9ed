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

    /** Returns the portable file name for the name of a filter (docs/dev/store.md). */
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
}
