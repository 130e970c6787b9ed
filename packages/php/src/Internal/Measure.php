<?php

namespace Bloom\Internal;

/**
 * What the bits of a filter tell: how full it is, how many keys it has, and how often it is wrong. A lane is
 * a block, or a column of a block in a reverse index.
 */
final class Measure
{
    /** Returns the rate of a map; otherwise, the mean over all lanes of (set bits / bits) ^ probes. */
    public static function rate(Geometry $geometry, string $body): float
    {
        if ($geometry->stripes !== 0) {
            return (new Ribbon($geometry))->measuredRate($body);
        }
        $sum = 0.0;
        $laneBits = self::laneBits($geometry);
        for ($at = 0; $at < strlen($body); $at += $geometry->blockBytes) {
            $block = substr($body, $at, $geometry->blockBytes);
            foreach ($geometry->groups === 0 ? [Bits::count($block)] : self::columns($block, $geometry->fanOut) as $bits) {
                $sum += ($bits / $laneBits) ** $geometry->probes;
            }
        }
        return $sum / self::lanes($geometry);
    }

    /** @return array<int, int> the number of set bits of each column */
    private static function columns(string $block, int $fanOut): array
    {
        $columns = array_fill(0, $fanOut, 0);
        foreach (str_split($block, max(1, intdiv($fanOut, 8))) as $row) {
            foreach (str_split($row) as $byte => $bits) {
                for ($value = ord($bits), $bit = 0; $value !== 0; $value >>= 1, $bit++) {
                    $columns[8 * $byte + $bit] += $value & 1;
                }
            }
        }
        return $columns;
    }

    public static function laneBits(Geometry $geometry): int
    {
        return intdiv(8 * $geometry->blockBytes, max(1, $geometry->fanOut));
    }

    public static function lanes(Geometry $geometry): int
    {
        return $geometry->blocks() * max(1, $geometry->fanOut);
    }

    /**
     * Returns the number of keys that best explains the set bits (Swamidass & Baldi, "Mathematical
     * Correction for Fingerprint Similarity Measures", 2007); infinity if all bits are set.
     */
    public static function estimatedKeys(Geometry $geometry, int $setBits): float
    {
        $hit = -expm1($geometry->probes * log1p(-1 / self::laneBits($geometry)));
        $lanes = self::lanes($geometry);
        $empty = $hit / $lanes === 1.0 ? -INF : log1p(-$hit / $lanes);
        return $setBits === $geometry->bytes() * 8 ? INF : log1p(-$setBits / ($geometry->bytes() * 8)) / $empty;
    }
}
