<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;

/** The directory that contains the filters of this user on this host. */
final class Segment
{
    /** Returns the path. If no filter is loaded, only phpinfo() shows it with the user id filled in. */
    public static function path(): string
    {
        try {
            Filter::list(); // fills in the user id
        } catch (BloomException) {
            // phpinfo() shows the path nevertheless
        }
        ob_start();
        (new \ReflectionExtension('bloom'))->info();
        return preg_match('/^segment in force => (.*)$/m', (string) ob_get_clean(), $parts) ? $parts[1] : 'the segment';
    }

    /** Fails if the directory is missing and cannot be created. No filter could then be loaded on this host. */
    public static function check(): void
    {
        $path = self::path();
        $parent = dirname($path);
        $why = match (true) {
            is_dir($path) => null,
            !is_dir($parent) => "$parent does not exist",
            !is_writable($parent) => "$parent is not writable",
            default => null,
        };
        if ($why !== null) {
            throw new Failure(ExitCode::CannotCreate, "$path: the segment's directory cannot be created: $why "
                . '(set bloom.path to a directory ' . (System::isWindows() ? '' : 'on a tmpfs ') . 'that this user can create)');
        }
    }

    /** Says which other users have filters. The default path contains the user's id, so root, for example, sees only root's. */
    public static function noteOthers(Report $report): void
    {
        foreach (self::others('*') as [$segment, $user]) {
            $names = self::names($segment);
            $shown = implode(', ', array_slice($names, 0, 3)) . (count($names) > 3 ? ', ...' : '');
            $report->note("user $user has " . Text::counted(count($names), 'filter') . " in $segment ($shown): run the command as "
                . "that user, for example with runuser -u $user --");
        }
    }

    /** Says which live filters another version of the extension has left here, perhaps before an upgrade. */
    public static function noteOtherVersions(Report $report): void
    {
        foreach (array_diff(self::names(self::path()), Filter::list()) as $name) {
            foreach (preg_grep('/a different version of this extension/', Filter::health($name)->reasons) ?: [] as $reason) {
                $report->note(Text::line($reason));
            }
        }
    }

    /** @return list<string> the names of the filters in a segment; their directories are called <name>@<layout> */
    private static function names(string $segment): array
    {
        $entries = array_map(basename(...), glob(addcslashes($segment, '*?[{\\') . '/*@*', GLOB_ONLYDIR) ?: []);
        return array_values(array_unique(preg_filter('/^([\w][\w.-]{0,127})@\d+$/D', '$1', $entries)));
    }

    /**
     * Returns the segments of other users that contain a filter.
     *
     * @param string $name of the filter; * is any filter
     *
     * @return list<array{string, string}> path and user
     */
    public static function others(string $name): array
    {
        $own = self::path();
        if (!preg_match('/^(.*\/php-bloom-)\d+$/', $own, $parts)) {
            return [];
        }
        $found = glob(addcslashes($parts[1], '*?[{\\') . "*/$name@*", GLOB_ONLYDIR) ?: [];
        $others = [];
        foreach (array_unique(array_map(dirname(...), $found)) as $segment) {
            $id = substr($segment, strlen($parts[1]));
            if ($segment !== $own && ctype_digit($id)) {
                $others[] = [$segment, function_exists('posix_getpwuid') ? posix_getpwuid((int) $id)['name'] ?? $id : $id];
            }
        }
        return $others;
    }

    /**
     * Warns if other users have a filter of the same name. The default path contains the user's id, so root, for example,
     * loads filters that the workers of a pool never see.
     */
    public static function warnOfOthers(string $name, Report $report): void
    {
        foreach (self::others($name) as [$segment, $user]) {
            $report->failure("bloom: warning: user $user also has a filter $name, in $segment. This command does not change it. "
                . 'To change it, run the command as that user');
        }
    }
}
