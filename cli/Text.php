<?php

namespace Bloom\Cli;

/** Formats numbers, times and untrusted bytes for display. */
final class Text
{
    /** 1234567 → "1,234,567" */
    public static function count(int $number): string
    {
        return number_format($number);
    }

    /** 1234 → "+1,234" */
    public static function change(int $number): string
    {
        return ($number > 0 ? '+' : '') . self::count($number);
    }

    /** 80000, "key" → "80,000 keys" */
    public static function counted(int $number, string $noun): string
    {
        return self::count($number) . " $noun" . ($number === 1 ? '' : 's');
    }

    /** 102912 → "100.5 KiB" */
    public static function size(int $bytes): string
    {
        $units = ['KiB', 'MiB', 'GiB', 'TiB'];
        if ($bytes < 1024) {
            return self::counted($bytes, 'byte');
        }
        $size = $bytes / 1024;
        for ($unit = 0; $size >= 1024 && $unit < count($units) - 1; $unit++) {
            $size /= 1024;
        }
        return number_format($size, fmod($size, 1) === 0.0 ? 0 : 1) . ' ' . $units[$unit];
    }

    /** 102912 → "100.5 KiB (102,912 bytes)" */
    public static function exactSize(int $bytes): string
    {
        return $bytes < 1024 ? self::size($bytes) : self::size($bytes) . ' (' . self::count($bytes) . ' bytes)';
    }

    /** 0.00987 → "0.987 %", with three significant digits */
    public static function percent(float $share): string
    {
        $percent = $share * 100;
        if ($percent > 0 && $percent < 0.0001) {
            return sprintf('%.2e %%', $percent);
        }
        $digits = $percent > 0 ? 2 - (int) floor(log10($percent)) : 0;
        return number_format($percent, max(0, $digits)) . ' %';
    }

    /** Seconds since 1970 → "2026-07-01 12:00:00 UTC" */
    public static function time(float $seconds): string
    {
        return gmdate('Y-m-d H:i:s', (int) $seconds) . ' UTC';
    }

    /** 183600.0 → "2 d 3 h"; shorter times like duration() */
    public static function age(float $seconds): string
    {
        $whole = (int) $seconds;
        return $whole < 172800
            ? self::duration($seconds)
            : sprintf('%d d %d h', intdiv($whole, 86400), intdiv($whole % 86400, 3600));
    }

    /** 75.4 → "1 min 15 s" */
    public static function duration(float $seconds): string
    {
        $whole = (int) $seconds;
        return match (true) {
            $whole < 60 => "$whole s",
            $whole < 3600 => sprintf('%d min %d s', intdiv($whole, 60), $whole % 60),
            default => sprintf('%d h %d min', intdiv($whole, 3600), intdiv($whole % 3600, 60)),
        };
    }

    /**
     * Formats lines that consist of a label and a value.
     *
     * @param array<string, string|null> $values null values are omitted
     * @return list<string>
     */
    public static function labelled(array $values): array
    {
        $lines = [];
        foreach ($values as $label => $value) {
            if ($value !== null) {
                $lines[] = sprintf('%-16s %s', $label, $value);
            }
        }
        return $lines;
    }

    /**
     * Formats right-aligned columns.
     *
     * @param non-empty-list<list<string>> $rows
     * @return list<string>
     */
    public static function table(array $rows): array
    {
        $widths = array_map(
            static fn (int $column): int => max(array_map(strlen(...), array_column($rows, $column))),
            array_keys($rows[0])
        );
        $format = implode('  ', array_map(static fn (int $width): string => "%{$width}s", $widths));
        return array_map(static fn (array $row): string => vsprintf($format, $row), $rows);
    }

    /** Puts untrusted bytes on one line, without control sequences. */
    public static function line(string $bytes): string
    {
        $line = preg_replace(['/\s+/', '/\xC2[\x80-\x9F]|\xE2\x80[\xA8\xA9]/'], [' ', '?'], trim($bytes));
        return addcslashes($line, "\0..\x1f\x7f");
    }
}
