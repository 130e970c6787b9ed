<?php

namespace Bloom\Cli;

/** A file that a command writes at a path of the user. */
final class OutputFile
{
    private const LINKS_MAX = 40;

    /**
     * Returns the file that a path leads to, as with a shell's ">". A symbolic link is followed as Linux does with
     * protected_symlinks: where every user can create links, only those of this user and of the directory's owner. PHP
     * resolves links before it opens a file, so the kernel does not see them.
     */
    public static function behindLinks(string $path): string
    {
        clearstatcache(true);
        if (System::isWindows()) {
            return is_link($path) ? (realpath($path) ?: $path) : $path;
        }
        $target = $path;
        for ($links = 0; is_link($target) && $links < self::LINKS_MAX; $links++) {
            [$owner, $parent, $next] = [@lstat($target)['uid'] ?? -1, @stat(dirname($target)), (string) @readlink($target)];
            $isShared = $parent === false || ($parent['mode'] & 01002) === 01002;
            if ($isShared && $owner !== self::user() && $owner !== ($parent['uid'] ?? null)) {
                throw new Failure(
                    ExitCode::CannotCreate,
                    "$path: refused: it is a symbolic link of another user, in a directory where every user can create links "
                        . '(delete the link, or use a directory of your own)'
                );
            }
            $target = str_starts_with($next, '/') ? $next : dirname($target) . "/$next";
        }
        return is_link($target) ? $path : $target;
    }

    /**
     * Writes a text under a temporary name and renames it, so that readers never see a part of it.
     *
     * @param string|iterable<string> $text
     * @param int|null $mode null: the mode of the file that is replaced, if this user owns it
     */
    public static function replace(string $path, string|iterable $text, ?int $mode = null): void
    {
        $target = self::behindLinks($path);
        $old = is_link($target) ? false : @lstat($target); // Every link has mode 0777.
        $mode ??= $old !== false && $old['uid'] === self::user() ? $old['mode'] & 0666 : 0666 & ~umask();
        // node_exporter ignores a file whose name does not end with .prom.
        $temporary = "$target." . bin2hex(random_bytes(8)) . '.tmp';
        // The file is created with its mode: chmod() would follow a link that has replaced it.
        $mask = umask(~$mode & 0777);
        error_clear_last();
        $file = @fopen($temporary, 'xb');
        umask($mask);
        $isWritten = $file !== false;
        foreach (is_string($text) ? [$text] : $text as $part) {
            $isWritten = $isWritten && @fwrite($file, $part) === strlen($part);
        }
        $isWritten = $isWritten && @fflush($file);
        if ($file !== false) {
            fclose($file);
        }
        if (!$isWritten || !System::rename($temporary, $target)) {
            $reason = preg_replace('/^.*(?:: |errno=\d+ )/', '', error_get_last()['message'] ?? 'write failed');
            if ($file !== false) {
                @unlink($temporary);
            }
            throw new Failure($file === false ? ExitCode::CannotCreate : ExitCode::Io, "$path: cannot be written: $reason");
        }
    }

    /** Returns the user of this process; null: unknown. */
    private static function user(): ?int
    {
        if (function_exists('posix_geteuid')) {
            return posix_geteuid();
        }
        // Without PHP's extension posix, a new file shows the user.
        $file = @tmpfile();
        return $file === false ? null : (fstat($file)['uid'] ?? null);
    }
}
