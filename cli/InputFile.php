<?php

namespace Bloom\Cli;

/**
 * Something to read: a path, a URL of a PHP stream wrapper, or "-" for standard input.
 *
 * A path like /dev/fd/63, as a shell's <(…) gives it, or /dev/stdin, is a link to something that mostly has no
 * name. PHP looks for that name before it opens anything, so the descriptor itself is read instead.
 */
final class InputFile
{
    private const DESCRIPTOR = '~^/(?:dev/fd|proc/self/fd)/(\d+)$|^/dev/(stdin)$~D';

    /** The number of the descriptor that is read; null for what is opened by its name. */
    private readonly ?int $descriptor;

    public function __construct(public readonly string $path)
    {
        $this->descriptor = match (true) {
            $path === '-' => 0,
            preg_match(self::DESCRIPTOR, $path, $parts) !== 1 => null,
            // A plain file can be read from its beginning, and twice.
            ($real = realpath($path)) !== false && is_file($real) => null,
            default => isset($parts[2]) ? 0 : (int) $parts[1],
        };
    }

    public function isStdin(): bool
    {
        return $this->descriptor === 0;
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
            $this->descriptor !== null => self::isOpen($this->descriptor) ? null : 'no such file',
            // Also where a directory before it may not be entered.
            !file_exists($this->path) => is_resource($stream = @fopen($this->path, 'rb')) ? null : self::reason(),
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
        return $this->descriptor === null && is_file($this->path) ? (int) filesize($this->path) : null;
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
        $stream = @fopen($this->descriptor === null ? $this->path : "php://fd/$this->descriptor", 'rb');
        if ($stream === false) {
            throw new Failure(ExitCode::NoInput, "{$this->label()}: " . self::reason());
        }
        try {
            return $read($stream);
        } catch (\ErrorException $thrown) {
            throw Failure::at(ExitCode::Io, $this->label(), $thrown);
        } finally {
            fclose($stream);
        }
    }

    /** Why a file could not be opened, as PHP's last warning has it. */
    private static function reason(): string
    {
        $why = preg_replace('/^.*: /s', '', error_get_last()['message'] ?? 'cannot be opened');
        return ['No such file or directory' => 'no such file', 'Permission denied' => 'permission denied'][$why] ?? $why;
    }

    /** The stream is another descriptor of the same pipe, of which nothing is read. */
    private static function isOpen(int $descriptor): bool
    {
        $stream = @fopen("php://fd/$descriptor", 'rb');
        return $stream !== false && fclose($stream);
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
