<?php

namespace Bloom\Cli;

/** Something to read: a path, a URL of a PHP stream wrapper, or "-" for standard input. */
final class InputFile
{
    public function __construct(public readonly string $path)
    {
    }

    public function isStdin(): bool
    {
        return $this->path === '-';
    }

    /** What messages call it. */
    public function label(): string
    {
        return $this->isStdin() ? 'standard input' : $this->path;
    }

    /** Fails early, before an hour of work, on a file that is not there; opens nothing, as it may be a pipe. */
    public function check(): void
    {
        if ($this->isStdin() || str_contains($this->path, '://')) {
            return;
        }
        $why = match (true) {
            !file_exists($this->path) => 'no such file',
            is_dir($this->path) => 'is a directory',
            !is_readable($this->path) => 'permission denied',
            default => null,
        };
        if ($why !== null) {
            throw new Failure(ExitCode::NoInput, "{$this->label()}: $why");
        }
    }

    /** Its size when it is a plain file, which can be read twice; else null. */
    public function plainBytes(): ?int
    {
        return !$this->isStdin() && is_file($this->path) ? (int) filesize($this->path) : null;
    }

    /**
     * Opens it for `$read`, which gets the stream; what fails in reading is an I/O error of this file.
     *
     * @template T
     * @param callable(resource): T $read
     * @return T
     */
    public function read(callable $read): mixed
    {
        $this->check();
        if ($this->isStdin() && self::isStdinClosed()) {
            throw new Failure(ExitCode::NoInput, 'standard input is closed');
        }
        error_clear_last();
        $stream = @fopen($this->isStdin() ? 'php://stdin' : $this->path, 'rb');
        if ($stream === false) {
            $why = preg_replace('/^.*: /', '', error_get_last()['message'] ?? 'cannot be opened');
            throw new Failure(ExitCode::NoInput, "{$this->label()}: $why");
        }
        try {
            return $read($stream);
        } catch (\ErrorException $thrown) {
            throw Failure::at(ExitCode::Io, $this->label(), $thrown);
        } finally {
            fclose($stream);
        }
    }

    /** A process that starts without descriptor 0 gets its own script there: it would read as empty. */
    private static function isStdinClosed(): bool
    {
        $stdin = is_resource(STDIN) ? fstat(STDIN) : false;
        $script = stat($_SERVER['SCRIPT_FILENAME']);
        return $stdin === false
            || ($script !== false && $stdin['dev'] === $script['dev'] && $stdin['ino'] === $script['ino']);
    }
}
