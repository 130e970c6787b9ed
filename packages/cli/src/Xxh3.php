<?php

namespace Bloom\Cli;

/**
 * Finds the key of 8 bytes that has a given digest. XXH3-64 with seed 0 maps the keys of 8 bytes to the digests one to one,
 * and a filter knows only digests (docs/dev/blob.md). In a filter with seed 0, this key therefore stands for every
 * key with the same digest.
 *
 * The digest of the little-endian words a and b is, modulo 2^64 and with rotations to the left,
 *
 *     h = (b + a · 2^32) ^ FLIP,   h ^= h <<< 49 ^ h <<< 24,   h *= PRIME,   h ^= (h >> 35) + 8,   h *= PRIME,   h ^= h >> 28
 *
 * and keyOf() undoes these steps, beginning with the last one. The second step is a polynomial p over GF(2) modulo x^64 + 1,
 * whose 64th power is 1. So its inverse is p^63 = p · p^2 · p^4 · x^56, because p^8 is only a rotation by 8.
 */
final class Xxh3
{
    private const FLIP = -0x38c54e8b3a132a5e;
    /** The inverse of PRIME, which is 0x9fb21c651e98df25, modulo 2^64: its high and its low 32 bits. */
    private const HIGH = 0x02ab9c72;
    private const LOW = 0x0d1024ad;

    /**
     * No product has more than 63 bits, because PHP would turn it into a float.
     *
     * Cost: about a microsecond. Calls of functions for the repeated steps would double it.
     */
    public static function keyOf(int $digest): string
    {
        $h = $digest ^ ($digest >> 28 & 0xfffffffff) ^ ($digest >> 56 & 0xff);

        $low = ($h & 0xffffffff) * self::LOW;
        $high = ($h >> 32 & 0xffffffff) * self::LOW + ($h & 0xffffffff) * self::HIGH + ($low >> 32);
        $h = $high << 32 | ($low & 0xffffffff);

        $h ^= ($h >> 35 & 0x1fffffff) + 8;

        $low = ($h & 0xffffffff) * self::LOW;
        $high = ($h >> 32 & 0xffffffff) * self::LOW + ($h & 0xffffffff) * self::HIGH + ($low >> 32);
        $h = $high << 32 | ($low & 0xffffffff);

        $h ^= ($h << 49 | ($h >> 15 & 0x1ffffffffffff)) ^ ($h << 24 | ($h >> 40 & 0xffffff));
        $h ^= ($h << 34 | ($h >> 30 & 0x3ffffffff)) ^ ($h << 48 | ($h >> 16 & 0xffffffffffff));
        $h ^= ($h << 4 | ($h >> 60 & 0xf)) ^ ($h << 32 | ($h >> 32 & 0xffffffff));

        $h = ($h << 56 | ($h >> 8 & 0xffffffffffffff)) ^ self::FLIP;
        return pack('VV', $h >> 32, $h);
    }
}
