<?php

namespace Bloom;

use Bloom\Internal\JournalFile;
use Bloom\Internal\JournalWriter;
use Bloom\Internal\Keys;
use Bloom\Internal\Streams;
use Bloom\Internal\System;

/** A store in a plain directory, without a server. */
final class DirectoryStore implements JournalStore
{
    use Internal\Unserializable;

    private const KEY = '/\A([A-Za-z0-9_][A-Za-z0-9._-]{0,127})(?::([0-9A-Za-z]+))?\z/';
    private const CHUNK_BYTES_MAX = 1 << 30;
    private const NO_HEAD_BYTES_MAX = 1 << 20; // of a file under a head's key that is not a head
    private const SMALL_BYTES = 1 << 20;
    private const TRIES_MAX = 10;
    private const ABSENT = ['No such file or directory', 'Not a directory'];

    /** If the directory has this file, it is shared with Windows, so other systems use portable file names, too. */
    private const PORTABLE = '.portable';

    private string $directory;
    private bool $isPortable = false;

    /** The size of the largest chunk that set() has written. A publisher reads chunks back before a head states their size. */
    private int $largestBytes = 0;

    public function __construct(string $directory)
    {
        if (isset($this->directory)) {
            throw new BloomException('This store is already constructed');
        }
        if (str_contains($directory, "\0")) {
            throw new \ValueError('Bloom\DirectoryStore::__construct(): Argument #1 ($directory) must not contain any null bytes');
        }
        if ($directory === '' || strlen($directory) >= PHP_MAXPATHLEN) {
            throw Internal\Arguments::error('DirectoryStore::__construct', 1, 'directory',
                "must be the path of a directory, \"$directory\" given");
        }
        // A relative path stays the same if the working directory changes later.
        $directory = System::absolute($directory, (string) getcwd(), System::isWindows());
        // With a slash at its end, a link would look like its target.
        $this->directory = System::isWindows() ? $directory : (rtrim($directory, '/') ?: '/');
    }

    /** Returns the values of the keys that exist. */
    public function getMultiple(array $keys): array
    {
        $this->check();
        $values = [];
        foreach ($keys as $key) {
            $value = $this->value($this->path($key, 'getMultiple'), $key);
            if ($value !== null) {
                $values[$key] = $value;
            }
        }
        return $values;
    }

    /** Returns the value of a key; null: there is none. */
    private function value(string $path, string $key): ?string
    {
        self::checkAllowed($path, 'read');
        // Another process may replace the file by one of a different size.
        for ($tries = 0; $tries < self::TRIES_MAX && self::exists($path, 'read'); $tries++) {
            $bytes = is_file($path) ? @filesize($path) : false;
            if ($bytes === false) {
                clearstatcache();
                if (is_file($path) || !file_exists($path)) {
                    continue; // It was removed or replaced between these calls.
                }
                throw self::failed($path, 'read', is_dir($path) ? 'Is a directory' : 'Invalid argument');
            }
            self::checkSize($path, $bytes, $this->bytesMax($path, $key));
            error_clear_last();
            $value = System::retry(static fn (): string|false => @file_get_contents($path, false, null, 0, $bytes + 1));
            if ($value !== false && error_get_last() === null && strlen($value) === $bytes) {
                return $value;
            }
            $reason = Streams::reason();
            if (error_get_last() !== null && !in_array($reason, self::ABSENT, true)) {
                throw self::failed($path, 'read', $reason);
            }
            clearstatcache();
        }
        return null;
    }

    /** @throws StoreException if a directory cannot be searched */
    public function missing(array $keys): array
    {
        $this->check();
        $missing = [];
        foreach ($keys as $key) {
            $path = $this->path($key, 'missing');
            self::checkAllowed($path, 'checked');
            if (!self::exists($path, 'checked')) {
                $missing[] = $key;
            }
        }
        return $missing;
    }

    /** The directory must be writable only if the journal does not exist. */
    public function last(string $journal): array
    {
        $path = $this->journal($journal, 'last');
        $found = JournalFile::use($path, 'rb', static fn (JournalFile $file): array => $file->last());
        if ($found === null) {
            $this->create($path);
        }
        return $found ?? JournalFile::use($path, 'rb', static fn (JournalFile $file): array => $file->last())
            ?? throw self::failed($path, 'read', 'it was removed');
    }

    public function read(array $positions, int $limit): array
    {
        JournalWriter::checkPositions($positions, 'DirectoryStore::read');
        $found = [];
        foreach ($positions as $journal => $position) {
            $found[$journal] = JournalFile::use($this->journal($journal, 'read'), 'rb',
                static fn (JournalFile $file): ?array => $file->read($position, $limit));
        }
        return $found;
    }

    /** Appends records to the file `<name>:journal`. */
    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        $records = JournalWriter::check($records, $after, 'DirectoryStore');
        $path = $this->journal($journal, 'append');
        $append = static function (JournalFile $file) use ($records, $after): ?array {
            if (!$file->lock()) {
                return null; // A trim has replaced it.
            }
            [$end, $last] = $file->last();
            return [($after !== null && $after !== $end) || !JournalWriter::mayFollow($records[0], $last) ? null : $file->append($records)];
        };
        for ($tries = 0; $tries < self::TRIES_MAX; $tries++) {
            $found = JournalFile::use($path, 'r+b', $append);
            if ($found !== null) {
                return $found[0];
            }
            if (!self::exists($path, 'opened')) {
                if ($after !== null || !JournalWriter::mayFollow($records[0], '')) {
                    return null;
                }
                $this->create($path);
            }
        }
        throw self::failed($path, 'written', 'it is replaced again and again');
    }

    /** Copies the remaining records to a new file, which replaces the old one. */
    public function trim(string $journal, string $position): void
    {
        JournalWriter::checkPosition($position, 'DirectoryStore::trim', 2, 'position');
        $path = $this->journal($journal, 'trim');
        JournalFile::use($path, 'r+b', static function (JournalFile $file) use ($path, $position): void {
            $bytes = $file->lock() ? $file->trimmed($position) : null;
            $target = Streams::target($path);
            if ($bytes !== null && !System::isWindows() && fileowner($target) !== Internal\Process::user()) {
                throw new StoreException("$path: cannot be trimmed, because its owner or group would change", Status::Store->value);
            }
            try {
                $bytes === null || Streams::save($target, $bytes, 0600);
            } catch (BloomException $error) {
                throw new StoreException(str_replace('be written', 'be trimmed', $error->getMessage()), Status::Store->value);
            }
        });
    }

    private function create(string $path): void
    {
        $file = $this->openShared($path, JournalFile::header());
        fclose($file);
    }

    private function journal(mixed $journal, string $method): string
    {
        $this->check();
        $path = $this->path($journal, $method);
        self::checkAllowed($path, 'opened');
        return $path;
    }

    private static function exists(string $path, string $done): bool
    {
        if (file_exists($path) || System::isWindows()) {
            return file_exists($path);
        }
        // Of all functions, only opendir() also reports a loop of symbolic links.
        error_clear_last();
        @opendir($path);
        $reason = Streams::reason();
        return in_array($reason, self::ABSENT, true) ? false : throw self::failed($path, $done, $reason);
    }

    public function set(string $key, string $value): void
    {
        $this->check();
        $path = $this->path($key, 'set');
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
        try {
            Streams::save($path, $value);
        } catch (BloomException $error) {
            $isLink = $error->getCode() === Status::RefusedLink->value;
            throw new StoreException(
                $isLink ? "$path: cannot be written" . substr($error->getMessage(), strlen($path)) : $error->getMessage(),
                Status::Store->value
            );
        }
        if (strlen(explode(':', $key, 2)[1] ?? '') === 32) {
            $this->largestBytes = max($this->largestBytes, strlen($value));
        }
    }

    /** Locks the file `<name>:lock`, which stays in the directory, compares, and renames the new file. */
    public function replace(string $key, ?string $expected, string $value): bool
    {
        $this->check();
        $this->path($key, 'replace');
        $lockPath = $this->file(explode(':', $key)[0], 'lock');
        $lock = $this->openShared($lockPath);
        try {
            JournalFile::take($lock, $lockPath);
            if (($this->getMultiple([$key])[$key] ?? null) !== $expected) {
                return false;
            }
            $this->set($key, $value);
            return true;
        } finally {
            fclose($lock);
        }
    }

    /**
     * Opens a lock's file or a journal. A new one gets its name once the directory's writers have access, and only they:
     * any user who can open a file can lock it.
     *
     * @return resource
     */
    private function openShared(string $path, string $content = '')
    {
        error_clear_last();
        $lock = @fopen($path, System::isWindows() && $content === '' ? 'c+b' : 'r+b'); // a new file on Windows inherits its access
        if ($lock === false && in_array(Streams::reason(), self::ABSENT, true)) {
            $temporary = $path . '.' . bin2hex(random_bytes(8)) . '.tmp';
            $before = umask(0077);
            $isMade = @file_put_contents($temporary, $content) === strlen($content);
            umask($before);
            clearstatcache();
            $group = filegroup($this->directory);
            $isShared = $isMade && (fileperms($this->directory) & 0020) !== 0 && $group !== false
                && (filegroup($temporary) === $group || @chgrp($temporary, $group));
            $isMade = $isMade && @chmod($temporary, $isShared ? 0660 : 0600);
            if ($isMade && !@link($temporary, $path)) {
                clearstatcache();
                $isMade = file_exists($path);
            }
            $reason = Streams::reason();
            @unlink($temporary);
            $lock = $isMade ? @fopen($path, 'r+b') : throw self::failed($path, 'locked', $reason);
        }
        return $lock !== false ? $lock : throw self::failed($path, 'locked', Streams::reason());
    }

    public function deleteMultiple(array $keys): void
    {
        $this->check();
        $failure = null;
        foreach ($keys as $key) {
            $path = $this->path($key, 'deleteMultiple');
            self::checkAllowed($path, 'deleted');
            // The other files are deleted even if one cannot be.
            if (!System::retry(static fn (): bool => @unlink($path)) && !in_array(Streams::reason(), self::ABSENT, true)) {
                $failure ??= self::failed($path, 'deleted', Streams::reason());
            }
        }
        if ($failure !== null) {
            throw $failure;
        }
    }

    /** Returns the maximum size of the value under a key. */
    private function bytesMax(string $path, string $key): int
    {
        [$name, $suffix] = explode(':', $key, 2) + [1 => ''];
        if ($suffix === '' || $suffix === 'previous') {
            return self::sizes($path)['headBytes'] ?? self::NO_HEAD_BYTES_MAX;
        }
        if (strlen($suffix) !== 32) {
            return self::CHUNK_BYTES_MAX;
        }
        // Each chunk that a reader may request is named by one of these heads.
        $known = 0;
        foreach (['', 'previous'] as $head) {
            $known = max($known, self::sizes($this->file($name, $head))['chunkBytes'] ?? 0);
        }
        return max($known ?: self::CHUNK_BYTES_MAX, $this->largestBytes);
    }

    /** @return array{headBytes: int, chunkBytes: int}|null the sizes that a head states; null: it is not a head */
    private static function sizes(string $path): ?array
    {
        $bytes = is_file($path) ? @file_get_contents($path, false, null, 0, Internal\Head::FIXED_BYTES) : false;
        return $bytes === false ? null : Internal\Head::sizes($bytes);
    }

    private static function checkSize(string $path, int $bytes, int $most): void
    {
        if ($bytes > $most) {
            throw new StoreException(sprintf('%s: %d bytes, at most %d: %s (%s)', $path, $bytes, $most,
                ...array_slice(Internal\Sentences::ALL[Status::StoreSize->value], 1)), Status::StoreSize->value);
        }
        $left = Internal\Memory::left();
        if ($bytes > self::SMALL_BYTES && $bytes > $left) {
            throw new StoreException("$path: $bytes bytes do not fit into the remaining memory of $left bytes (raise memory_limit)",
                Status::Store->value);
        }
    }

    private static function checkAllowed(string $path, string $done): void
    {
        if (ini_get('open_basedir') !== '') {
            error_clear_last();
            $isFound = @lstat($path) !== false;
            if (!$isFound && str_contains(error_get_last()['message'] ?? '', 'open_basedir')) {
                throw self::failed($path, $done, 'open_basedir does not allow it');
            }
        }
    }

    /** A missing directory must not look like missing keys, because a share may not be mounted. */
    private function check(): void
    {
        // PHP would remember for realpath_cache_ttl where a link leads, and would not notice when the operator switches it.
        clearstatcache(true);
        error_clear_last();
        // Do not reveal whether a directory outside of open_basedir exists. The check of each key refuses it.
        $directory = $this->directory();
        if (!@is_dir($directory) && error_get_last() === null) {
            $exists = file_exists($directory) || @fopen($directory, 'rb') !== false;
            throw new StoreException("$directory: the store's directory cannot be reached: "
                . ($exists ? 'Not a directory' : Streams::reason()), Status::Store->value);
        }
        if (error_get_last() === null) {
            try {
                Streams::target($directory);
            } catch (BloomException $error) {
                throw new StoreException("$directory: the store's directory cannot be reached"
                    . substr($error->getMessage(), strlen($directory)), Status::Store->value);
            }
        }
        $this->isPortable = System::isWindows() || @file_exists("$directory/" . self::PORTABLE);
    }

    /** The type of the result is checked, because ArrayObject can write a value of any type into a property. */
    private function directory(): string
    {
        return $this->directory;
    }

    private function path(mixed $key, string $method): string
    {
        if (!is_string($key)) {
            throw new \TypeError("Bloom\\DirectoryStore::$method(): Argument #1 (\$" . (in_array($method, ['set', 'replace'], true) ? 'key' : 'keys')
                . ') must contain only strings, ' . Keys::type($key) . ' given');
        }
        if (preg_match(self::KEY, $key, $parts) !== 1) {
            throw new \ValueError("Bloom\\DirectoryStore::$method(): Argument #1 (\$" . (in_array($method, ['set', 'replace'], true) ? 'key' : 'keys')
                . ') must contain only keys of the form NAME or NAME:SUFFIX, with letters and digits as the suffix');
        }
        $suffix = $parts[2] ?? '';
        if (strlen($suffix) === 32) {
            [$folder, $file] = [substr($suffix, 0, 2), $suffix];
            return $this->file($parts[1], 'chunks')
                . ($this->isPortable ? '/' . System::caseless($folder) . '/' . System::caseless($file) : "/$folder/$file");
        }
        return $this->file($parts[1], $suffix);
    }

    private function file(string $name, string $suffix): string
    {
        [$name, $colon, $suffix] = $this->isPortable ? [System::fileName($name), '%3A', System::caseless($suffix)] : [$name, ':', $suffix];
        return "$this->directory/$name" . ($suffix === '' ? '' : $colon . $suffix);
    }

    private static function failed(string $path, string $done, string $reason): StoreException
    {
        return new StoreException("$path: cannot be $done: $reason", Status::Store->value);
    }
}
