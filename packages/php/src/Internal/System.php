<?php

namespace Bloom\Internal;

use Bloom\Status;

/** Settings, clocks, locks and file names: what depends on the operating system or on php.ini. */
final class System
{
    private const DEVICE = '/\A(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\z)/i';
    private const TRIES_MAX = 100;
    private const PAUSE_US = 10_000;

    public static function isWindows(): bool
    {
        return PHP_OS_FAMILY === 'Windows';
    }

    /** Returns a setting as it is in php.ini or after -d; "": it is not set. ini_get() does not work without the extension. */
    public static function setting(string $name): string
    {
        $value = get_cfg_var("bloom.$name");
        return is_string($value) ? $value : '';
    }

    /** Returns the user on whose behalf this process opens files; null: unknown. */
    public static function user(): ?int
    {
        if (function_exists('posix_geteuid')) {
            return posix_geteuid();
        }
        // A new file belongs to that user.
        $file = self::isWindows() ? false : @tmpfile();
        return $file === false ? null : (fstat($file)['uid'] ?? null);
    }

    /** Returns the milliseconds since 1970. */
    public static function milliseconds(): int
    {
        return (int) floor(microtime(true) * 1000);
    }

    /** Returns milliseconds that changes of the host's clock do not affect. They start again at a reboot. */
    public static function monotonic(): int
    {
        return intdiv(hrtime(true), 1_000_000);
    }

    /** Returns an ID of the time since the last reboot; "": unknown. */
    public static function boot(): string
    {
        return PHP_OS_FAMILY === 'Linux' ? rtrim((string) @file_get_contents('/proc/sys/kernel/random/boot_id')) : '';
    }

    /** Returns whether a path is the same file in every working directory: on Windows, C:\x, C:/x or \\server\share. */
    public static function isAbsolute(string $path, bool $isWindows): bool
    {
        return preg_match($isWindows ? '~\A(?:[A-Za-z]:[\\\\/]|[\\\\/]{2})~' : '~\A/~', $path) === 1;
    }

    /**
     * Returns a file name that Windows accepts for the name of a filter: docs/dev/store.md, "Portable file names". Names that
     * differ only in case have different file names. rawurldecode() converts the file name back.
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
        return (string) preg_replace_callback('/[A-Z]/', static fn (array $found): string => self::escape($found[0]),
            $text);
    }

    private static function escape(string $byte): string
    {
        return sprintf('%%%02X', ord($byte));
    }

    /**
     * Calls a function, and repeats the call while it fails because another process has the file open: Windows
     * refuses to open, replace or remove such a file.
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
            $isOpen = preg_match('/: Permission denied\z|\(code: (?:5|32|33)\)\z/', error_get_last()['message']
                ?? '') === 1;
            if ($result !== false || $tries === self::TRIES_MAX || !$isOpen || !self::isWindows()) {
                return $result;
            }
            usleep(self::PAUSE_US);
        }
    }

    /**
     * Takes the lock of a file, which ends when the file is closed.
     *
     * @param resource $file
     * @param 1|2 $kind LOCK_SH or LOCK_EX
     */
    public static function lock($file, int $kind, string $name = ''): void
    {
        $seconds = self::setting('lock_timeout');
        $deadline = hrtime(true) + (is_numeric($seconds) ? (float) $seconds : 5.0) * 1e9;
        for ($pause = 100; !flock($file, $kind | LOCK_NB); $pause = min(2 * $pause, 20_000)) {
            if (hrtime(true) >= $deadline) {
                throw Failure::of(Status::Busy, ltrim("$name: locking", ': '));
            }
            usleep($pause);
        }
    }

    /**
     * Returns whether an open file still has its name. Windows neither removes nor replaces an open file.
     *
     * @param resource $file
     */
    public static function isAt($file, string $path): bool
    {
        clearstatcache();
        $found = self::isWindows() ? fstat($file) : @stat($path);
        return $found !== false && $found['ino'] === (fstat($file)['ino'] ?? null);
    }
}
