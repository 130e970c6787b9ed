<?php

namespace Bloom\Internal;

/** Reads numbers of 64 bits from bytes that are known to be long enough. */
final class Unpack
{
    /** Reads a little-endian number. */
    public static function word(string $bytes, int $at = 0): int
    {
        return self::words(substr($bytes, $at, 8))[1];
    }

    /** Reads a big-endian number. */
    public static function bigEndian(string $bytes): int
    {
        return self::word(strrev($bytes));
    }

    /** @return array<int, int> little-endian numbers, from 1 on */
    public static function words(string $bytes): array
    {
        /** @var array<int, int> $words */
        $words = unpack('P*', $bytes);
        return $words;
    }
}
