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
    private const KEY = '/\A[A-Za-z0-9_][A-Za-z0-9._-]{0,127}(?::[0-9A-Za-z]+)?\z/';
    private const ABSENT = 'No such file or directory';
    private const TRIES_MAX = 100;

    private readonly string $directory;
    private bool $isPortable = false;

    public function __construct(string $directory)
    {
        if ($directory === '' || strlen($directory) >= PHP_MAXPATHLEN || str_contains($directory, "\0")) {
            throw Arguments::error('DirectoryStore::__construct', 'directory', str_contains($directory, "\0")
                ? 'must not contain any null bytes' : "must be the path of a directory, \"$directory\" given");
        }
        // A relative path stays the same if the working directory changes later. With a slash at its end, a link
        // would look like its target.
        $directory = System::isAbsolute($directory, System::isWindows()) ? $directory : getcwd() . "/$directory";
        $this->directory = System::isWindows() ? $directory : (rtrim($directory, '/') ?: '/');
    }

    protected function requirement(string $key): ?string
    {
        return preg_match(self::KEY, $key) === 1 ? null
            : 'must contain only keys of the form NAME or NAME:SUFFIX, with letters and digits as the suffix';
    }

    protected function values(array $keys): array
    {
        $this->check();
        $values = [];
        foreach ($keys as $key) {
            $value = self::value($this->path($key));
            if ($value !== null) {
                $values[$key] = $value;
            }
        }
        return $values;
    }

    private static function value(string $path): ?string
    {
        for ($tries = 1;; $tries++) {
            $value = System::retry(static fn (): string|false => is_dir($path) ? false : @file_get_contents($path));
            if ($value !== false) {
                return $value;
            }
            $reason = is_dir($path) ? 'Is a directory' : Streams::reason();
            if (self::isAbsent($path)) {
                return null;
            }
            // Another process may have written the file since.
            if ($reason !== self::ABSENT || $tries === self::TRIES_MAX) {
                throw self::failed($path, 'read', $reason);
            }
        }
    }

    protected function absent(array $keys): array
    {
        $this->check();
        return array_values(array_filter($keys, function (string $key): bool {
            $path = $this->path($key);
            if (file_exists($path)) {
                return false;
            }
            // Another process may have written the file since.
            return self::isAbsent($path)
                || (!file_exists($path) && throw self::failed($path, 'checked', Streams::reason()));
        }));
    }

    /** Returns whether a file does not exist. What cannot be read must not look as if it did not exist. */
    private static function isAbsent(string $path): bool
    {
        clearstatcache();
        error_clear_last();
        @opendir($path); // Unlike file_exists(), it says why it fails.
        return !file_exists($path)
            && (System::isWindows() || in_array(Streams::reason(), [self::ABSENT, 'Not a directory'], true));
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
            throw self::failed(dirname($path), 'created', Streams::reason());
        }
        try {
            Streams::save($path, $value);
        } catch (BloomException $error) {
            throw self::failed($path, 'written', self::without($path, $error));
        }
    }

    /** Returns the reason in the message of a failed write. */
    private static function without(string $path, BloomException $error): string
    {
        return str_replace('cannot be written: ', '', ltrim(substr($error->getMessage(), strlen($path)), ': '));
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
            if (!System::retry(static fn (): bool => @unlink($path))) {
                $reason = Streams::reason();
                $failure ??= self::isAbsent($path) ? null : self::failed($path, 'deleted', $reason);
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
        $this->makeJournal($path);
        return JournalFile::use($path, 'rb', static fn (JournalFile $file): array => $file->last())
            ?? throw self::failed($path, 'read', 'it was removed');
    }

    protected function readRecords(array $positions, int $limit): array
    {
        $found = [];
        foreach ($positions as $journal => $position) {
            $found[$journal] = JournalFile::use($this->journal((string) $journal, 'read'), 'rb',
                static fn (JournalFile $file): ?array => $file->read($position, $limit));
        }
        return $found;
    }

    protected function appendRecords(string $journal, array $records, ?string $after): ?string
    {
        $path = $this->journal($journal, 'append');
        $isNew = self::isAbsent($path);
        if ($isNew && ($after !== null || !JournalWriter::mayFollow($records[0], ''))) {
            return null;
        }
        if ($isNew) {
            $this->makeJournal($path);
        }
        do {
            $found = JournalFile::use($path, 'r+b', static function (JournalFile $file) use ($records, $after): ?array {
                if (!$file->isLocked()) {
                    return null; // A trim has replaced it.
                }
                [$end, $last] = $file->last();
                $isRefused = ($after !== null && $after !== $end) || !JournalWriter::mayFollow($records[0], $last);
                return [$isRefused ? null : $file->append($records)];
            });
        } while ($found === null && !self::isAbsent($path));
        return $found !== null ? $found[0] : throw self::failed($path, 'written', 'it was removed');
    }

    protected function trimRecords(string $journal, string $position): void
    {
        $path = $this->journal($journal, 'trim');
        JournalFile::use($path, 'r+b', static function (JournalFile $file) use ($path, $position): void {
            $bytes = $file->isLocked() ? $file->trimmed($position) : null;
            if ($bytes !== null && !System::isWindows() && fileowner($path) !== System::user()) {
                throw self::failed($path, 'trimmed', 'its owner would change');
            }
            if ($bytes !== null) {
                Streams::save($path, $bytes, 0600);
            }
        });
    }

    private function journal(string $journal, string $method): string
    {
        $this->check();
        $requirement = $this->requirement($journal);
        return $requirement === null ? $this->path($journal)
            : throw Arguments::error("BuiltInJournalStore::$method", $method === 'read' ? 'positions' : 'journal',
                $requirement);
    }

    private function makeJournal(string $path): void
    {
        $file = $this->openShared($path, JournalFile::header());
        fclose($file);
    }

    /**
     * Opens a lock's file or a journal. A new one gets its name once the directory's writers have access, and only
     * they: any user who can open a file can lock it.
     *
     * @return resource
     */
    private function openShared(string $path, string $content)
    {
        $isWindows = System::isWindows(); // where new files inherit their access
        if (!($isWindows && $content === '') && self::isAbsent($path)) {
            $temporary = $path . '.' . bin2hex(random_bytes(8)) . '.tmp';
            $before = umask(0177);
            $isMade = @file_put_contents($temporary, $content) === strlen($content);
            umask($before);
            $group = $isWindows ? false : filegroup($this->directory);
            if ($isMade && $group !== false && (fileperms($this->directory) & 0020) !== 0
                && (filegroup($temporary) === $group || @chgrp($temporary, $group))) {
                $isMade = @chmod($temporary, 0660);
            }
            $isMade = $isMade && (@link($temporary, $path) || is_file($path));
            $reason = Streams::reason();
            @unlink($temporary);
            if (!$isMade) {
                throw self::failed($path, 'locked', $reason);
            }
        }
        return @fopen($path, $isWindows && $content === '' ? 'c+b' : 'r+b') ?: throw self::failed($path, 'locked',
            Streams::reason());
    }

    // ---- paths ----

    /** A missing directory must not look like missing keys, because a share may not be mounted. */
    private function check(): void
    {
        // PHP would remember for realpath_cache_ttl where a link leads, and would not notice when the operator
        // switches it.
        clearstatcache(true);
        error_clear_last();
        if (!@is_dir($this->directory)) {
            @opendir($this->directory);
            throw self::failed($this->directory, 'reached', Streams::reason(), "the store's directory ");
        }
        try {
            Streams::target($this->directory);
        } catch (BloomException $error) {
            throw self::failed($this->directory, 'reached', self::without($this->directory, $error),
                "the store's directory ");
        }
        // If the directory has this file, it is shared with Windows: docs/dev/store.md.
        $this->isPortable = System::isWindows() || @file_exists("$this->directory/.portable");
    }

    private function path(string $key): string
    {
        [$name, $suffix] = explode(':', $key, 2) + [1 => ''];
        if (strlen($suffix) !== 32) {
            return $this->file($name, $suffix);
        }
        [$folder, $file] = [substr($suffix, 0, 2), $suffix];
        if ($this->isPortable) {
            [$folder, $file] = [System::caseless($folder), System::caseless($file)];
        }
        return $this->file($name, 'chunks') . "/$folder/$file";
    }

    private function file(string $name, string $suffix): string
    {
        $colon = ':';
        if ($this->isPortable) {
            [$name, $colon, $suffix] = [System::fileName($name), '%3A', System::caseless($suffix)];
        }
        return "$this->directory/$name" . ($suffix === '' ? '' : $colon . $suffix);
    }

    private static function failed(string $path, string $done, string $reason, string $what = ''): StoreException
    {
        return new StoreException("$path: {$what}cannot be $done: $reason", Status::Store->value);
    }
}
