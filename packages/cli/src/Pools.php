<?php

namespace Bloom\Cli;

/** The pools of PHP-FPM and the processes on this host, as far as any user can see them. */
final class Pools
{
    private const CONFIGURATION = ['etc/php/*/fpm/pool.d', 'usr/local/etc/php-fpm.d', 'etc/php*/php-fpm.d', 'etc/php-fpm.d'];

    /**
     * Returns the pools that are configured, and those that are running with another user.
     *
     * @return list<array{pool: string, user: string, path: string|null}> path: bloom.path, if the pool sets it
     */
    public static function all(string $root = ''): array
    {
        $pools = [];
        foreach (self::CONFIGURATION as $directory) {
            foreach (glob("$root/$directory/*.conf") ?: [] as $file) {
                $pools = [...$pools, ...self::configured((string) @file_get_contents($file))];
            }
        }
        foreach (self::processes($root) as [$title, $user]) {
            if (preg_match('/^php-fpm: pool ([^\s\x00]+)/', $title, $parts)) {
                $same = array_filter($pools, static fn (array $one): bool => $one['pool'] === $parts[1] && $one['user'] === $user);
                $pools = $same === [] ? [...$pools, ['pool' => $parts[1], 'user' => $user, 'path' => null]] : $pools;
            }
        }
        return $pools;
    }

    /** @return list<array{pool: string, user: string, path: string|null}> */
    public static function configured(string $text): array
    {
        $pools = [];
        foreach (preg_split('/\n/', $text) ?: [] as $line) {
            if (preg_match('/^\s*\[(.+)\]/', $line, $parts)) {
                $pool = $parts[1];
            } elseif (isset($pool) && preg_match('/^\s*(user|php_(?:admin_)?value\[bloom\.path\])\s*=\s*"?([^";\s]+)/', $line, $parts)) {
                $pools[$pool] ??= ['pool' => $pool, 'user' => '', 'path' => null];
                $pools[$pool][$parts[1] === 'user' ? 'user' : 'path'] = str_replace('$pool', $pool, $parts[2]);
            }
        }
        return array_values(array_filter($pools, static fn (array $one): bool => $one['user'] !== ''));
    }

    /** Returns the number of a process of this user that keeps syncing; null: none is visible, for example because it runs in another container. */
    public static function syncing(string $user, string $root = ''): ?int
    {
        foreach (self::processes($root) as $process => [$title, $owner]) {
            if ($owner === $user && preg_match('~bloom\x00(?:.*\x00)?sync\x00(?:.*\x00)?--every~s', $title)) {
                return $process;
            }
        }
        return null;
    }

    /**
     * Returns the masters of PHP-FPM that run without the extension, or with a file that was replaced since. Only root can look into
     * a process of another user.
     *
     * @return array<int, array{string, string}> process → what is wrong, and the remedy
     */
    public static function outdated(string $root = ''): array
    {
        $found = [];
        foreach (self::processes($root) as $process => [$title]) {
            $maps = str_starts_with($title, 'php-fpm: master') ? (string) @file_get_contents("$root/proc/$process/maps") : '';
            $what = match (true) {
                $maps === '' => null,
                !str_contains($maps, '/bloom.so') => 'was started before the extension was enabled',
                preg_match('~/bloom\.so \(deleted\)$~m', $maps) === 1 => 'still uses the file of the extension that was replaced',
                default => null,
            };
            if ($what !== null) {
                $found[$process] = [$what, preg_match('~/etc/php/([\d.]+)/~', $title, $parts) ? "service php$parts[1]-fpm restart" : "kill -USR2 $process"];
            }
        }
        return $found;
    }

    /** @return array<int, array{string, string}> process → command line with zero bytes, and user */
    private static function processes(string $root): array
    {
        $processes = [];
        foreach (glob("$root/proc/[0-9]*", GLOB_ONLYDIR) ?: [] as $directory) {
            $title = (string) @file_get_contents("$directory/cmdline", length: 4096);
            $status = preg_match('/^php-fpm:|\x00sync\x00/', $title) ? (string) @file_get_contents("$directory/status") : '';
            if (preg_match('/^Uid:\s+\d+\s+(\d+)/m', $status, $parts) && !self::isElsewhere($directory, $status)) {
                $processes[(int) basename($directory)] = [$title, self::userName((int) $parts[1])];
            }
        }
        return $processes;
    }

    /** Returns whether a process is in a container or a chroot, with files of its own. Only root can see which ones. */
    private static function isElsewhere(string $directory, string $status): bool
    {
        $files = @stat("$directory/root/.");
        return preg_match('/^NSpid:\s+\d+\s+\d/m', $status) === 1 || $files !== false && [$files['dev'], $files['ino']] !== [stat('/')['dev'], stat('/')['ino']];
    }

    /** Returns the name of a user, or the number if the user has none. */
    public static function userName(int $id): string
    {
        return (function_exists('posix_getpwuid') ? posix_getpwuid($id)['name'] ?? null : null) ?? (string) $id;
    }
}
