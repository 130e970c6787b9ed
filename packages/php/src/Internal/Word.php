<?php

namespace Bloom\Internal;

/**
 * Arithmetic of unsigned 64-bit numbers, modulo 2^64. PHP's int has the same 64 bits, but it is signed, and
 * a product or sum that overflows becomes a float. So numbers are split into halves of 32 bits.
 */
final class Word
{
    private const LOW = 0xFFFFFFFF;

    public static function add(int $a, int $b): int
    {
        $low = ($a & self::LOW) + ($b & self::LOW);
        $high = (($a >> 32) & self::LOW) + (($b >> 32) & self::LOW) + ($low >> 32);
        return (($high & self::LOW) << 32) | ($low & self::LOW);
    }

    public static function multiply(int $a, int $b): int
    {
        return self::product($a, $b)[1];
    }

    /** @return array{int, int} the high and the low 64 bits of the product */
    public static function product(int $a, int $b): array
    {
        [$al, $ah] = [$a & self::LOW, ($a >> 32) & self::LOW];
        [$bl, $bh] = [$b & self::LOW, ($b >> 32) & self::LOW];
        // A product of 32-bit halves may exceed 2^63, so it is made of products of 32 and 16 bits.
        [$high, $low] = self::halves($al, $bl);
        [$midHigh, $midLow] = self::halves($ah, $bl);
        [$otherHigh, $otherLow] = self::halves($al, $bh);
        [$topHigh, $topLow] = self::halves($ah, $bh);
        $second = $high + $midLow + $otherLow;
        $third = $midHigh + $otherHigh + $topLow + ($second >> 32);
        $fourth = $topHigh + ($third >> 32);
        return [(($fourth & self::LOW) << 32) | ($third & self::LOW), (($second & self::LOW) << 32) | $low];
    }

    /** @return array{int, int} the high and the low 32 bits of the product of two numbers below 2^32 */
    private static function halves(int $a, int $b): array
    {
        $low = $a * ($b & 0xFFFF);
        $high = $a * ($b >> 16);
        $sum = $low + (($high & 0xFFFF) << 16);
        return [($high >> 16) + ($sum >> 32), $sum & self::LOW];
    }

    public static function shiftRight(int $a, int $bits): int
    {
        return $bits === 0 ? $a : ($a >> $bits) & (PHP_INT_MAX >> ($bits - 1));
    }

    /** Returns ⌊digest · range / 2^64⌋. */
    public static function fastRange(int $digest, int $range): int
    {
        return self::product($digest, $range)[0];
    }
}
