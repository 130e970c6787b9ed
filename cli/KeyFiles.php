<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Builder;
use Bloom\Status;

/**
 * Files with one key per line. Lines end with LF or CR LF; the last line ending is optional. An empty line is the empty
 * key.
 */
final class KeyFiles
{
    private const READ_BYTES = 1 << 20;
    /** The length that a line may have before its LF, as for Builder::addFile(). */
    private const LINE_BYTES_MAX = 1 << 20;

    /** A first call of judge() needs at least this many bytes to recognize a file that is refused. */
    private const MAGIC_BYTES = 8;

    /**
     * @param list<InputFile> $files
     * @param string $command the command that reads the keys from a pipe, for messages
     * @param bool $isForced whether compressed files and UTF-16 are used as they are
     * @param callable(string): void $warn
     */
    private function __construct(
        private readonly array $files,
        private readonly string $command,
        private readonly bool $isForced,
        private readonly mixed $warn
    ) {
    }

    /**
     * Checks that all files exist, and that no regular file among them is a blob, compressed or in UTF-16.
     *
     * @param list<string> $paths at most one of them may be standard input
     * @param string $command the command that reads the keys from a pipe, for messages
     * @param callable(string): void $warn receives a warning about a file that does not look like a key file
     */
    public static function at(array $paths, string $command, bool $isForced, callable $warn): self
    {
        $files = array_map(static fn (string $path): InputFile => new InputFile($path), $paths);
        if (count(array_filter($files, static fn (InputFile $file): bool => $file->isStdin())) > 1) {
            throw Failure::usage('standard input (-) can be read only once');
        }
        foreach ($files as $file) {
            $file->check();
            if ($file->plainBytes() !== null && Blobs::isAt($file->path)) {
                throw self::blobFailure($file, $command);
            }
            if ($file->plainBytes() !== null && !$isForced) {
                self::refuse((string) @file_get_contents($file->path, length: self::MAGIC_BYTES), $file, $command);
            }
        }
        return new self($files, $command, $isForced, $warn);
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
            ?? throw Failure::usage('--capacity is required, such as 80000, 80k or 50M, unless all keys are in regular files, whose lines can be counted in advance');
        $lines = $before = 0;
        foreach ($this->files as $file) {
            $report = $progress->part('counting', $before, $total);
            $lines += $file->read(fn ($stream): int => $this->countIn($stream, $report));
            $before += (int) $file->plainBytes();
        }
        return max(1, $lines);
    }

    /** Returns the number of lines added. */
    public function addTo(Builder $builder, Progress $progress): int
    {
        $total = $this->totalBytes();
        $lines = $before = 0;
        foreach ($this->files as $file) {
            $report = $progress->part('reading', $before, $total);
            try {
                $lines += $file->read(function ($stream) use ($builder, $report, $file): int {
                    $refused = $this->watch($stream, $file);
                    $added = $builder->addFile($stream, $report);
                    $refused();
                    return $added;
                });
            } catch (BloomException $thrown) {
                $isLine = $thrown->getCode() === Status::Line->value;
                throw Failure::at($isLine ? ExitCode::Data : ExitCode::Io, $file->label(), $thrown);
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
            $file->read(fn ($stream) => $this->visitLines($stream, $file->label(), $visit, $report, $this->watch($stream, $file)));
            $before += (int) $file->plainBytes();
        }
    }

    /**
     * Yields the lines of a stream, with their endings.
     *
     * @param resource $stream
     * @return iterable<string>
     */
    public static function linesOf($stream, string $label): iterable
    {
        // fgets() returns at most one byte less than its limit.
        for ($count = 1; ($line = fgets($stream, self::LINE_BYTES_MAX + 2)) !== false; $count++) {
            if (strlen($line) > self::LINE_BYTES_MAX && !str_ends_with($line, "\n")) {
                throw new Failure(ExitCode::Data, "$label: line $count: a line of keys must have at most "
                    . Text::count(self::LINE_BYTES_MAX) . ' bytes (end each key with LF)');
            }
            yield $line;
        }
    }

    /** Returns the key that Builder::addFile() adds for a line, which may still have its ending. */
    public static function keyOf(string $line): string
    {
        $key = str_ends_with($line, "\n") ? substr($line, 0, -1) : $line;
        return str_ends_with($key, "\r") ? substr($key, 0, -1) : $key;
    }

    private static function blobFailure(InputFile $file, string $command): Failure
    {
        return Failure::usage("KEYS: {$file->label()} is a blob, not a key file"
            . (str_starts_with($command, 'bloom add ') ? '' : ' (the first argument is the blob)'));
    }

    /**
     * Warns about a file that looks odd, and throws if it cannot be a list of keys.
     *
     * @param string $first the first bytes
     * @param string $command the command that reads the keys from a pipe
     */
    public static function judge(string $first, InputFile $file, string $command, bool $isForced, callable $warn): void
    {
        if (!$isForced) {
            self::refuse($first, $file, $command);
        } elseif (($refusal = KeyEncoding::refusal($first)) !== null) {
            $warn("{$file->label()}: $refusal[0], but is read as keys because of --force");
            return;
        }
        foreach (KeyEncoding::oddities($first) as [$what, $converter]) {
            $warn("{$file->label()}: $what: " . self::remedy($file, $converter, $command));
        }
    }

    private static function refuse(string $first, InputFile $file, string $command): void
    {
        if (str_starts_with($first, Blobs::MAGIC)) {
            throw self::blobFailure($file, $command);
        }
        $refusal = KeyEncoding::refusal($first);
        if ($refusal !== null) {
            throw new Failure(ExitCode::Data, "{$file->label()}: $refusal[0], so its lines are not keys: "
                . self::remedy($file, $refusal[1], $command) . ' (--force reads it as it is)');
        }
    }

    private static function remedy(InputFile $file, string $converter, string $command): string
    {
        $path = preg_match('~^[\w./+:,@%=-]+$~D', $file->path) ? $file->path : "'" . str_replace("'", "'\\''", $file->path) . "'";
        return match (true) {
            $file->isStdin() => "use ... | $converter | $command",
            str_starts_with($converter, 'tr ') => "use $converter < $path | $command",
            default => "use $converter $path | $command",
        };
    }

    /**
     * Judges a stream while it is read.
     *
     * @param resource $stream
     *
     * @return callable(): void throws if the bytes read so far are refused
     */
    private function watch($stream, InputFile $file): callable
    {
        $refusal = null;
        FirstBytes::watch($stream, $file->plainBytes() !== null, function (string $first, bool $isAll) use ($file, &$refusal): void {
            try {
                if ($isAll) {
                    self::judge($first, $file, $this->command, $this->isForced, $this->warn);
                } elseif (!$this->isForced && strlen($first) >= self::MAGIC_BYTES) {
                    self::refuse($first, $file, $this->command);
                }
            } catch (Failure $failure) {
                $refusal = $failure; // an exception of a stream filter would be followed by warnings
            }
        });
        return static function () use (&$refusal): void {
            if ($refusal !== null) {
                throw $refusal;
            }
        };
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

    /**
     * @param resource $stream
     * @param callable(): void $refused throws if the stream is refused
     */
    private function visitLines($stream, string $label, callable $visit, ?callable $report, callable $refused): void
    {
        $bytes = $reported = 0;
        foreach (self::linesOf($stream, $label) as $line) {
            $refused();
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
