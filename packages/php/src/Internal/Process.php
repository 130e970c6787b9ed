<?php

namespace Bloom\Internal;

/** What PHP reports about its own process only with the extension posix, which is not always there. */
final class Process
{
    /** Returns the user on whose behalf this process opens files; null: unknown. */
    public static function user(): ?int
    {
        if (function_exists('posix_geteuid')) {
            return posix_geteuid();
        }
        /** @var int|false|null $user */
        static $user = null;
        if ($user === null && !System::isWindows()) {
            // A new file belongs to that user.
            $file = @tmpfile();
            $user = $file === false ? false : (fstat($file)['uid'] ?? false);
        }
        return is_int($user) ? $user : null;
    }

    /** Returns the size limit of files that this process writes. Exceeding it raises SIGXFSZ, which kills it. */
    public static function fileBytesMax(): int
    {
        return preg_match('/^Max file size +(\d+) /m', self::proc('self/limits'), $parts) === 1 ? (int) $parts[1] : PHP_INT_MAX;
    }

    /**
     * Names this process in a way that no other one will have: the boot, the namespaces, the PID and the start time.
     *
     * @return string "" if /proc does not tell
     */
    public static function name(): string
    {
        $pid = (int) getmypid();
        [$prefix, $start] = [self::prefix(), self::started($pid)];
        return $prefix === null || $start === null ? '' : "$prefix$pid.$start[0]";
    }

    /** Returns whether a process with this name was on this host and exists no more. */
    public static function isGone(string $name): bool
    {
        $prefix = $name === '' ? null : self::prefix();
        if ($prefix === null || !str_starts_with($name, $prefix)
            || preg_match('/\A(\d{1,10})\.(\d+)/', substr($name, strlen((string) $prefix)), $parts) !== 1 || $parts[1] < 1) {
            return false;
        }
        $now = self::started((int) $parts[1]);
        if ($now === null) {
            // If /proc hides the processes of other users, it also hides the first one.
            clearstatcache();
            return !is_dir("/proc/$parts[1]") && is_dir('/proc/1');
        }
        // Another process may have the PID now.
        return $now[0] !== $parts[2] || $now[1];
    }

    /** Returns what the names of all processes of this boot and these namespaces begin with. */
    private static function prefix(): ?string
    {
        $boot = rtrim(self::proc('sys/kernel/random/boot_id'));
        $processes = self::inode('/proc/self/ns/pid');
        // Otherwise, /proc shows the processes of another namespace.
        $isOurs = @readlink('/proc/self') === (string) getmypid();
        return $boot === '' || $processes === 0 || !$isOurs ? null
            : sprintf('%.40s.%x.%x.', $boot, $processes, self::inode('/proc/self/ns/time'));
    }

    /** Returns what a file in /proc says; "": there is none. */
    public static function proc(string $name): string
    {
        return PHP_OS_FAMILY === 'Linux' ? (string) @file_get_contents("/proc/$name") : '';
    }

    private static function inode(string $path): int
    {
        $found = @stat($path);
        return $found === false ? 0 : $found['ino'];
    }

    /** @return array{string, bool}|null when a process started, in ticks since the boot, and whether it has ended */
    private static function started(int $pid): ?array
    {
        // The name of the program, in parentheses, may have spaces and parentheses. The state, the number of threads
        // and the start time are the fields 3, 20 and 22.
        $fields = explode(' ', substr((string) strrchr(self::proc("$pid/stat"), ')'), 2));
        return isset($fields[19]) ? [$fields[19], in_array($fields[0], ['Z', 'X'], true) && $fields[17] <= 1] : null;
    }
}
