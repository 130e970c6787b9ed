<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Builder;

/**
 * Files with one key per line. Lines end with LF or CR LF; the last line ending is optional. An empty line is the empty
 * key.
 */
final class KeyFiles
{
    private const READ_BYTES = 1 << 20;

    /** @param list<InputFile> $files */
    private function __construct(private readonly array $files)
    {
    }

    /**
     * Checks that all files exist and that no regular file among them is a blob.
     *
     * @param list<string> $paths at most one of them may be standard input
     */
    public static function at(array $paths): self
    {
        $files = array_map(static fn (string $path): InputFile => new InputFile($path), $paths);
        if (count(array_filter($files, static fn (InputFile $file): bool => $file->isStdin())) > 1) {
            throw Failure::usage('standard input (-) can be read only once');
        }
        foreach ($files as $file) {
            $file->check();
            if ($file->plainBytes() !== null && Blobs::isAt($file->path)) {
                throw self::blobFailure($file);
            }
        }
        return new self($files);
    }

    public function haveStdin(): bool
    {
        return array_filter($this->files, static fn (InputFile $file): bool => $file->isStdin()) !== [];
    }

    /** Returns the number of lines, at least 1, if the caller needs it to size a filter. */
    public function countLinesIf(bool $isNeeded, Progress $progress): ?int
    {
        if (!$isNeeded) {
            return null;
        }
        $total = $this->totalBytes()
            ?? throw Failure::usage('--capacity is required: only the lines of regular files can be counted in advance');
        $lines = $before = 0;
        foreach ($this->files as $file) {
            $report = $progress->part('counting', $before, $total);
            $lines += $file->read(fn ($stream): int => $this->countIn($stream, $report));
            $before += (int) $file->plainBytes();
        }
        return max(1, $lines);
    }

    /**
     * @param callable(string): void $warn receives a warning about a file that does not look like a key file
     *
     * @return int lines added
     */
    public function addTo(Builder $builder, Progress $progress, callable $warn): int
    {
        $total = $this->totalBytes();
        $lines = $before = 0;
        foreach ($this->files as $file) {
            $report = $progress->part('reading', $before, $total);
            try {
                $lines += $file->read(static function ($stream) use ($builder, $report, $file, $warn): int {
                    $isBlob = false;
                    $judge = static function (string $first) use ($file, $warn, &$isBlob): void {
                        $isBlob = $first === Blobs::MAGIC;
                        self::judge($first, $file, $warn);
                    };
                    FirstBytes::watch($stream, $file->plainBytes() !== null, $judge);
                    $added = $builder->addFile($stream, $report);
                    return $isBlob ? throw self::blobFailure($file) : $added;
                });
            } catch (BloomException $thrown) {
                throw Failure::at(ExitCode::Io, $file->label(), $thrown);
            }
            $before += (int) $file->plainBytes();
        }
        return $lines;
    }

    /**
     * Calls $visit with each line and the key that Builder::addFile() would add for it.
     *
     * @param callable(string, string): void $visit
     */
    public function eachLine(callable $visit, Progress $progress): void
    {
        $total = $this->totalBytes();
        $before = 0;
        foreach ($this->files as $file) {
            $report = $progress->part('checking', $before, $total);
            $file->read(fn ($stream) => $this->visitLines($stream, $visit, $report));
            $before += (int) $file->plainBytes();
        }
    }

    /** Returns the key that Builder::addFile() adds for a line, which may still have its ending. */
    public static function keyOf(string $line): string
    {
        $key = str_ends_with($line, "\n") ? substr($line, 0, -1) : $line;
        return str_ends_with($key, "\r") ? substr($key, 0, -1) : $key;
    }

    private static function blobFailure(InputFile $file): Failure
    {
        return Failure::usage("{$file->label()}: is a blob, not a key file (the first argument is the blob)");
    }

    /** Warns about gzip data and byte order marks, which would add keys that no lookup ever tests. */
    private static function judge(string $first, InputFile $file, callable $warn): void
    {
        $what = match (true) {
            str_starts_with($first, "\x1f\x8b") => 'gzip data (1f 8b), which is read as keys without decompression: use zcat '
                . 'or compress.zlib://FILE',
            str_starts_with($first, "\xef\xbb\xbf") => 'a byte order mark (ef bb bf), which becomes part of the first key',
            str_starts_with($first, "\xff\xfe"), str_starts_with($first, "\xfe\xff") => 'a UTF-16 byte order mark, but is read '
                . 'as keys without conversion: convert the file to UTF-8',
            default => null,
        };
        if ($what !== null) {
            $warn("{$file->label()} begins with $what");
        }
    }

    private function totalBytes(): ?int
    {
        $sizes = array_map(static fn (InputFile $file): ?int => $file->plainBytes(), $this->files);
        return in_array(null, $sizes, true) ? null : (int) array_sum($sizes);
    }

    /** @param resource $stream */
    private function countIn($stream, ?callable $report): int
    {
        $lines = $bytes = 0;
        $last = "\n";
        while (($part = fread($stream, self::READ_BYTES)) !== false && $part !== '') {
            $lines += substr_count($part, "\n");
            $bytes += strlen($part);
            $last = $part[-1];
            if ($report !== null) {
                $report($bytes);
            }
        }
        return $lines + ($last === "\n" ? 0 : 1);
    }

    /** @param resource $stream */
    private function visitLines($stream, callable $visit, ?callable $report): void
    {
        $bytes = $reported = 0;
        while (($line = fgets($stream)) !== false) {
            $visit($line, self::keyOf($line));
            $bytes += strlen($line);
            if ($report !== null && $bytes - $reported >= self::READ_BYTES) {
                $report($reported = $bytes);
            }
        }
        if ($report !== null) {
            $report($bytes);
        }
    }
}
