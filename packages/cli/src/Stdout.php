<?php

namespace Bloom\Cli;

/**
 * Writes results to standard output unchanged. Symfony's output class would interpret tags in the results, and it would not
 * notice a full disk or a closed pipe.
 */
final class Stdout
{
    private const BUFFER_BYTES = 65536;

    private string $buffer = '';

    public function isTerminal(): bool
    {
        return is_resource(STDOUT) && stream_isatty(STDOUT);
    }

    /** Appends to the buffer and flushes it when it is full. */
    public function write(string $bytes): void
    {
        $this->buffer .= $bytes;
        if (strlen($this->buffer) >= self::BUFFER_BYTES) {
            $this->flush();
        }
    }

    public function flush(): void
    {
        $bytes = $this->buffer;
        $this->buffer = '';
        if ($bytes === '') {
            return;
        }
        if (!is_resource(STDOUT)) {
            throw new Failure(ExitCode::Io, 'standard output is closed');
        }
        stream_set_blocking(STDOUT, true);
        error_clear_last();
        if (@fwrite(STDOUT, $bytes) !== strlen($bytes)) {
            throw $this->failure(error_get_last()['message'] ?? 'write failed');
        }
    }

    private function failure(string $message): Failure
    {
        // PHP reports the errno only in its message: "… failed with errno=32 Broken pipe".
        preg_match('/errno=(\d+) (.*)$/', $message, $parts);
        return ($parts[1] ?? '') === '32'
            ? new Failure(ExitCode::BrokenPipe, 'standard output: broken pipe')
            : new Failure(ExitCode::Io, 'standard output: ' . ($parts[2] ?? $message));
    }
}
