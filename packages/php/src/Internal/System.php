<?php

namespace Bloom\Internal;

/**
 * What differs between Windows and other systems. The functions take the system as a parameter, so that tests on one system
 * cover the others.
 */
final class System
{
    private const DEVICE = '/\A(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\z)/i';
    private const TRIES_MAX = 100;
    private const PAUSE_US = 10_000;

    public static function isWindows(): bool
    {
        return PHP_OS_FAMILY === 'Windows';
    }

    /** Returns whether a path names the same file in every working directory: on Windows, C:\x, C:/x or \\server\share. */
    public static function isAbsolute(string $path, bool $isWindows): bool
    {
        return preg_match($isWindows ? '~\A(?:[A-Za-z]:[\\\\/]|[\\\\/]{2})~' : '~\A/~', $path) === 1;
    }

    /** Makes a path absolute. On Windows, \x is on the drive of the working directory, and C:x is on drive C. */
    public static function absolute(string $path, string $working, bool $isWindows): string
    {
        if (self::isAbsolute($path, $isWindows)) {
            return $path;
        }
        if (!$isWindows) {
            return "$working/$path";
        }
        if ($path[0] === '\\' || $path[0] === '/') {
            preg_match('~\A(?:[A-Za-z]:|[\\\\/]{2}[^\\\\/]+[\\\\/]+[^\\\\/]+)~', $working, $root);
            return ($root[0] ?? '') . $path;
        }
        if (preg_match('/\A[A-Za-z]:/', $path, $drive) === 1) {
            $isSame = strncasecmp($working, $drive[0], 2) === 0;
            return $isSame ? rtrim($working, '\\/') . '\\' . substr($path, 2) : "$drive[0]\\" . substr($path, 2);
        }
        return rtrim($working, '\\/') . "\\$path";
    }

    /**
     * Returns a file name that Windows accepts for the name of a filter. Names that differ only in case have different file
     * names. rawurldecode() converts the file name back.
     */
    public static function fileName(string $name): string
    {
        $file = self::caseless($name);
        if ($file !== '' && $file[0] !== '%' && preg_match(self::DEVICE, $name) === 1) {
            $file = self::escape($file[0]) . substr($file, 1);
        }
        return str_ends_with($file, '.') ? substr($file, 0, -1) . self::escape('.') : $file;
    }

    /** Escapes the upper-case letters of a text. */
    public static function caseless(string $text): string
    {
        return (string) preg_replace_callback('/[A-Z]/', static fn (array $found): string => self::escape($found[0]), $text);
    }

    private static function escape(string $byte): string
    {
        return sprintf('%%%02X', ord($byte));
    }

    /**
     * Calls a function, and repeats the call while it fails because another process has a file open. Windows refuses to open,
     * replace or remove such a file.
     *
     * @template T
     *
     * @param callable(): (T|false) $call
     *
     * @return T|false
     */
    public static function retry(callable $call): mixed
    {
        for ($tries = 1;; $tries++) {
            error_clear_last();
            $result = $call();
            if ($result !== false || $tries === self::TRIES_MAX
                || !self::isTransient(error_get_last()['message'] ?? '', self::isWindows())) {
                return $result;
            }
            usleep(self::PAUSE_US);
        }
    }

    /** Returns whether a PHP warning says that another process has the file open: ERROR_ACCESS_DENIED or a sharing violation. */
    public static function isTransient(string $warning, bool $isWindows): bool
    {
        return $isWindows && preg_match('/: Permission denied\z|\(code: (?:5|32|33)\)\z/', $warning) === 1;
    }

    /**
     * Closes a file and removes it. Windows does not remove an open file. If another process opens the file in between, the
     * file stays.
     *
     * @param resource $file
     */
    public static function remove($file, string $path): void
    {
        if (self::isWindows()) {
            fclose($file);
            @unlink($path);
        } else {
            @unlink($path);
            fclose($file);
        }
    }

    /**
     * Returns whether an open file still has its name.
     *
     * @param resource $file
     */
    public static function isAt($file, string $path): bool
    {
        clearstatcache();
        if (self::isWindows()) {
            return is_file($path); // An open file is not removed there.
        }
        $found = @stat($path);
        return $found !== false && $found['ino'] === (fstat($file)['ino'] ?? null);
    }
}
