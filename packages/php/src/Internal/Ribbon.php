<?php

namespace Bloom\Internal;

/** Ribbon filters and maps: docs/dev/blob.md names the variables. */
final class Ribbon
{
    public const LEVELS = 3;
    private const STEP = 0x3C6EF372FE94F82A;
    private const THRESHOLDS = [0, 24, 56, 128];

    private int $thresholdWords;
    private int $least;
    private int $narrow;

    public function __construct(private Geometry $geometry)
    {
        $this->thresholdWords = self::thresholdWords($geometry);
        $this->least = $geometry->valueBits + $geometry->probes;
        $words = intdiv($geometry->shardBytes, 8) - $this->thresholdWords;
        $this->narrow = $geometry->stripes - $words % $geometry->stripes;
    }

    /** Returns T, one bit per stripe. */
    public static function thresholdWords(Geometry $geometry): int
    {
        return intdiv($geometry->stripes + 63, 64);
    }

    /** Returns the probability that an absent key passes if all keys start in level 1, which is an upper bound. */
    public static function rate(Geometry $geometry): float
    {
        $ribbon = new self($geometry);
        $share = min($ribbon->narrow / $ribbon->levels()[0][1], 1);
        return ($share + (1 - $share) / 2) * 2 ** -$geometry->probes;
    }

    /** @return array{array{int, int}, array{int, int}, array{int, int}} the first stripe and the number of stripes of each level */
    public function levels(): array
    {
        [$m, $second] = [$this->geometry->stripes, 2 * $this->thresholdWords];
        return [[0, $m - 2 - $second], [$m - 2 - $second, $second], [$m - 2, 1]];
    }

    public function width(int $t): int
    {
        return $this->least + ($t < $this->narrow ? 0 : 1);
    }

    /** Returns the first word of a stripe, counted from the shard's. */
    private function first(int $t): int
    {
        return $this->thresholdWords + $t * $this->least + max(0, $t - $this->narrow);
    }

    /**
     * Returns where a digest's equation starts on one level.
     *
     * @param int<0, max> $level counted from 0; those of a spill shard follow
     */
    public function startOn(int $level, int $fraction): int
    {
        [$b, $n] = $this->levels()[$level % self::LEVELS];
        $turned = Word::multiply($fraction, Word::add(1, Word::multiply($level, self::STEP)));
        return 64 * $b + Word::fastRange($turned, 64 * $n);
    }

    /** Returns the threshold of the bucket of a stripe. */
    private static function threshold(string $thresholds, int $t): int
    {
        return self::THRESHOLDS[ord($thresholds[intdiv($t, 8)]) >> ($t & 6) & 3];
    }

    /**
     * Returns the start of a digest's equation, or null if all levels of the shard bump it.
     *
     * @param int<0, max> $firstLevel
     */
    private function start(string $thresholds, int $fraction, int $firstLevel): ?int
    {
        for ($level = $firstLevel; $level < $firstLevel + self::LEVELS; $level++) {
            $start = $this->startOn($level, $fraction);
            if ($start % 128 >= self::threshold($thresholds, intdiv($start, 64))) {
                return $start;
            }
        }
        return null;
    }

    /** Returns whether a key may have been added. */
    public function has(Memory $body, int $digest): bool
    {
        return $this->get($body, $digest) !== null;
    }

    /** Returns the value of a key, which is 0 in a ribbon filter; null: the key is definitely absent. */
    public function get(Memory $body, int $digest): ?int
    {
        $geometry = $this->geometry;
        [$shard, $fraction] = Word::product($digest, $geometry->homeShards());
        $at = $shard * $geometry->shardBytes;
        $start = $this->start($body->read($at, 8 * $this->thresholdWords), $fraction, 0);
        if ($start === null && $geometry->valueBits !== 0) {
            $at = ($geometry->shards - 1) * $geometry->shardBytes;
            $start = $this->start($body->read($at, 8 * $this->thresholdWords), $fraction, self::LEVELS);
        }
        return $start === null ? 0 : $this->solution($body, $at, $start, $digest);
    }

    /** Returns what the equation of a digest yields; null: its check columns differ from the result. */
    private function solution(Memory $body, int $at, int $start, int $digest): ?int
    {
        $coefficients = Digest::word($digest, 1) | 1;
        $result = Digest::word($digest, 0);
        [$t, $shift] = [intdiv($start, 64), $start % 64];
        $low = $coefficients << $shift;
        $high = $shift === 0 ? 0 : Word::shiftRight($coefficients, 64 - $shift);
        $words = $this->stripe($body, $at, $t);
        $next = $this->stripe($body, $at, $t + 1); // at least as wide
        $valueBits = $this->geometry->valueBits;
        for ($c = $valueBits; $c < $this->width($t); $c++) {
            if (self::parity(($words[$c + 1] & $low) ^ ($next[$c + 1] & $high)) !== ($result >> $c - $valueBits & 1)) {
                return null;
            }
        }
        for ($value = 0, $c = 0; $c < $valueBits; $c++) {
            $value |= self::parity(($words[$c + 1] & $low) ^ ($next[$c + 1] & $high)) << $c;
        }
        return $value;
    }

    /** @return array<int, int> the words of a stripe, from 1 on */
    private function stripe(Memory $body, int $at, int $t): array
    {
        return Unpack::words($body->read($at + 8 * $this->first($t), 8 * $this->width($t)));
    }

    private static function parity(int $x): int
    {
        foreach ([32, 16, 8, 4, 2, 1] as $half) {
            $x ^= Word::shiftRight($x, $half);
        }
        return $x & 1;
    }

    /** Returns whether the third level of a map's last shard bumps nothing, so that each key has a value. */
    public function hasPlaces(string $lastShard): bool
    {
        return self::threshold($lastShard, $this->levels()[2][0]) === 0;
    }

    /** Returns the probability that a key which was never set gets a value from a map. */
    public function measuredRate(string $body): float
    {
        [$homes, $bytes] = [$this->geometry->homeShards(), $this->geometry->shardBytes];
        [$spill] = $this->shardRate(substr($body, -$bytes));
        $sum = 0.0;
        for ($home = 0; $home < $homes; $home++) {
            [$rate, $lost] = $this->shardRate(substr($body, $home * $bytes, $bytes));
            $sum += $rate;
            $sum += $lost * $spill;
        }
        return $sum / $homes;
    }

    /** @return array{float, float} the rate of a shard, and the share of keys that leave its third level */
    private function shardRate(string $shard): array
    {
        [$rate, $reached] = [0.0, 1.0];
        foreach ($this->levels() as [$b, $n]) {
            $inNarrow = $inWide = 0;
            for ($t = $b; $t < $b + $n; $t++) {
                $starts = 64 - max(0, min(64, self::threshold($shard, $t) - $t % 2 * 64));
                $inNarrow += $t < $this->narrow ? $starts : 0;
                $inWide += $t < $this->narrow ? 0 : $starts;
            }
            $rate += $reached * (($inNarrow + $inWide / 2) * 2.0 ** -$this->geometry->probes) / (64 * $n);
            $reached *= (64 * $n - $inNarrow - $inWide) / (64 * $n);
        }
        return [$rate, $reached];
    }
}
