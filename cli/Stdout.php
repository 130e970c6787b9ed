<?php

namespace Bloom\Cli;

/**
 * Standard output for results: bytes as they are. Symfony's output would read tags in them, and would
 * not notice a full disk or a reader that has gone.
 */
final class Stdout
{
    private const BUFFER_BYTES = 65536;

    private string $buffer = '';

    public function isTerminal(): bool
    {
        return is_resource(STDOUT) && stream_isatty(STDOUT);
    }

    /** Collects; flush() or a full buffer writes. */
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
        // PHP says the errno in words only: "… failed with errno=32 Broken pipe".
        preg_match('/errno=(\d+) (.*)$/', $message, $parts);
        return ($parts[1] ?? '') === '32'
            ? new Failure(ExitCode::BrokenPipe, 'standard output: broken pipe')
            : new Failure(ExitCode::Io, 'standard output: ' . ($parts[2] ?? $message));
    }
}
