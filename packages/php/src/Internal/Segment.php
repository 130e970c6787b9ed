<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * The directory of named filters:
 *
 *     <path>/.polyfill/<name>/current               what the name is now, as JSON; System::fileName() escapes the name
 *                             <n>-<random>.bloom    the blob of generation n
 *                             <n>-<random>.keys     keys that were added: to a live filter, or to the journal after the mark
 *     <path>/.polyfill/.locks/<name>                locked while `current` changes
 *     <path>/.polyfill/.syncs/<name>                when the filter was synced
 *                             <name>=.lock          locked by the process that syncs
 *
 * Readers read `current` in each call, so they notice a switch at once. The extension's own segment may be in the
 * same path; neither sees the other's filters.
 */
final class Segment
{
    private const PAGE_BYTES = 8192;
    private const TRIES_MAX = 100;

    public static function path(): string
    {
        $path = Settings::get('path');
        if ($path === '') {
            return sys_get_temp_dir() . '/php-bloom-' . (Process::user() ?? get_current_user());
        }
        if (!System::isAbsolute($path, System::isWindows()) || strlen($path) >= 4000 || str_contains($path, "\0")) {
            throw Failure::of(Status::Path, '"' . substr($path, 0, 64) . '"');
        }
        // With "/" or "/." at the end, the system would follow a link, and lstat() would describe its target.
        $trimmed = (string) preg_replace(System::isWindows() ? '~(?:[\\\\/]\.?)+\z~' : '~(?:/\.?)+\z~', '', $path);
        return System::isAbsolute($trimmed, System::isWindows()) ? $trimmed : $path;
    }

    private static function root(): string
    {
        return self::path() . '/.polyfill';
    }

    public static function filter(string $name): FilterDirectory
    {
        // On Windows and macOS, "Tags" and "tags" would be the same directory.
        $file = System::fileName($name);
        return new FilterDirectory($name, self::root() . "/$file", self::root() . "/.locks/$file", self::root() . "/.syncs/$file");
    }

    /** @return list<string> the sorted names of all filters */
    public static function names(): array
    {
        $root = self::root();
        self::check(self::path());
        if (!is_dir($root)) {
            return [];
        }
        $names = array_map(rawurldecode(...), array_filter(scandir($root) ?: [], fn (string $file): bool => $file[0] !== '.'));
        $names = array_values(array_filter($names, fn (string $name): bool => self::filter($name)->current() !== null));
        sort($names, SORT_STRING);
        return $names;
    }

    /** Creates the directories of a filter. */
    public static function make(string $directory): void
    {
        // Nothing is created in a directory that is refused.
        self::check(self::path());
        error_clear_last();
        if (!is_dir(self::path()) && !@mkdir(self::path(), 0700) && !is_dir(self::path())) {
            throw Failure::of(Status::NoDirectory, self::path(), Streams::reason());
        }
        self::check(self::path());
        $paths = [self::root(), self::root() . '/.locks', self::root() . '/.syncs', $directory];
        for ($tries = 1; !self::makeAll($paths); $tries++) {
            // Another process has removed a directory that was empty.
            if ($tries === self::TRIES_MAX) {
                throw Failure::of(Status::System, $directory, Streams::reason());
            }
        }
    }

    /** @param list<string> $paths */
    private static function makeAll(array $paths): bool
    {
        clearstatcache();
        foreach ($paths as $path) {
            error_clear_last();
            if (!is_dir($path) && !@mkdir($path, 0700) && !is_dir($path)) {
                return false;
            }
        }
        return true;
    }

    /** Lets only this user access a file, which may be new. */
    public static function own(string $path): void
    {
        @chmod($path, 0600);
    }

    /** Removes the directories that no filter needs. */
    public static function tidy(): void
    {
        foreach (['/.locks', '/.syncs', ''] as $own) {
            @rmdir(self::root() . $own);
        }
    }

    /** Refuses a directory that another user could have prepared. */
    public static function check(string $path): void
    {
        if (System::isWindows()) {
            return;
        }
        clearstatcache();
        $found = @lstat($path);
        if ($found === false) {
            return;
        }
        if (($found['mode'] & 0170000) !== 0040000) {
            throw Failure::of(Status::RefusedType, $path, 'Not a directory');
        }
        $user = Process::user();
        if ($user !== null && $found['uid'] !== $user) {
            // PHP opens files by their paths and follows links, so the owner could make root write into any file.
            throw Failure::of(Status::RefusedOwner, "$path (owned by user {$found['uid']}" . match (true) {
                $user === 0 => '; root may use it only with the extension, so run this as its owner',
                @opendir($path) === false => "; this process is user $user",
                default => '',
            } . ')');
        }
        if (($found['mode'] & 077) !== 0) {
            throw Failure::of(Status::RefusedMode, sprintf('%s (mode %04o)', $path, $found['mode'] & 07777));
        }
    }

    /** Refuses a file that does not fit. */
    public static function reserve(string $name, int $bytes): void
    {
        $free = (int) @disk_free_space(self::path());
        if ($bytes > $free) {
            throw Failure::of(Status::Space, sprintf('%s/%s: needs %d bytes, %d free', self::path(), $name, $bytes, $free));
        }
        $limit = self::limit();
        $used = $limit > 0 ? self::bytes() : 0;
        $more = $bytes + (is_file(self::root() . '/' . System::fileName($name) . '/current') ? 0 : self::PAGE_BYTES);
        if ($limit > 0 && $used + $more > $limit) {
            throw Failure::of(Status::Limit,
                sprintf('%s/%s: uses %d bytes, needs %d more, limit %d', self::path(), $name, $used, $more, $limit));
        }
        if ($bytes > Process::fileBytesMax()) {
            throw Failure::of(Status::FileLimit, $name);
        }
    }

    public static function limit(): int
    {
        $limit = Settings::get('memory_limit');
        return $limit === '' ? 0 : max(0, ini_parse_quantity($limit));
    }

    public static function bytes(): int
    {
        $bytes = 0;
        foreach (glob(self::root() . '/*/*') ?: [] as $file) {
            // The same limit admits the same filters as with the extension, in which each has a page of 4 KiB.
            $bytes += basename($file) === 'current' ? self::PAGE_BYTES : (int) @filesize($file);
        }
        return $bytes;
    }
}
