<?php

namespace Bloom\Cli;

use Bloom\ForeignFormat;
use Bloom\Scheme;
use Symfony\Component\Console\Input\InputInterface;

/**
 * Converts options to their types. Each method returns null if its option is not given. These methods check only the
 * syntax; the extension checks the ranges.
 */
final class Values
{
    public static function text(InputInterface $input, string $option): ?string
    {
        $value = $input->getOption($option);
        return $value === null ? null : (string) $value;
    }

    /** Returns the name of a filter. */
    public static function name(InputInterface $input, string $option): ?string
    {
        $name = self::text($input, $option);
        return $name === null || preg_match(Names::PATTERN, $name)
            ? $name
            : throw Failure::usage("--$option: \"$name\" " . Names::RULE);
    }

    /**
     * Parses --scheme.
     *
     * @return array{scheme?: Scheme|null, format?: ForeignFormat} an argument for Builder; the scheme null is the one with the smaller blob
     */
    public static function scheme(InputInterface $input): array
    {
        $text = self::text($input, 'scheme');
        return match ($text) {
            null => [],
            'bloom', 'ribbon' => ['scheme' => Scheme::from($text)],
            'auto' => ['scheme' => null],
            'redisbloom', 'valkeyprob' => ['format' => ForeignFormat::from($text)],
            default => throw Failure::usage("--scheme: \"$text\" is not one of bloom, ribbon, auto, redisbloom and valkeyprob"),
        };
    }

    /**
     * Parses --scheme of a command that knows only filters of our own.
     *
     * @return array{scheme?: Scheme|null}
     */
    public static function ownScheme(InputInterface $input): array
    {
        $found = self::scheme($input);
        if (isset($found['format'])) {
            throw Failure::usage('--scheme: "' . self::text($input, 'scheme') . '" is not one of bloom, ribbon and auto (only bloom build has it)');
        }
        return $found;
    }

    /** Parses the name of a system that writes filters. rueidisprob is the former name of valkeyprob, whose filters have the same format. */
    public static function foreignFormat(InputInterface $input, string $option): ?ForeignFormat
    {
        $names = array_column(ForeignFormat::cases(), 'value');
        $name = self::choice($input, $option, [...$names, 'rueidisprob']);
        return $name === 'rueidisprob' ? ForeignFormat::ValkeyProb : ForeignFormat::tryFrom($name ?? '');
    }

    /** Parses a decimal number, with optional "_" between digits or in the form 1e9, or a hexadecimal number after "0x". */
    public static function integer(InputInterface $input, string $option): ?int
    {
        $text = self::text($input, $option);
        return $text === null ? null : self::parseInteger($text, "--$option");
    }

    /** Parses bits: a number as for integer(), or a binary number after "0b". */
    public static function mask(InputInterface $input, string $option): ?int
    {
        $text = self::text($input, $option);
        $isBinary = preg_match('/^0b([01]{1,64})$/', (string) $text, $parts) === 1;
        $mask = match (true) {
            $text === null => null,
            $isBinary => array_reduce(str_split($parts[1]), static fn (int $bits, string $bit): int => $bits << 1 | (int) $bit, 0),
            default => self::parseInteger($text, "--$option", 'a mask of up to 64 bits such as 5, 0x5 or 0b101'),
        };
        return $mask === 0 ? throw Failure::usage("--$option must have a bit that is 1, not \"$text\"") : $mask;
    }

    /** Parses a number of keys: a whole number, optionally followed by k, M or G, which are powers of 1,000. */
    public static function count(InputInterface $input, string $option): ?int
    {
        $text = self::text($input, $option);
        if ($text === null) {
            return null;
        }
        if (!preg_match('/^(\d+(?:\.\d+)?)([kKMG])$/', $text, $parts)) {
            return self::parseInteger($text, "--$option", 'a number of keys such as 80000, 80k or 50M');
        }
        $count = (float) $parts[1] * ['k' => 1e3, 'K' => 1e3, 'M' => 1e6, 'G' => 1e9][$parts[2]];
        return $count < 1e15 ? (int) round($count) : throw Failure::usage("--$option: $text is too large");
    }

    /** Parses a rate: a number such as 0.01, or a percentage such as 1%. A number over $most was probably meant as a percentage. */
    public static function rate(InputInterface $input, string $option, float $most = 1.0): ?float
    {
        $text = self::text($input, $option);
        if ($text === null) {
            return null;
        }
        $isPercentage = preg_match('/^(.*\S)\s*%$/', $text, $parts) === 1;
        $number = $isPercentage ? $parts[1] : $text;
        if (!is_numeric($number)) {
            throw Failure::usage("--$option: \"$text\" is not a rate such as 0.01 or 1%");
        }
        $rate = (float) $number / ($isPercentage ? 100 : 1);
        if ($rate > $most) {
            throw Failure::usage("--$option: \"$text\" is more than $most" . ($isPercentage || $rate > 100 * $most
                ? ', which is ' . 100 * $most . '%'
                : "; for $number percent write $number% or " . $rate / 100));
        }
        return $rate;
    }

    /** Parses a whole number, optionally followed by K, M or G (KiB, MiB, GiB). */
    public static function bytes(InputInterface $input, string $option): ?int
    {
        $text = self::text($input, $option);
        if ($text === null) {
            return null;
        }
        if (!preg_match('/^(\d+)([KMG])(?:iB)?$/', $text, $parts)) {
            return self::parseInteger($text, "--$option", 'a number of bytes such as 65536, 64K, 64M or 2G (powers of 1,024)');
        }
        $bytes = self::parseInteger($parts[1], "--$option") * 1024 ** (strpos('KMG', $parts[2]) + 1);
        return is_int($bytes) ? $bytes : throw Failure::usage("--$option: $text is too large");
    }

    /** Parses a duration: a number of seconds, or a number followed by s, m, h or d. */
    public static function duration(InputInterface $input, string $option, int $most = 1_000_000_000): ?float
    {
        $text = self::text($input, $option);
        if ($text === null) {
            return null;
        }
        if (!preg_match('/^(\d+(?:\.\d+)?)([smhd]?)$/', $text, $parts)) {
            throw Failure::usage("--$option: \"$text\" is not a duration such as 30s, 5m, 1h or 30");
        }
        $seconds = (float) $parts[1] * ['' => 1, 's' => 1, 'm' => 60, 'h' => 3600, 'd' => 86400][$parts[2]];
        return $seconds >= 0.001 && $seconds <= $most
            ? $seconds
            : throw Failure::usage("--$option must be between 0.001 and " . Text::count($most) . " seconds, not \"$text\"");
    }

    /** Parses a duration like duration(), but also accepts 0. */
    public static function durationOrZero(InputInterface $input, string $option): ?float
    {
        return preg_match('/^0+(?:\.0+)?[smhd]?$/', (string) self::text($input, $option)) ? 0.0 : self::duration($input, $option);
    }

    /**
     * Parses a time: Unix seconds, or a date that PHP understands, such as 2026-11-22T02:00:00Z. A date without a zone is
     * in the user's, as for date(1) and touch(1).
     */
    public static function time(InputInterface $input, string $option): ?float
    {
        $text = self::text($input, $option);
        if ($text === null || is_numeric($text)) {
            return $text === null ? null : (float) $text;
        }
        // Without a year, PHP would accept words such as "may" and fill in the rest.
        $parts = preg_match('/^\d{4}-/', $text) ? date_parse($text) : ['error_count' => 1];
        if ($parts['error_count'] > 0) {
            throw Failure::usage("--$option: \"$text\" is neither a Unix time nor a date such as 2026-11-22T02:00:00Z");
        }
        $zone = $parts['is_localtime'] ? new \DateTimeZone('UTC') : self::localZone();
        if ($zone === null) {
            throw Failure::usage("--$option: \"$text\" has no time zone, and PHP does not know the local one: append Z for UTC or an "
                . 'offset such as +01:00, or set TZ to a name such as Europe/Berlin');
        }
        return (float) (new \DateTimeImmutable($text, $zone))->format('U.u');
    }

    /** Returns the zone that date(1) uses, which PHP ignores. Returns null if PHP does not know it. */
    private static function localZone(): ?\DateTimeZone
    {
        $name = match (true) {
            getenv('TZ') !== false => getenv('TZ') ?: 'UTC',
            is_link('/etc/localtime') => (string) readlink('/etc/localtime'),
            is_file('/etc/localtime') => trim((string) @file_get_contents('/etc/timezone')),
            default => 'UTC',
        };
        $name = preg_replace('~^.*/zoneinfo/|^:~', '', $name);
        return in_array($name, \DateTimeZone::listIdentifiers(\DateTimeZone::ALL_WITH_BC), true) ? new \DateTimeZone($name) : null;
    }

    /** Parses bits per second; K, M and G are powers of 1,000, as usual for network links. */
    public static function bits(InputInterface $input, string $option): ?float
    {
        $text = self::text($input, $option);
        if ($text === null) {
            return null;
        }
        if (!preg_match('/^(\d+(?:\.\d+)?)([KMG]?)$/', $text, $parts) || (float) $parts[1] <= 0) {
            throw Failure::usage("--$option: \"$text\" is not a bandwidth such as 100M, which is 100 million bits per second");
        }
        return (float) $parts[1] * ['' => 1, 'K' => 1e3, 'M' => 1e6, 'G' => 1e9][$parts[2]];
    }

    /** Parses a number with or without a decimal point or exponent. */
    public static function number(InputInterface $input, string $option): ?float
    {
        $text = self::text($input, $option);
        if ($text === null) {
            return null;
        }
        if (!is_numeric($text)) {
            throw Failure::usage("--$option: \"$text\" is not a number");
        }
        return (float) $text;
    }

    /** @param list<string> $allowed */
    public static function choice(InputInterface $input, string $option, array $allowed): ?string
    {
        $text = self::text($input, $option);
        if ($text !== null && !in_array($text, $allowed, true)) {
            throw Failure::usage("--$option: \"$text\" is not one of " . implode(', ', $allowed));
        }
        return $text;
    }

    private static function parseInteger(string $text, string $what, string $form = 'a whole number such as 8'): int
    {
        if (preg_match('/^[+-]?\d+(_\d+)*$/', $text)) {
            $number = str_replace('_', '', $text) + 0;
        } elseif (preg_match('/^(\d{1,15})e(\d{1,2})$/i', $text, $parts)) {
            $number = (int) $parts[1] * 10 ** (int) $parts[2];
        } elseif (preg_match('/^0x[0-9a-fA-F]+$/', $text)) {
            // With the highest bit set, the result is a negative number.
            $digits = ltrim(substr($text, 2), '0');
            $number = strlen($digits) > 16 ? null : self::fromHexadecimal($digits);
        } else {
            throw Failure::usage("$what: \"$text\" is not $form");
        }
        return is_int($number) ? $number : throw Failure::usage("$what: $text is too large");
    }

    private static function fromHexadecimal(string $digits): int
    {
        $number = 0;
        foreach (str_split($digits) as $digit) {
            $number = $number << 4 | (int) hexdec($digit);
        }
        return $number;
    }
}
