<?php

namespace Bloom\Internal;

/** Chooses the smallest geometry that keeps a rate: docs/dev/writing.md, which names the formulas. */
final class Sizing
{
    private const RATE_MIN = 1e-9;
    private const RATE_MAX = 0.5;
    private const LOW_RATE = 1e-3;
    private const SHARDS_FINE = 256;
    private const SHARDS_FINE_INDEX = 16;

    /** @return Geometry|string the sentence of the requirement, if the wish does not meet it */
    public static function choose(Params $params, int $seed): Geometry|string
    {
        if ($params->valueBits !== 0) {
            return MapSizing::choose($params, $seed);
        }
        $isIndex = $params->groups !== 0;
        $shardBytes = $params->shardBytes ?: ($isIndex ? Geometry::SHARD_BYTES_MAX : 8192);
        $blockBytes = $isIndex ? $shardBytes : ($params->blockBytes ?: self::defaultBlockBytes($params));
        $trial = new Geometry($seed, 1, $shardBytes, $blockBytes, $params->probes ?: 1, $params->groups,
            $isIndex ? ($params->fanOut ?: 256) : 0);
        $problem = self::problem($params, $trial);
        if ($problem !== null) {
            return $problem;
        }
        // Small filters get small shards, because rounding up to whole shards costs small filters most.
        for (;; $shardBytes = intdiv($shardBytes, 2)) {
            $trial = $trial->with(['shardBytes' => $shardBytes] + ($isIndex ? ['blockBytes' => $shardBytes] : []));
            $chosen = $params->bitsPerKey !== 0.0 ? self::byBits($params, $trial) : self::byRate($params, $trial);
            if (is_string($chosen) || $params->shardBytes !== 0 || self::hasEnoughShards($chosen)) {
                return $chosen;
            }
        }
    }

    private static function defaultBlockBytes(Params $params): int
    {
        $rate = $params->bitsPerKey !== 0.0 ? 2 ** (-$params->bitsPerKey * M_LN2) : $params->rate;
        return $rate > self::LOW_RATE ? 64 : 256;
    }

    private static function problem(Params $params, Geometry $trial): ?string
    {
        $early = match (true) {
            $params->capacity < 1 || $params->capacity > Head::CAPACITY_MAX => Sentences::CAPACITY,
            // This form of the condition also refuses NAN.
            !($params->rate > 0 && $params->rate <= self::RATE_MAX)
                || $params->rate < self::RATE_MIN => Sentences::RATE,
            $params->bitsPerKey !== 0.0
                && !($params->bitsPerKey >= 1 && $params->bitsPerKey <= 1024) => Sentences::BITS_PER_KEY,
            default => $trial->problem(),
        };
        return $early ?? match (true) {
            $params->bitsPerKey === 0.0
                && $params->rate <= $params->capacity * $trial->levels() / 2 ** 64 => Sentences::RATE_FLOOR,
            $params->groups !== 0 && self::wrongGroups($trial, $params->rate,
                0) > Head::WRONG_GROUPS_MAX => Sentences::GROUPS_RATE,
            default => null,
        };
    }

    private static function hasEnoughShards(Geometry $geometry): bool
    {
        if ($geometry->groups !== 0) {
            return $geometry->shards >= self::SHARDS_FINE_INDEX || Measure::laneBits($geometry) / 2 < 512;
        }
        $half = intdiv($geometry->shardBytes, 2);
        return $geometry->shards >= self::SHARDS_FINE || $half < Geometry::SHARD_BYTES_MIN
            || $half < $geometry->blockBytes;
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
    private static function byRate(Params $params, Geometry $geometry): Geometry|string
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

    private static function byBits(Params $params, Geometry $geometry): Geometry|string
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

    // ---- rates ----

    /** Returns the probability that an absent key passes a filter with this number of keys. */
    public static function rate(Geometry $geometry, int $keys): float
    {
        $bits = $geometry->stripes !== 0 ? Ribbon::rate($geometry) : self::meanPower($geometry, $keys);
        return min(1.0, $bits + $keys / 2 ** 64);
    }

    /** Returns the mean over all lanes of (set bits / bits)^probes. */
    private static function meanPower(Geometry $geometry, int $keys): float
    {
        $bits = Measure::laneBits($geometry);
        $lanes = Measure::lanes($geometry);
        if ($keys === 0 || $keys / $lanes * $geometry->probes > $bits * 64) {
            return $keys === 0 ? 0.0 : 1.0;
        }
        $share = 1 / $lanes;
        if ($lanes === 1) {
            return self::inner($keys * $geometry->probes, $bits, $geometry->probes);
        }
        // Sums over the binomial distribution, from its most probable number in both directions.
        $odds = $share / (1 - $share);
        $peak = (int) floor(($keys + 1) * $share);
        $total = $hits = 0.0;
        for ($i = $peak, $weight = 1.0; $weight > 1e-24 && $i <= $keys; $i++) {
            $total += $weight;
            $hits += $weight * self::inner($i * $geometry->probes, $bits, $geometry->probes);
            $weight *= ($keys - $i) / ($i + 1) * $odds;
        }
        for ($i = $peak, $weight = 1.0; $i > 0; $i--) {
            $weight *= $i / (($keys - $i + 1) * $odds);
            if ($weight <= 1e-24) {
                break;
            }
            $total += $weight;
            $hits += $weight * self::inner(($i - 1) * $geometry->probes, $bits, $geometry->probes);
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
