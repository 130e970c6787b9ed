<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * The lines of a file. A line ends with LF or CR LF; the last one may also end with CR or nothing. Its length is limited, so
 * that a text without line ends does not fill the memory.
 */
final class Lines
{
    private const BYTES_MAX = 1 << 20;

    /**
     * @param callable(string): mixed $take
     * @param (callable(int): mixed)|null $progress called with the bytes so far, after each step and at the end
     *
     * @return int the number of lines
     */
    public static function each(mixed $file, string $method, callable $take, ?callable $progress, int $stepBytes): int
    {
        $stream = Streams::open($file, $method);
        $rest = '';
        $count = $bytes = $reported = 0;
        foreach (Streams::pieces($stream, is_string($file) ? $file : '') as $piece) {
            $lines = explode("\n", $rest . $piece);
            // A piece is shorter than the limit, so only the line that began before it can be too long.
            if (strlen($lines[0]) > self::BYTES_MAX) {
                throw Failure::of(Status::Line, (is_string($file) ? "$file: " : '') . 'line ' . ($count + 1));
            }
            $rest = array_pop($lines);
            foreach ($lines as $line) {
                $take(str_ends_with($line, "\r") ? substr($line, 0, -1) : $line);
                $count++;
            }
            $bytes += strlen($piece);
            if ($progress !== null && $bytes - $reported >= $stepBytes) {
                $reported = $bytes;
                $progress($bytes);
            }
        }
        if ($rest !== '') {
            $take(str_ends_with($rest, "\r") ? substr($rest, 0, -1) : $rest);
            $count++;
        }
        if ($progress !== null) {
            $progress($bytes);
        }
        if (is_string($file)) {
            fclose($stream);
        }
        return $count;
    }
}
