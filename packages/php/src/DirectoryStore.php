<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\JournalFile;
use Bloom\Internal\JournalWriter;
use Bloom\Internal\Streams;
use Bloom\Internal\System;

/** A store in a plain directory, without a server. */
final class DirectoryStore extends BuiltInJournalStore
{
    private const KEY = '/\A([A-Za-z0-9_][A-Za-z0-9._-]{0,127})(?::([0-9A-Za-z]+))?\z/';
    private const REQUIREMENT = 'must contain only keys of the form NAME or NAME:SUFFIX, with letters and digits as the suffix';
    private const VALUE_BYTES_MAX = 1 << 30;
    private const TRIES_MAX = 10;
    private const ABSENT = ['No such file or directory', 'Not a directory'];

    private readonly string $directory;
    private bool $isPortable = false;

    public function __construct(string $directory)
    {
        if ($directory === '' || strlen($directory) >= PHP_MAXPATHLEN || str_contains($directory, "\0")) {
            throw str_contains($directory, "\0") ? new \ValueError('Bloom\DirectoryStore::__construct(): Argument #1 ($directory) must not contain any null bytes')
                : Arguments::error('DirectoryStore::__construct', 1, 'directory', "must be the path of a directory, \"$directory\" given");
        }
        // A relative path stays the same if the working directory changes later. With a slash at its end, a link would look
        // like its target.
        $directory = System::isAbsolute($directory, System::isWindows()) ? $directory : getcwd() . "/$directory";
        $this->directory = System::isWindows() ? $directory : (rtrim($directory, '/') ?: '/');
    }

    protected function requirement(string $key): ?string
    {
        return preg_match(self::KEY, $key) === 1 ? null : self::REQUIREMENT;
    }

    protected function values(array $keys): array
    {
        $this->check();
        $values = [];
        foreach ($keys as $key) {
            $path = $this->path($key);
            $value = self::exists($path, 'read') ? self::value($path) : null;
            if ($value !== null) {
                $values[$key] = $value;
            }
        }
        return $values;
    }

    private static function value(string $path): ?string
    {
        if ((int) @filesize($path) > self::VALUE_BYTES_MAX) {
            throw Internal\Failure::of(Status::StoreSize, $path);
        }
        if (file_exists($path) && !is_file($path)) {
            throw self::failed($path, 'read', is_dir($path) ? 'Is a directory' : 'Invalid argument');
        }
        error_clear_last();
        $value = System::retry(static fn (): string|false => @file_get_contents($path));
        if ($value !== false && error_get_last() === null) {
            return $value;
        }
        return in_array(Streams::reason(), self::ABSENT, true) ? null : throw self::failed($path, 'read', Streams::reason());
    }

    protected function absent(array $keys): array
    {
        $this->check();
        return array_values(array_filter($keys, fn (string $key): bool => !self::exists($this->path($key), 'checked')));
    }

    protected function put(string $key, string $value): void
    {
        $this->check();
        $path = $this->path($key);
        if (!str_contains($key, ':')) {
            // A head never survives a power failure without the names of its chunks.
            Streams::syncDirectory($this->file($key, 'chunks'));
            Streams::syncDirectory($this->directory);
        }
        error_clear_last();
        if (!is_dir(dirname($path)) && !@mkdir(dirname($path), 0777, true) && !is_dir(dirname($path))) {
            $reason = Streams::reason();
            throw $reason === 'Not a directory' ? self::failed($path, 'written', $reason) : self::failed(dirname($path), 'created', $reason);
        }
        self::save($path, $value, 0666, 'written');
    }

    private static function save(string $path, string $bytes, int $mode, string $done): void
    {
        try {
            Streams::save($path, $bytes, $mode);
        } catch (BloomException $error) {
            $text = str_replace(": cannot be $done", '', substr(str_replace('be written', "be $done", $error->getMessage()), strlen($path)));
            throw new StoreException("$path: cannot be $done$text", Status::Store->value);
        }
    }

    protected function exchange(string $key, ?string $expected, string $value): bool
    {
        $this->check();
        $path = $this->file(explode(':', $key)[0], 'lock');
        $lock = $this->openShared($path, '');
        try {
            JournalFile::lock($lock, $path);
            if (($this->values([$key])[$key] ?? null) !== $expected) {
                return false;
            }
            $this->put($key, $value);
            return true;
        } finally {
            fclose($lock);
        }
    }

    protected function delete(array $keys): void
    {
        $this->check();
        $failure = null;
        foreach ($keys as $key) {
            $path = $this->path($key);
            // The other files are deleted even if one cannot be.
            if (!System::retry(static fn (): bool => @unlink($path)) && !in_array(Streams::reason(), self::ABSENT, true)) {
                $failure ??= self::failed($path, 'deleted', Streams::reason());
            }
        }
        if ($failure !== null) {
            throw $failure;
        }
    }

    // ---- journals, each in a file `<name>:journal` ----

    protected function lastRecord(string $journal): array
    {
        $path = $this->journal($journal, 'last');
        $last = static fn (JournalFile $file): array => $file->last();
        $found = JournalFile::use($path, 'rb', $last);
        if ($found === null) {
            $file = $this->openShared($path, JournalFile::header());
            fclose($file);
        }
        return $found ?? JournalFile::use($path, 'rb', $last) ?? throw self::failed($path, 'read', 'it was removed');
    }

    protected function readRecords(array $positions, int $limit): array
    {
        $found = [];
        foreach ($positions as $journal => $position) {
            $found[$journal] = JournalFile::use($this->journal($journal, 'read'), 'rb',
                static fn (JournalFile $file): ?array => $file->read($position, $limit));
        }
        return $found;
    }

    protected function appendRecords(string $journal, array $records, ?string $after): ?string
    {
        $path = $this->journal($journal, 'append');
        for ($tries = 0; $tries < self::TRIES_MAX; $tries++) {
            $found = JournalFile::use($path, 'r+b', static function (JournalFile $file) use ($records, $after): ?array {
                if (!$file->isLocked()) {
                    return null; // A trim has replaced it.
                }
                [$end, $last] = $file->last();
                $isRefused = ($after !== null && $after !== $end) || !JournalWriter::mayFollow($records[0], $last);
                return [$isRefused ? null : $file->append($records)];
            });
            if ($found !== null) {
                return $found[0];
            }
            if (!self::exists($path, 'opened')) {
                if ($after !== null || !JournalWriter::mayFollow($records[0], '')) {
                    return null;
                }
                $file = $this->openShared($path, JournalFile::header());
                fclose($file);
            }
        }
        throw self::failed($path, 'written', 'it is replaced again and again');
    }

    protected function trimRecords(string $journal, string $position): void
    {
        $path = $this->journal($journal, 'trim');
        JournalFile::use($path, 'r+b', static function (JournalFile $file) use ($path, $position): void {
            $bytes = $file->isLocked() ? $file->trimmed($position) : null;
            if ($bytes !== null && !System::isWindows() && fileowner(Streams::target($path)) !== System::user()) {
                throw self::failed($path, 'trimmed', 'its owner or group would change');
            }
            if ($bytes !== null) {
                self::save($path, $bytes, 0600, 'trimmed');
            }
        });
    }

    private function journal(string|int $journal, string $method): string
    {
        $this->check();
        $requirement = $this->requirement((string) $journal);
        return $requirement === null ? $this->path((string) $journal)
            : throw Arguments::error("BuiltInJournalStore::$method", 1, $method === 'read' ? 'positions' : 'journal', $requirement);
    }

    /**
     * Opens a lock's file or a journal. A new one gets its name once the directory's writers have access, and only they:
     * any user who can open a file can lock it.
     *
     * @return resource
     */
    private function openShared(string $path, string $content)
    {
        error_clear_last();
        $file = @fopen($path, System::isWindows() && $content === '' ? 'c+b' : 'r+b'); // a new file on Windows inherits its access
        if ($file === false && in_array(Streams::reason(), self::ABSENT, true)) {
            $temporary = $path . '.' . bin2hex(random_bytes(8)) . '.tmp';
            $before = umask(0077);
            $isMade = @file_put_contents($temporary, $content) === strlen($content);
            umask($before);
            clearstatcache();
            $group = filegroup($this->directory);
            $isShared = $isMade && (fileperms($this->directory) & 0020) !== 0 && $group !== false
                && (filegroup($temporary) === $group || @chgrp($temporary, $group));
            $isMade = $isMade && @chmod($temporary, $isShared ? 0660 : 0600) && (@link($temporary, $path) || is_file($path));
            $reason = Streams::reason();
            @unlink($temporary);
            $file = $isMade ? @fopen($path, 'r+b') : throw self::failed($path, 'locked', $reason);
        }
        return $file !== false ? $file : throw self::failed($path, 'locked', Streams::reason());
    }

    // ---- paths ----

    private static function exists(string $path, string $done): bool
    {
        if (System::isWindows() || file_exists($path)) {
            return file_exists($path);
        }
        // Of all functions, only opendir() also reports a loop of symbolic links.
        error_clear_last();
        @opendir($path);
        $reason = Streams::reason();
        return in_array($reason, self::ABSENT, true) ? false : throw self::failed($path, $done, $reason);
    }

    /** A missing directory must not look like missing keys, because a share may not be mounted. */
    private function check(): void
    {
        // PHP would remember for realpath_cache_ttl where a link leads, and would not notice when the operator switches it.
        clearstatcache(true);
        error_clear_last();
        if (!@is_dir($this->directory)) {
            @opendir($this->directory);
            throw self::failed($this->directory, 'reached', Streams::reason(), "the store's directory ");
        }
        try {
            Streams::target($this->directory);
        } catch (BloomException $error) {
            throw self::failed($this->directory, 'reached', ltrim(substr($error->getMessage(), strlen($this->directory)), ': '), "the store's directory ");
        }
        // If the directory has this file, it is shared with Windows: section 6.3 of docs/format.md.
        $this->isPortable = System::isWindows() || @file_exists("$this->directory/.portable");
    }

    private function path(string $key): string
    {
        [$name, $suffix] = explode(':', $key, 2) + [1 => ''];
        if (strlen($suffix) !== 32) {
            return $this->file($name, $suffix);
        }
        $file = $this->isPortable ? System::caseless($suffix) : $suffix;
        return $this->file($name, 'chunks') . '/' . ($this->isPortable ? System::caseless(substr($suffix, 0, 2)) : substr($suffix, 0, 2)) . "/$file";
    }

    private function file(string $name, string $suffix): string
    {
        [$name, $colon, $suffix] = $this->isPortable ? [System::fileName($name), '%3A', System::caseless($suffix)] : [$name, ':', $suffix];
        return "$this->directory/$name" . ($suffix === '' ? '' : $colon . $suffix);
    }

    private static function failed(string $path, string $done, string $reason, string $what = ''): StoreException
    {
        return new StoreException("$path: {$what}cannot be $done: $reason", Status::Store->value);
    }
}
