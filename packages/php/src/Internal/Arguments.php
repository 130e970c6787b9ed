<?php

namespace Bloom\Internal;

/** Refuses arguments, with the extension's messages. */
final class Arguments
{
    /** Makes the error for an argument of a method ("Class::method" without the namespace). */
    public static function error(string $method, int $argument, string $name, string $requirement): \ValueError
    {
        return new \ValueError("Bloom\\$method(): Argument #$argument (\$$name) $requirement");
    }

    /** @param int $code of a requirement in Sentences */
    public static function refuse(string $method, int $argument, string $name, int $code): \ValueError
    {
        // The sentence begins with the name of the parameter.
        return self::error($method, $argument, $name, (string) strstr(Sentences::ALL[$code][1], 'must'));
    }

    public static function name(string $name, string $method, int $argument = 1): void
    {
        if (preg_match('/\A[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\z/', $name) !== 1) {
            throw self::refuse($method, $argument, 'name', Sentences::NAME);
        }
    }

    public static function source(string $source, string $method, int $argument): void
    {
        if (strlen($source) > 128) {
            throw self::error($method, $argument, 'source', 'must be at most 128 bytes');
        }
    }

    /** Turns a setting of null or seconds into milliseconds; 0: null. */
    public static function milliseconds(?float $seconds): int
    {
        return $seconds === null ? 0 : ($seconds >= 0.01 && $seconds <= 1e9 ? (int) round($seconds * 1000) : -1);
    }
}
