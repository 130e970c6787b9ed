<?php

namespace Bloom\Cli;

/**
 * An input: a path, a URL of a PHP stream wrapper, or "-" for standard input.
 *
 * A shell's <(…) passes a path such as /dev/fd/63. That path and /dev/stdin link to a pipe that has no name in the file
 * system. PHP resolves links before it opens a file and would fail, so this class opens the descriptor directly.
 */
final class InputFile
{
    private const DESCRIPTOR = '~^/(?:dev/fd|proc/self/fd)/(\d+)$|^/dev/(stdin)$~D';

    /** The descriptor to read; null if the path is opened by name. */
    private readonly ?int $descriptor;

    public function __construct(public readonly string $path)
    {
        $this->descriptor = match (true) {
            $path === '-' => 0,
            preg_match(self::DESCRIPTOR, $path, $parts) !== 1 => null,
            // A regular file is opened by name, so that it can be read twice.
            ($real = realpath($path)) !== false && is_file($real) => null,
            default => isset($parts[2]) ? 0 : (int) $parts[1],
        };
    }

    public function isStdin(): bool
    {
        return $this->descriptor === 0;
    }

    /** Returns the name of the input for messages. */
    public function label(): string
    {
        return $this->isStdin() ? 'standard input' : $this->path;
    }

    /** Fails before any work is done if the file is missing. An existing file is not opened, because it may be a pipe. */
    public function check(): void
    {
        if (self::hasUnknownWrapper($this->path)) {
            throw new Failure(ExitCode::NoInput, "{$this->label()}: this PHP has no stream wrapper of that name");
        }
        if ($this->isStdin() || preg_match('~.{2}://~s', $this->path) === 1) {
            return;
        }
        $why = match (true) {
            $this->descriptor !== null => self::isOpen($this->descriptor) ? null : 'no such file',
            // Opening the file also yields the reason if a parent directory is not accessible.
            !file_exists($this->path) => is_resource($stream = @fopen($this->path, 'rb')) ? null : self::reason(),
            is_dir($this->path) => 'is a directory',
            !is_readable($this->path) => 'permission denied',
            default => null,
        };
        if ($why !== null) {
            throw new Failure(ExitCode::NoInput, "{$this->label()}: $why");
        }
    }

    /**
     * Returns whether a path is a URL for which PHP has no stream wrapper. PHP's functions would warn about such a URL and
     * then use it as a path. C:// is a path on Windows.
     */
    public static function hasUnknownWrapper(string $path): bool
    {
        return preg_match('~^([A-Za-z0-9+.-]{2,})://~', $path, $parts) === 1
            && !in_array(strtolower($parts[1]), stream_get_wrappers(), true);
    }

    /** Returns the size of a regular file, or null for any other input, which can be read only once. */
    public function plainBytes(): ?int
    {
        return $this->descriptor === null && is_file($this->path) ? (int) filesize($this->path) : null;
    }

    /**
     * Opens the input and passes the stream to `$read`. A PHP warning during the read becomes an I/O failure of this file.
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

    /** Returns the reason why a file could not be opened, taken from PHP's last warning. */
    private static function reason(): string
    {
        $why = preg_replace('/^.*: /s', '', error_get_last()['message'] ?? 'cannot be opened');
        return ['No such file or directory' => 'no such file', 'Permission denied' => 'permission denied'][$why] ?? $why;
    }

    /** Returns whether the descriptor is open. The stream duplicates the descriptor and reads nothing. */
    private static function isOpen(int $descriptor): bool
    {
        $stream = @fopen("php://fd/$descriptor", 'rb');
        return $stream !== false && fclose($stream);
    }

    /**
     * Returns whether the process was started without descriptor 0. In that case PHP opens the script itself as descriptor 0,
     * which would look like empty input.
     */
    private static function isStdinClosed(): bool
    {
        $stdin = is_resource(STDIN) ? fstat(STDIN) : false;
        $script = stat($_SERVER['SCRIPT_FILENAME']);
        return $stdin === false
            || ($script !== false && $stdin['ino'] !== 0 && $stdin['dev'] === $script['dev'] && $stdin['ino'] === $script['ino']);
    }
}
