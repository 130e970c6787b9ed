<?php

namespace Bloom\Cli;

use Bloom\MapBuilder;

/** Lines that have a key, a tab and a decimal value. The last tab of a line counts, so a key may contain others. */
final class MapLines
{
    private const VALUE = '/\t(-?)0*(\d+)\r?$/D';
    /** Values of a map with this many bits have a sign. */
    private const SIGNED_BITS = 64;

    /**
     * Returns the keys of complete lines, one per line.
     *
     * @param string $text lines without the last LF
     * @param string $label of the file, for messages
     * @param int $before the number of lines before these
     */
    public static function keys(string $text, string $label, int $before): string
    {
        $keys = (string) preg_replace('~\G([^\n]*)\t[^\n\t]*+\n~', "$1\n", "$text\n", -1, $count);
        return $count > substr_count($text, "\n") ? substr($keys, 0, -1) : throw self::failure($label, $before + $count);
    }

    /**
     * Returns the values of lines.
     *
     * @param list<string> $lines without their LF
     * @param string $label of the file, for messages
     * @param int $before the number of lines before these
     * @param int $bits the value bits of the map; with 64, any value of 64 bits is accepted
     *
     * @return list<int>
     */
    public static function values(array $lines, string $label, int $before, int $bits = self::SIGNED_BITS): array
    {
        $values = [];
        foreach ($lines as $i => $line) {
            $value = preg_match(self::VALUE, $line, $parts) ? filter_var($parts[1] . $parts[2], FILTER_VALIDATE_INT) : false;
            $values[] = $value !== false && ($bits === self::SIGNED_BITS || $value >= 0 && $value >> $bits === 0)
                ? $value
                : throw self::failure($label, $before + $i, $bits);
        }
        return $values;
    }

    /**
     * Sets the keys of lines that addFile() cannot read, because the keys are folded or are digests.
     *
     * @param list<string> $keys
     * @param list<string> $lines with the values
     */
    public static function set(MapBuilder $builder, array $keys, array $lines, string $label, int $before): void
    {
        foreach (self::values($lines, $label, $before, $builder->info()->valueBits) as $i => $value) {
            $builder->set($keys[$i], $value);
        }
    }

    /** @param int|null $bits the value bits; null: unknown */
    private static function failure(string $label, int $before, ?int $bits = null): Failure
    {
        $missing = match ($bits) {
            null => '',
            self::SIGNED_BITS => 'no value of 64 bits: ',
            default => 'no value from 0 to ' . (PHP_INT_MAX >> 63 - $bits) . ': ',
        };
        return new Failure(ExitCode::Data, "$label: line " . $before + 1 . ": $missing" . 'a line must be a key, a TAB and a value that fits into the value bits');
    }
}
