<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Builder;
use Bloom\Kit\Fold;
use Bloom\MapBuilder;
use Bloom\Status;

/**
 * Files with one key per line. Lines end with LF or CR LF; the last line ending is optional. An empty line is the empty
 * key.
 */
final class KeyFiles
{
    private const READ_BYTES = 1 << 20;
    /** Lines are visited in batches of about this size, so that a batch fits into the processor's cache. */
    private const BATCH_BYTES = 1 << 15;
    /** The length that a line may have before its LF, as for Builder::addFile(). */
    private const LINE_BYTES_MAX = 1 << 20;

    /** A first call of judge() needs at least this many bytes to recognize a file that is refused. */
    private const MAGIC_BYTES = 8;

    /**
     * @param list<InputFile> $files
     * @param string $command the command that reads the keys from a pipe, for messages
     * @param LineKeys $lines how a line becomes a key
     * @param bool $isForced whether compressed files and UTF-16 are used as they are
     * @param callable(string): void $warn
     */
    private function __construct(
        private readonly array $files,
        private readonly string $command,
        private readonly LineKeys $lines,
        private readonly bool $isForced,
        private readonly mixed $warn
    ) {
    }

    /**
     * Checks that all files exist, and that no regular file among them is a blob, compressed or in UTF-16.
     *
     * @param list<string> $paths at most one of them may be standard input
     * @param string $command the command that reads the keys from a pipe, for messages
     * @param LineKeys $lines how a line becomes a key
     * @param callable(string): void $warn receives a warning about a file that does not look like a key file
     */
    public static function at(array $paths, string $command, LineKeys $lines, bool $isForced, callable $warn): self
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
        return new self($files, $command, $lines, $isForced, $warn);
    }

    /** Returns the same files for a map, whose lines have values. */
    public function withValues(): self
    {
        return new self($this->files, $this->command, $this->lines->withValues(), $this->isForced, $this->warn);
    }

    public function haveStdin(): bool
    {
        return array_filter($this->files, static fn (InputFile $file): bool => $file->isStdin()) !== [];
    }

    /** Returns whether all files are regular ones. */
    public function canBeReadAgain(): bool
    {
        return $this->totalBytes() !== null;
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
    public function addTo(Builder|MapBuilder $builder, ?Fold $fold, Progress $progress): int
    {
        $added = 0;
        if ($this->lines->areDigests || $fold !== null) {
            $this->eachBatch(static function (array $lines, array $keys, string $label, int $before) use ($builder, $fold, &$added): void {
                self::add(static function () use ($builder, $fold, $lines, $keys, $label, $before): int {
                    $keys = $fold?->keys($keys) ?? $keys;
                    $builder instanceof Builder ? $builder->addMany($keys) : MapLines::set($builder, $keys, $lines, $label, $before);
                    return count($keys);
                }, $label);
                $added += count($keys);
            }, 'reading', $progress);
            return $added;
        }
        $this->eachFile('reading', $progress, function ($stream, ?callable $report, callable $refused, string $label) use ($builder, &$added): void {
            $added += self::add(fn (): int => $builder->addFile($stream, $report, ...$this->lines->arguments()), $label);
            $refused();
        });
        return $added;
    }

    /**
     * Throws if a key cannot be added with the fold.
     *
     * @param list<string> $keys
     */
    public static function checkFolded(?Fold $fold, array $keys, string $label): void
    {
        self::add(static fn (): int => count($fold?->keys($keys) ?? []), $label);
    }

    /**
     * @param callable(): int $add
     * @param string $label of the file, for messages
     */
    private static function add(callable $add, string $label): int
    {
        try {
            return $add();
        } catch (\ValueError $thrown) { // of the fold
            throw Failure::at(ExitCode::Data, $label, $thrown);
        } catch (BloomException $thrown) {
            $isLine = in_array($thrown->getCode(), [Status::Line->value, Status::MapLine->value, Status::Field->value], true);
            throw Failure::at($isLine ? ExitCode::Data : ExitCode::Io, $label, $thrown);
        }
    }

    /**
     * Calls $visit with the lines of a part of a file, without their LF, with the keys that Builder::addFile() would add for
     * them or that the options select, with the name of the file for messages, and with the number of lines before these.
     *
     * @param callable(list<string>, list<string>, string, int): void $visit
     */
    public function eachBatch(callable $visit, string $stage, Progress $progress): void
    {
        $this->eachFile($stage, $progress, function ($stream, ?callable $report, callable $refused, string $label) use ($visit): void {
            $bytes = $reported = $count = 0;
            foreach (self::linesOf($stream, $label) as $text) {
                $refused();
                $lines = explode("\n", $text);
                $visit($lines, $this->lines->in($text, $label, $count), $label, $count);
                $count += count($lines);
                $bytes += strlen($text) + 1;
                if ($report !== null && $bytes - $reported >= self::READ_BYTES) {
                    $report($reported = $bytes);
                }
            }
            $refused();
            if ($report !== null) {
                $report($bytes);
            }
        });
    }

    /** @param callable(resource, ?callable, callable(): void, string): void $read receives a stream, a callback for its progress, one that throws if the stream is refused, and its label */
    private function eachFile(string $stage, Progress $progress, callable $read): void
    {
        $total = $this->totalBytes();
        $before = 0;
        foreach ($this->files as $file) {
            $report = $progress->part($stage, $before, $total);
            $file->read(fn ($stream) => $read($stream, $report, $this->watch($stream, $file), $file->label()));
            $before += (int) $file->plainBytes();
        }
    }

    /**
     * Yields the complete lines of a part of a stream, without the last LF.
     *
     * @param resource $stream
     * @return iterable<string>
     */
    public static function linesOf($stream, string $label): iterable
    {
        $rest = '';
        $count = 0;
        while (($part = fread($stream, self::BATCH_BYTES)) !== false && $part !== '') {
            $end = strrpos($part, "\n");
            $text = $rest . ($end === false ? $part : substr($part, 0, $end));
            // Only the first line of a part can be too long.
            if (strlen($text) > self::LINE_BYTES_MAX && strcspn($text, "\n", 0, self::LINE_BYTES_MAX + 1) > self::LINE_BYTES_MAX) {
                throw new Failure(ExitCode::Data, "$label: line " . $count + 1 . ': a line can be at most '
                    . Text::count(self::LINE_BYTES_MAX) . ' bytes long (end each key with LF)');
            }
            if ($end === false) {
                $rest = $text;
                continue;
            }
            $rest = substr($part, $end + 1);
            $count += substr_count($text, "\n") + 1;
            yield $text;
        }
        if (!feof($stream)) {
            throw new Failure(ExitCode::Io, "$label: the file could not be read completely");
        }
        if ($rest !== '') {
            yield $rest;
        }
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
     */
    private function judge(string $first, InputFile $file): void
    {
        if (!$this->isForced) {
            self::refuse($first, $file, $this->command);
        } elseif (($refusal = KeyEncoding::refusal($first)) !== null) {
            ($this->warn)("{$file->label()}: $refusal[0], but is read as keys because of --force");
            return;
        }
        foreach ([...KeyEncoding::oddities($first), ...$this->lines->oddities($first)] as [$what, $converter]) {
            ($this->warn)("{$file->label()}: $what: " . self::remedy($file, $converter, $this->command));
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
            str_starts_with($converter, '--') => "use $converter",
            $file->isStdin() => "use ... | $converter | $command",
            str_starts_with($command, 'bloom nightly ') => "use $command -- " . (str_starts_with($converter, 'tr ')
                ? "sh -c \"$converter < $path\""
                : "$converter $path"),
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
                    $this->judge($first, $file);
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
}
