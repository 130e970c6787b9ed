<?php

namespace Bloom\Cli;

use Bloom\Kit\StoreUrl;

/** Formats numbers, times and untrusted bytes for display. */
final class Text
{
    /** Control characters, and the invisible ones that change the direction or the order of the text around them. */
    private const COMMANDS = '/[\x{00}-\x{1f}\x{7f}-\x{9f}\x{ad}\x{61c}\x{180e}\x{200b}-\x{200f}\x{2028}-\x{202e}'
        . '\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{e0000}-\x{e007f}]/u';

    /** Matches all bytes; those of the first group are not UTF-8. */
    private const NOT_UTF8 = '/[\x00-\x7f]++|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]'
        . '|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}'
        . '|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|(.)/s';

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

    /** Shortens a key, which may have a megabyte, to its first 40 characters. */
    public static function key(string $key): string
    {
        $first = preg_match('/^.{0,40}/us', $key, $parts) === 1 ? $parts[0] : substr($key, 0, 40);
        return 'the key "' . self::line($first) . '"' . ($first === $key ? '' : '... (' . self::count(strlen($key)) . ' bytes)');
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
                $start = sprintf('%-16s ', $label);
                $width = Layout::resultWidth();
                $lines = [...$lines, ...($width === null
                    ? [$start . $value]
                    : Layout::wrap($value, $width, $start, str_repeat(' ', strlen($start))))];
            }
        }
        return $lines;
    }

    /** Puts untrusted bytes on one line, and escapes them like escaped(). */
    public static function line(string $bytes): string
    {
        return self::escaped(preg_replace('/\s+/', ' ', trim($bytes)));
    }

    /**
     * Escapes what a terminal obeys instead of showing, and removes users and passwords from URLs. Every line that the command
     * line prints passes through this function, so it leaves spaces alone and changes nothing the second time.
     */
    public static function escaped(string $bytes): string
    {
        $isText = preg_match('//u', $bytes) === 1;
        $valid = $isText ? $bytes : (string) preg_replace_callback(
            self::NOT_UTF8,
            static fn (array $found): string => isset($found[1]) ? sprintf('\x%02X', ord($found[0])) : $found[0],
            $bytes
        );
        $escape = static fn (array $found): string => strlen($found[0]) === 1
            ? sprintf('\x%02X', ord($found[0]))
            : sprintf('\u{%04X}', mb_ord($found[0], 'UTF-8'));
        return self::withoutPasswords((string) preg_replace_callback(self::COMMANDS, $escape, $valid));
    }

    /** Escapes the characters of a JSON text that a terminal obeys. They can only be part of its strings. */
    public static function escapedJson(string $json): string
    {
        return (string) preg_replace_callback(
            self::COMMANDS,
            static fn (array $found): string => trim(json_encode($found[0]), '"'),
            $json
        );
    }

    /** Removes "user:password@" from URLs. */
    public static function withoutPasswords(string $text): string
    {
        return StoreUrl::withoutPasswords($text);
    }
}
