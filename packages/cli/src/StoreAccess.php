<?php

namespace Bloom\Cli;

/** Finds the files of a store's directory that a user cannot read. A journal created by root is the most frequent one. */
final class StoreAccess
{
    private const READ = 4;
    private const WRITE = 2;
    private const ENTER = 1;

    /**
     * @param list<string> $users of the pools; only root can check for others than itself
     *
     * @return list<Finding>
     */
    public static function findings(string $directory, array $users): array
    {
        $findings = [];
        foreach ($users as $user) {
            // Only publishers use the others.
            $files = preg_grep('/:(?:lock|publisher)$|\.tmp$/D', array_filter(glob(addcslashes($directory, '*?[{\\') . '/*') ?: [], is_file(...)), PREG_GREP_INVERT);
            $unreadable = array_filter($files, static fn (string $file): bool => !self::can($user, $file, self::READ));
            $fixed = array_filter($files, static fn (string $file): bool => str_ends_with($file, ':journal') && !in_array($file, $unreadable, true)
                && !self::can($user, $file, self::WRITE));
            $isJournal = preg_grep('/:journal$/D', $unreadable, PREG_GREP_INVERT) === [];
            $own = static fn (array $paths): string => 'chown' . (is_dir(reset($paths)) ? ' -R' : '') . " $user " . implode(' ', array_map(escapeshellarg(...), $paths))
                . '    # as root' . (is_dir(reset($paths)) ? "; then always publish as $user" : '');
            if (!self::can($user, $directory, self::READ | self::ENTER)) {
                $findings[] = Finding::fail('store', "$user cannot open $directory", $own([$directory]));
            } elseif ($unreadable !== []) {
                $findings[] = Finding::fail('store', "$user cannot read " . self::described($unreadable), $own($isJournal ? $unreadable : [$directory]));
            } elseif ($fixed !== []) {
                $findings[] = Finding::warn('store', "$user cannot add keys to " . self::described($fixed), $own($fixed));
            }
        }
        return $findings;
    }

    /** Returns whether a user has rights, by the owner, the group and the mode. */
    public static function can(string $user, string $path, int $rights): bool
    {
        if ($user === Machine::user() && $user !== 'root') {
            return (($rights & self::READ) === 0 || is_readable($path)) && (($rights & self::WRITE) === 0 || is_writable($path))
                && (($rights & self::ENTER) === 0 || is_executable($path));
        }
        $entry = function_exists('posix_getpwnam') ? posix_getpwnam($user) : false;
        $stat = @stat($path);
        if ($entry === false || $stat === false || $entry['uid'] === 0) {
            return true;
        }
        $group = posix_getgrgid($stat['gid']);
        $shift = match (true) {
            $stat['uid'] === $entry['uid'] => 6,
            $stat['gid'] === $entry['gid'], in_array($user, $group['members'] ?? [], true) => 3,
            default => 0,
        };
        return ($stat['mode'] >> $shift & $rights) === $rights;
    }

    /** @param array<string> $files */
    private static function described(array $files): string
    {
        $file = reset($files);
        $stat = stat($file);
        return basename($file) . sprintf(' (of %s, mode %04o)', Pools::userName($stat['uid']), $stat['mode'] & 07777)
            . (count($files) > 1 ? ' and ' . Text::counted(count($files) - 1, 'other file') : '');
    }
}
