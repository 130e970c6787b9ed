<?php

namespace Bloom\Internal;

/** Chooses the smallest geometry that keeps a rate: section 5.3 of docs/format.md, which names the formulas. */
final class Sizing
{
    private const RATE_MIN = 1e-9;
    private const RATE_MAX = 0.5;
    private const LOW_RATE = 1e-3;
    private const RIBBON_WIDTH_MAX = 32;
    private const SHARDS_FINE = 256;
    private const SHARDS_FINE_INDEX = 16;

    /** @return Geometry|int the code of a requirement in Sentences, if the wish does not meet it */
    public static function choose(Params $params, int $seed): Geometry|int
    {
        $isIndex = $params->groups !== 0;
        $shardBytes = $params->shardBytes ?: ($isIndex ? Geometry::SHARD_BYTES_MAX : 8192);
        $blockBytes = $isIndex ? $shardBytes : ($params->blockBytes ?: self::defaultBlockBytes($params));
        $trial = new Geometry($seed, 1, $shardBytes, $blockBytes, $params->probes ?: 1, $params->groups,
            $isIndex ? ($params->fanOut ?: 256) : 0, 0, $params->fingerprint);
        $problem = self::problem($params, $trial);
        if ($problem !== null) {
            return $problem;
        }
        if ($params->isRibbon) {
            return $params->bitsPerKey !== 0.0 ? self::ribbonByBits($params, $trial) : self::ribbonByRate($params, $trial);
        }
        // Small filters get small shards, because rounding up to whole shards costs small filters most.
        for (;; $shardBytes = intdiv($shardBytes, 2)) {
            $trial = $trial->with(['shardBytes' => $shardBytes] + ($isIndex ? ['blockBytes' => $shardBytes] : []));
            $chosen = $params->bitsPerKey !== 0.0 ? self::byBits($params, $trial) : self::byRate($params, $trial);
            if (is_int($chosen) || $params->shardBytes !== 0 || self::hasEnoughShards($chosen)) {
                return $chosen;
            }
        }
    }

    private static function defaultBlockBytes(Params $params): int
    {
        $rate = $params->bitsPerKey !== 0.0 ? 2 ** (-$params->bitsPerKey * M_LN2) : $params->rate;
        return $rate > self::LOW_RATE ? 64 : 256;
    }

    private static function problem(Params $params, Geometry $trial): ?int
    {
        $early = match (true) {
            $params->capacity < 1 || $params->capacity > Head::CAPACITY_MAX => Sentences::CAPACITY,
            // This form of the condition also refuses NAN.
            !($params->rate > 0 && $params->rate <= self::RATE_MAX) || $params->rate < self::RATE_MIN => Sentences::RATE,
            $params->bitsPerKey !== 0.0 && !($params->bitsPerKey >= 1 && $params->bitsPerKey <= 1024) => Sentences::BITS_PER_KEY,
            $params->isRibbon && ($params->groups !== 0 || $params->blockBytes !== 0 || $params->probes !== 0) => Sentences::NOT_BLOOM,
            default => $trial->problem(),
        };
        return $early ?? match (true) {
            $params->bitsPerKey === 0.0 && $params->rate <= $params->capacity * $trial->levels() / 2 ** 64 => Sentences::RATE_FLOOR,
            $params->groups !== 0 && self::wrongGroups($trial, $params->rate, 0) > Head::WRONG_GROUPS_MAX => Sentences::GROUPS_RATE,
            default => null,
        };
    }

    private static function hasEnoughShards(Geometry $geometry): bool
    {
        if ($geometry->groups !== 0) {
            return $geometry->shards >= self::SHARDS_FINE_INDEX || Measure::laneBits($geometry) / 2 < 512;
        }
        $half = intdiv($geometry->shardBytes, 2);
        return $geometry->shards >= self::SHARDS_FINE || $half < Geometry::SHARD_BYTES_MIN || $half < $geometry->blockBytes;
    }

    /** Returns the smallest number of shards that keeps the rate; 0: none does. */
    private static function fewestShards(Geometry $geometry, int $keys, float $rate): int
    {
        $most = intdiv(Geometry::FILTER_BYTES_MAX, $geometry->shardBytes);
        $isEnough = fn (int $shards): bool => self::rate($geometry->with(['shards' => $shards]), $keys) <= $rate;
        [$low, $high] = [0, min($most, intdiv($keys, 8 * $geometry->shardBytes) + 1)];
        while (!$isEnough($high)) {
            if ($high === $most) {
                return 0;
            }
            [$low, $high] = [$high, min($most, 2 * $high)];
        }
        while ($high - $low > 1) {
            $middle = intdiv($low + $high, 2);
            [$low, $high] = $isEnough($middle) ? [$low, $middle] : [$middle, $high];
        }
        return $high;
    }

    /** The best number of probes is close to −log2(rate), and the size grows in both directions from it. */
    private static function byRate(Params $params, Geometry $geometry): Geometry|int
    {
        $keys = $params->capacity * $geometry->levels();
        $probes = $params->probes ?: min(Geometry::PROBES_MAX, max(1, (int) round(-log($params->rate, 2))));
        $best = self::fewestShards($geometry->with(['probes' => $probes]), $keys, $params->rate);
        foreach ($params->probes !== 0 ? [] : [-1, 1] as $step) {
            for ($trial = $probes + $step; $trial >= 1 && $trial <= Geometry::PROBES_MAX; $trial += $step) {
                $shards = self::fewestShards($geometry->with(['probes' => $trial]), $keys, $params->rate);
                if ($shards === 0 || ($best !== 0 && $shards > $best) || ($shards === $best && $step > 0)) {
                    break;
                }
                [$best, $probes] = [$shards, $trial];
            }
        }
        return $best === 0 ? Sentences::TOO_LARGE : $geometry->with(['shards' => $best, 'probes' => $probes]);
    }

    private static function byBits(Params $params, Geometry $geometry): Geometry|int
    {
        $keys = $params->capacity * $geometry->levels();
        $shards = ceil(ceil($keys * $params->bitsPerKey) / ($geometry->shardBytes * 8.0));
        if ($shards > intdiv(Geometry::FILTER_BYTES_MAX, $geometry->shardBytes)) {
            return Sentences::TOO_LARGE;
        }
        $geometry = $geometry->with(['shards' => (int) $shards]);
        if ($params->probes !== 0) {
            return $geometry;
        }
        for ($probes = 1, $lowest = 2.0; $probes <= Geometry::PROBES_MAX; $probes++) {
            $rate = self::rate($geometry->with(['probes' => $probes]), $keys);
            if ($rate >= $lowest) {
                break;
            }
            $lowest = $rate;
        }
        return $geometry->with(['probes' => $probes - 1]);
    }

    // ---- ribbon filters ----

    private static function withStripes(Geometry $geometry, int $stripes): Geometry
    {
        return $geometry->with(['stripes' => $stripes, 'probes' => intdiv(intdiv($geometry->shardBytes, 8), $stripes)]);
    }

    /**
     * Returns whether even the fullest shard stays within its capacity, by Bernstein's inequality: it does not
     * with a probability of 10^-6.
     */
    private static function hasCapacity(Geometry $geometry, int $keys): bool
    {
        $mean = $keys / $geometry->shards;
        $odds = log($geometry->shards * 1e6);
        $more = $odds / 3 + sqrt($odds * $odds / 9 + 2 * $odds * $mean * (1 - 1 / $geometry->shards));
        $slots = 64 * $geometry->stripes;
        $capacity = floor($slots * (0.975 - 0.0075 * max(0, log($slots / 4096, 2))));
        return $mean + ($geometry->shards > 1 ? $more : 0) <= $capacity;
    }

    /** Returns the largest number of stripes with which a shard keeps the rate; 0: none does. */
    private static function mostStripes(Geometry $geometry, int $keys, float $rate): int
    {
        [$low, $high] = [1, intdiv($geometry->shardBytes, 8) + 1];
        while ($high - $low > 1) {
            $middle = intdiv($low + $high, 2);
            [$low, $high] = self::rate(self::withStripes($geometry, $middle), $keys) <= $rate ? [$middle, $high] : [$low, $middle];
        }
        return $low < 2 ? 0 : $low;
    }

    private static function fewestRibbonShards(Geometry $geometry, Params $params): ?Geometry
    {
        $stripes = self::mostStripes($geometry, $params->capacity, $params->rate);
        if ($stripes === 0) {
            return null;
        }
        $geometry = self::withStripes($geometry, $stripes);
        [$low, $high] = [0, intdiv(Geometry::FILTER_BYTES_MAX, $geometry->shardBytes)];
        if ($geometry->probes > self::RIBBON_WIDTH_MAX || !self::hasCapacity($geometry->with(['shards' => $high]), $params->capacity)) {
            return null;
        }
        while ($high - $low > 1) {
            $middle = intdiv($low + $high, 2);
            [$low, $high] = self::hasCapacity($geometry->with(['shards' => $middle]), $params->capacity)
                ? [$low, $middle] : [$middle, $high];
        }
        return $geometry->with(['shards' => $high]);
    }

    private static function ribbonByRate(Params $params, Geometry $geometry): Geometry|int
    {
        $best = null;
        $least = PHP_INT_MAX;
        for ($shardBytes = Geometry::SHARD_BYTES_MAX; $shardBytes >= Geometry::SHARD_BYTES_MIN; $shardBytes = intdiv($shardBytes, 2)) {
            if ($params->shardBytes !== 0 && $params->shardBytes !== $shardBytes) {
                continue;
            }
            $trial = self::fewestRibbonShards($geometry->with(['shardBytes' => $shardBytes, 'blockBytes' => $shardBytes]), $params);
            $bytes = $trial === null ? PHP_INT_MAX : $trial->shards * ($shardBytes + 32); // with its rows in the head
            if ($bytes < $least) {
                [$least, $best] = [$bytes, $trial];
            }
        }
        return $best ?? Sentences::TOO_LARGE;
    }

    private static function ribbonByBits(Params $params, Geometry $geometry): Geometry|int
    {
        $bytes = ceil($params->capacity * $params->bitsPerKey) / 8;
        if ($bytes > Geometry::FILTER_BYTES_MAX) {
            return Sentences::TOO_LARGE;
        }
        $shardBytes = $params->shardBytes ?: Geometry::SHARD_BYTES_MAX;
        while ($params->shardBytes === 0 && $shardBytes > Geometry::SHARD_BYTES_MIN && $bytes < $shardBytes * 16.0) {
            $shardBytes = intdiv($shardBytes, 2);
        }
        $geometry = $geometry->with(['shardBytes' => $shardBytes, 'blockBytes' => $shardBytes, 'shards' => (int) ceil($bytes / $shardBytes)]);
        $high = intdiv($shardBytes, 8);
        $low = intdiv($high, self::RIBBON_WIDTH_MAX + 1); // too few: the stripes would be too wide
        if (!self::hasCapacity(self::withStripes($geometry, $high), $params->capacity)) {
            return Sentences::RIBBON_BITS;
        }
        while ($high - $low > 1) {
            $middle = intdiv($low + $high, 2);
            [$low, $high] = self::hasCapacity(self::withStripes($geometry, $middle), $params->capacity) ? [$low, $middle] : [$middle, $high];
        }
        return self::withStripes($geometry, $high);
    }

    // ---- rates ----

    /** Returns the probability that an absent key passes a filter with this number of keys. */
    public static function rate(Geometry $geometry, int $keys): float
    {
        $bits = $geometry->stripes !== 0 ? Ribbon::rate($geometry) : self::meanPower($geometry, $keys, $geometry->probes);
        return min(1.0, $bits + $keys / 2 ** 64);
    }

    /** Returns the variance of the measured rate of filters with this number of random keys. */
    public static function variance(Geometry $geometry, int $keys): float
    {
        if ($geometry->stripes !== 0) {
            return 0.0;
        }
        $rate = static fn (int $keys): float => self::meanPower($geometry, $keys, $geometry->probes);
        $step = intdiv($keys, 64) + 1;
        $fewer = max(0, $keys - $step);
        $slope = ($rate($keys + $step) - $rate($fewer)) / ($keys + $step - $fewer);
        $lanes = Measure::lanes($geometry);
        // If the number of keys in each lane were independent, that of all lanes would vary. Its share is subtracted.
        return max(0.0, (self::meanPower($geometry, $keys, 2 * $geometry->probes) - $rate($keys) ** 2) / $lanes
            - $keys * $slope * $slope * (1 - 1 / $lanes));
    }

    /** Returns the highest rate that is measured by chance: 8 standard deviations of its logarithm above the rate. */
    public static function byChance(float $rate, float $variance): float
    {
        return min(1.0, $rate * exp(8 * sqrt(log1p($variance / ($rate * $rate)))));
    }

    /** Returns the mean over all lanes of (set bits / bits)^power. */
    private static function meanPower(Geometry $geometry, int $keys, int $power): float
    {
        $bits = Measure::laneBits($geometry);
        $lanes = Measure::lanes($geometry);
        if ($keys === 0 || $keys / $lanes * $geometry->probes > $bits * 64) {
            return $keys === 0 ? 0.0 : 1.0;
        }
        $share = 1 / $lanes;
        if ($lanes === 1) {
            return self::inner($keys * $geometry->probes, $bits, $power);
        }
        // Sums over the binomial distribution, from its most probable number in both directions.
        $odds = $share / (1 - $share);
        $peak = (int) floor(($keys + 1) * $share);
        $total = $hits = 0.0;
        for ($i = $peak, $weight = 1.0; $weight > 1e-24 && $i <= $keys; $i++) {
            $total += $weight;
            $hits += $weight * self::inner($i * $geometry->probes, $bits, $power);
            $weight *= ($keys - $i) / ($i + 1) * $odds;
        }
        for ($i = $peak, $weight = 1.0; $i > 0; $i--) {
            $weight *= $i / (($keys - $i + 1) * $odds);
            if ($weight <= 1e-24) {
                break;
            }
            $total += $weight;
            $hits += $weight * self::inner(($i - 1) * $geometry->probes, $bits, $power);
        }
        return $hits / $total;
    }

    /** Returns the mean of (set bits / bits)^probes of a block of this many bits after this number of throws. */
    private static function inner(int $throws, int $bits, int $probes): float
    {
        $fill = -expm1($throws * log1p(-1 / $bits));
        if ($fill <= 0) {
            return 0.0;
        }
        $one = exp($throws * log1p(-1 / $bits));
        $two = exp($throws * log1p(-2 / $bits));
        $variance = (float) $bits * ($bits - 1) * $two + $bits * $one - (float) $bits * $bits * $one * $one;
        $correction = $variance > 0 ? $probes * ($probes - 1) / 2 * $variance / ($bits * $fill * $bits * $fill) : 0;
        return min(1.0, $fill ** $probes * (1 + $correction));
    }

    /** Returns the expected number of wrong groups for a value that $holding groups have. */
    public static function wrongGroups(Geometry $geometry, float $rate, int $holding): float
    {
        $levels = $geometry->levels();
        [$nodes, $right, $others, $below] = [1.0, 1.0, 0.0, (float) $geometry->fanOut ** ($levels - 1)];
        for ($level = 0; $level < $levels; $level++, $below /= $geometry->fanOut) {
            $next = ceil($geometry->groups / $below);
            $rightNext = min((float) $holding, $next);
            $others = $rate * ($next / $nodes * ($others + $right) - $rightNext);
            [$right, $nodes] = [$rightNext, $next];
        }
        return $others;
    }
}
