<?php

namespace Bloom\Internal;

/** Chooses the smallest map that keeps a rate and has a place for each key: docs/dev/writing.md. */
final class MapSizing
{
    private const RATE_MIN = 1e-9;
    private const RATE_MAX = 0.5;
    private const TABLE_BYTES = 32; // in the head, for each shard
    private const STRIPES_MIN = 10;
    /** The part of its slots by which a shard may be too full before its second level is full, too */
    private const SECOND_LEVEL = 0.012;

    /** @return Geometry|string the sentence of the requirement, if the wish does not meet it */
    public static function choose(Params $params, int $seed): Geometry|string
    {
        $problem = self::problem($params);
        if ($problem !== null) {
            return $problem;
        }
        [$chosen, $least] = [null, PHP_INT_MAX];
        $sizes = $params->shardBytes !== 0 ? [$params->shardBytes] : [65536, 32768, 16384, 8192, 4096, 2048, 1024];
        foreach ($sizes as $shardBytes) {
            $striped = self::withStripes($params, $seed, $shardBytes);
            $trial = $striped === null ? null : self::withShards($striped, $params->capacity);
            $bytes = $trial === null ? PHP_INT_MAX : $trial->shards * ($shardBytes + self::TABLE_BYTES);
            if ($bytes < $least) {
                [$chosen, $least] = [$trial, $bytes];
            }
        }
        return $chosen ?? (self::withStripes($params, $seed, $sizes[0]) !== null ? Sentences::TOO_LARGE
            : Sentences::RIBBON_SHARD);
    }

    private static function problem(Params $params): ?string
    {
        return match (true) {
            $params->valueBits > Geometry::VALUE_BITS_MAX => Sentences::VALUE_BITS,
            $params->blockBytes !== 0 || $params->probes !== 0 => Sentences::MAP_LAYOUT,
            $params->capacity < 1 || $params->capacity > Head::CAPACITY_MAX => Sentences::CAPACITY,
            // This form of the condition also refuses NAN.
            !($params->rate >= self::RATE_MIN && $params->rate <= self::RATE_MAX)
                && $params->rate !== 1.0 => Sentences::MAP_RATE,
            $params->rate <= $params->capacity / 2 ** 64 => Sentences::RATE_FLOOR,
            $params->shardBytes !== 0 && !Geometry::isShardBytes($params->shardBytes) => Sentences::SHARD_BYTES,
            default => null,
        };
    }

    /** Returns a shard with the most stripes that keep the rate: more stripes are narrower, and have more places. */
    private static function withStripes(Params $params, int $seed, int $shardBytes): ?Geometry
    {
        $words = intdiv($shardBytes, 8);
        $widest = $params->valueBits + Geometry::PROBES_MAX + 1;
        [$low, $high] = [max(intdiv(self::STRIPES_MIN, 2) - 1, intdiv(intdiv($words, 2), $widest)), intdiv($words, 2)];
        $best = self::striped($params, $seed, $shardBytes, $low);
        while ($high - $low > 1) {
            $middle = intdiv($low + $high, 2);
            $trial = self::striped($params, $seed, $shardBytes, $middle);
            [$low, $high, $best] = $trial !== null ? [$middle, $high, $trial] : [$low, $middle, $best];
        }
        return $best === null || $best->problem() !== null ? null : $best;
    }

    /** Returns a shard with this many pairs of stripes; null: they are too narrow for the values and the rate. */
    private static function striped(Params $params, int $seed, int $shardBytes, int $pairs): ?Geometry
    {
        $shard = new Geometry($seed, 1, $shardBytes, $shardBytes, 0, stripes: 2 * $pairs, valueBits: $params->valueBits);
        $width = intdiv(intdiv($shardBytes, 8) - Ribbon::thresholdWords($shard), 2 * $pairs);
        $shard = $shard->with(['probes' => $width - $params->valueBits]);
        return $shard->probes >= 0 && Sizing::rate($shard, $params->capacity) <= $params->rate * (1 + 1e-6) ? $shard : null;
    }

    /** Returns the smallest map of these shards in which all keys have a place; null: it would be too large. */
    private static function withShards(Geometry $shard, int $keys): ?Geometry
    {
        [$low, $high] = [0, intdiv(Geometry::FILTER_BYTES_MAX, $shard->shardBytes)];
        if (self::hasPlaces($shard, 1, $keys)) {
            return $shard;
        }
        if (!self::hasPlaces($shard, $high, $keys)) {
            return null;
        }
        for ($low = 1; $high - $low > 1;) {
            $middle = intdiv($low + $high, 2);
            [$low, $high] = self::hasPlaces($shard, $middle, $keys) ? [$low, $middle] : [$middle, $high];
        }
        return $shard->with(['shards' => $high]);
    }

    /** Returns whether all keys practically always have a place; src/filter/sizing.c says why. */
    private static function hasPlaces(Geometry $shard, int $shards, int $keys): bool
    {
        [$stripes, $slots] = [(float) $shard->stripes, 64 * $shard->stripes];
        $sure = $slots * (1 - 0.004 - 0.75 * $stripes ** -0.6 - 1300 * $stripes ** -4);
        if ($shards === 1) {
            return $keys <= $sure;
        }
        $homes = $shards - 1;
        $places = $slots * (1 - 0.003 - 0.65 / $stripes - 1300 * $stripes ** -4);
        $full = $places + self::SECOND_LEVEL * $slots;
        $mean = $keys / $homes;
        // Even with a single home shard, the number of keys that it loses varies.
        $sigma = sqrt(max($mean * (1 - 1 / $homes), 1));
        [$over, $overSquared] = self::excess($mean, $sigma, $places);
        [$more, $moreSquared] = self::excess($mean, $sigma, $full);
        $lost = 1.2 * $over + 1.5 * $more;
        $variance = 1.44 * $overSquared + 3 * $moreSquared - $lost * $lost;
        return $mean <= $full && $homes * $lost + 6 * sqrt($homes * max($variance, 0)) <= $sure;
    }

    /** @return array{float, float} the means of max(0, x − limit) and of its square, for a normal x */
    private static function excess(float $mean, float $sigma, float $limit): array
    {
        $z = ($limit - $mean) / $sigma;
        $density = exp(-$z * $z / 2) / sqrt(2 * M_PI);
        $above = self::above($z, $density);
        return [$sigma * ($density - $z * $above), $sigma * $sigma * ((1 + $z * $z) * $above - $z * $density)];
    }

    /**
     * Returns the probability that a standard normal number is above z, with a relative error below 10^-12: formulas 26.2.11
     * and 26.2.14 of Abramowitz & Stegun, "Handbook of Mathematical Functions", 1964. PHP has no erfc().
     */
    private static function above(float $z, float $density): float
    {
        if ($z >= 3) {
            for ($fraction = $z, $i = 60; $i > 0; $i--) {
                $fraction = $z + $i / $fraction;
            }
            return $density / $fraction;
        }
        if ($z < -9) {
            return 1.0; // the nearest float
        }
        for ($sum = $term = $z, $i = 3, $before = NAN; $sum !== $before; $i += 2) {
            $before = $sum;
            $term *= $z * $z / $i;
            $sum += $term;
        }
        return 0.5 - $density * $sum;
    }
}
