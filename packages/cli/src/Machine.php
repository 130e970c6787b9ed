<?php

namespace Bloom\Cli;

/** The checks of bloom doctor that need neither the extension nor symfony/console: each PHP, the user, and the room for filters. */
final class Machine
{
    private const DOCKER_BYTES = 64 << 20;
    private const FULL_BYTES = 1 << 20;

    /**
     * @param list<string> $arguments argv
     * @param string $root the directory that contains etc, proc and usr
     *
     * @return list<Finding> in an order in which a cause comes before its consequences
     */
    public static function findings(array $arguments, string $root = ''): array
    {
        $own = PhpBinary::own();
        $fpms = PhpBinary::fpms($root);
        $unloaded = $own->bloom === null ? [$own] : [];
        $findings = array_map(static fn (PhpBinary $php): Finding => $php->finding(), [...$unloaded, ...$fpms]);
        foreach ($fpms as $fpm) {
            if ($own->bloom !== null && $fpm->bloom !== null && $fpm->bloom !== $own->bloom) {
                $findings[] = Finding::warn($fpm->name, "loads the extension $fpm->bloom, but this command has $own->bloom", PhpBinary::INSTALL);
            }
        }
        $isEnabled = array_filter(array_column($fpms, 'bloom')) !== [];
        foreach ($isEnabled ? Pools::outdated($root) : [] as $process => [$what, $remedy]) {
            $findings[] = Finding::fail('PHP-FPM', "process $process $what", $remedy);
        }
        $user = self::user();
        $pools = array_map(static fn (array $pool): array => ['path' => $pool['path'] ?? ($fpms === [] ? $own->path : $fpms[0]->path)] + $pool, Pools::all($root));
        return [...$findings, ...($user === null ? [] : [self::users($user, $own->path, $pools, $arguments)])];
    }

    /**
     * Prints what the checks find if no command can run.
     *
     * @param string $why the reason and, after a colon, the remedy
     * @param list<string> $arguments argv
     */
    public static function withoutCommands(string $why, array $arguments): never
    {
        [$what, $remedy] = explode(': ', $why, 2);
        // Why the extension is missing is the first finding of the others.
        $first = extension_loaded('bloom') ? [Finding::fail('bloom', $what, preg_replace(['/^run /', '/, or /'], ['', '    # or: '], $remedy))] : [];
        $lines = Finding::lines([...$first, ...self::findings($arguments), self::room((string) get_cfg_var('bloom.path') ?: '/dev/shm')], 80);
        // Without mbstring, the characters that a terminal obeys cannot be told from others.
        echo preg_replace('/[^\n\x20-\x7e]/', '?', implode("\n", $lines)), "\n";
        exit(69);
    }

    /** Returns the beginning of a command that a user runs as another one. */
    public static function as(?string $user, string $other): string
    {
        return ($user === 'root' ? 'runuser' : 'sudo') . " -u $other --";
    }

    /** Returns the name of this user; null: the system does not tell. */
    public static function user(): ?string
    {
        return function_exists('posix_geteuid') ? Pools::userName(posix_geteuid()) : null;
    }

    /** @return list<string> the users that must be able to read a store: this one, or those of the pools */
    public static function readers(string $root): array
    {
        $user = self::user();
        return $user === 'root' ? array_values(array_unique(array_column(Pools::all($root), 'user'))) : array_filter([$user]);
    }

    /**
     * Each user has separate filters, and so has each bloom.path.
     *
     * @param list<array{pool: string, user: string, path: string}> $pools
     * @param list<string> $arguments argv
     */
    public static function users(string $user, string $path, array $pools, array $arguments): Finding
    {
        $own = array_filter($pools, static fn (array $pool): bool => $pool['user'] === $user);
        $same = array_values(array_filter($own, static fn (array $pool): bool => $pool['path'] === $path));
        if ($pools === []) {
            return Finding::ok('user', "$user; no pool of PHP-FPM was found");
        }
        if ($same !== []) {
            return Finding::ok('user', "$user, like the pool {$same[0]['pool']} of PHP-FPM");
        }
        $pool = array_values($own)[0] ?? $pools[0];
        $file = $arguments[0][0] === '/' ? $arguments[0] : getcwd() . "/$arguments[0]";
        $script = preg_match('~^/usr/(?:local/)?bin/bloom$~D', $file) ? 'bloom' : $file;
        $words = implode(' ', array_map(static fn (string $word): string
            => preg_match('~^[\w./:@?=,+-]+$~D', $word) ? $word : escapeshellarg($word), array_slice($arguments, 1)));
        $command = ($pool['path'] === $path ? $script : "php -d bloom.path={$pool['path']} $file") . " $words";
        $as = self::as($user, $pool['user']);
        $of = "the pool {$pool['pool']} of PHP-FPM";
        return $own === []
            ? Finding::warn('user', "you are $user, but $of runs as {$pool['user']}, and each user has separate filters", "$as $command")
            : Finding::warn('user', "$of has its filters in " . ($pool['path'] ?: 'the default place') . ', but this command looks in '
                . ($path ?: 'the default place'), $command);
    }

    /** @param string $segment the directory that contains the filters, or that will be created for them */
    public static function room(string $segment): Finding
    {
        $directory = is_dir($segment) ? $segment : dirname($segment);
        if ($directory !== $segment && !is_writable($directory)) {
            return Finding::fail('room', "$segment cannot be created: $directory " . (is_dir($directory) ? 'is not writable' : 'does not exist'),
                'install -d -m 0700 -o ' . (self::user() ?? 'USER') . " $segment    # as root");
        }
        [$free, $all] = self::space($directory);
        return $free >= self::FULL_BYTES
            ? Finding::ok('room', self::size($free) . ' of ' . self::size($all) . " are free in $directory")
            : Finding::fail('room', 'only ' . self::size($free) . ' of ' . self::size($all) . " are free in $directory", self::moreRoom($directory, $all, $all));
    }

    /** @return array{int, int} the free bytes and all bytes of the file system */
    public static function space(string $directory): array
    {
        return [(int) @disk_free_space($directory), (int) @disk_total_space($directory)];
    }

    /** Returns what makes the file system of a directory larger. */
    public static function moreRoom(string $directory, int $all, int $needed, ?bool $isDocker = null): string
    {
        $mebibytes = 2 ** (int) ceil(log(max(1, ($all + 2 * $needed) / (1 << 20)), 2));
        return $isDocker ?? (is_file('/.dockerenv') || $all === self::DOCKER_BYTES)
            ? "docker run --shm-size={$mebibytes}m ..."
            : "mount -o remount,size={$mebibytes}M " . self::mount($directory) . '    # as root';
    }

    /** Returns the mount point that contains a directory. */
    private static function mount(string $directory): string
    {
        $device = @stat($directory)['dev'] ?? null;
        while (dirname($directory) !== $directory && (@stat(dirname($directory))['dev'] ?? null) === $device) {
            $directory = dirname($directory);
        }
        return $directory;
    }

    private static function size(int $bytes): string
    {
        return Text::size($bytes);
    }
}
