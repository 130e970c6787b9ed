<?php

namespace Bloom\Internal;

use Bloom\Status;

/** The directory of named filters. The extension's own segment may be in the same path; neither sees the other's filters. */
final class Segment
{
    public static function path(): string
    {
        $path = System::setting('path');
        if ($path === '') {
            return sys_get_temp_dir() . '/php-bloom-' . (System::user() ?? get_current_user());
        }
        if (!System::isAbsolute($path, System::isWindows()) || strlen($path) >= 4000 || str_contains($path, "\0")) {
            throw Failure::of(Status::Path, '"' . substr($path, 0, 64) . '"');
        }
        // With "/" or "/." at the end, the system would follow a link, and lstat() would describe its target.
        $trimmed = (string) preg_replace(System::isWindows() ? '~(?:[\\\\/]\.?)+\z~' : '~(?:/\.?)+\z~', '', $path);
        return System::isAbsolute($trimmed, System::isWindows()) ? $trimmed : $path;
    }

    public static function filter(string $name): FilterDirectory
    {
        return new FilterDirectory($name, self::path() . '/.polyfill/' . System::fileName($name));
    }

    /** @return list<string> the sorted names of all filters */
    public static function names(): array
    {
        self::check();
        $root = self::path() . '/.polyfill';
        $names = is_dir($root) ? array_map(rawurldecode(...), array_diff(scandir($root) ?: [], ['.', '..'])) : [];
        $names = array_values(array_filter($names, fn (string $name): bool => self::filter($name)->current() !== null));
        sort($names, SORT_STRING);
        return $names;
    }

    /** Creates the directory of a filter. Nothing is created in a path that is refused. */
    public static function make(string $directory): void
    {
        self::check();
        foreach ([self::path() => Status::NoDirectory, dirname($directory) => Status::System, $directory => Status::System] as $path => $status) {
            error_clear_last();
            if (!is_dir($path) && !@mkdir($path, 0700) && !is_dir($path)) {
                throw Failure::of($status, $path, Streams::reason());
            }
            self::check();
        }
    }

    /**
     * Refuses a path that another user could have prepared, even for root: PHP opens files by their paths and follows
     * links, so with a link in the segment, its owner could make root write to any file.
     */
    public static function check(): void
    {
        clearstatcache();
        $path = self::path();
        $found = System::isWindows() ? false : @lstat($path);
        if ($found === false) {
            return;
        }
        if (($found['mode'] & 0170000) !== 0040000) {
            throw Failure::of(Status::RefusedType, $path, 'Not a directory');
        }
        $user = System::user();
        if ($user !== null && $found['uid'] !== $user) {
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
}
