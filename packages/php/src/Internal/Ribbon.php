<?php

namespace Bloom\Internal;

/** Ribbon filters: section 5.2 of docs/format.md, which names the variables. */
final class Ribbon
{
    private const STEP = 0x3C6EF372FE94F82A;
    private const THRESHOLDS = [0, 24, 56, 128];

    private int $thresholdWords;
    private int $narrow;

    public function __construct(private Geometry $geometry)
    {
        $this->thresholdWords = self::thresholdWords($geometry);
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
    private function levels(): array
    {
        [$m, $second] = [$this->geometry->stripes, 2 * $this->thresholdWords];
        return [[0, $m - 2 - $second], [$m - 2 - $second, $second], [$m - 2, 1]];
    }

    private function width(int $t): int
    {
        return $this->geometry->probes + ($t < $this->narrow ? 0 : 1);
    }

    /** Returns the first word of a stripe, counted from the shard's. */
    private function first(int $t): int
    {
        return $this->thresholdWords + $t * $this->geometry->probes + max(0, $t - $this->narrow);
    }

    /** Returns the start of a digest's equation, or null if all levels bump it. */
    private function start(string $thresholds, int $fraction): ?int
    {
        foreach ($this->levels() as $level => [$b, $n]) {
            $turned = Word::multiply($fraction, Word::add(1, Word::multiply($level, self::STEP)));
            $start = 64 * $b + Word::fastRange($turned, 64 * $n);
            $bit = intdiv($start, 128) * 2;
            $v = ord($thresholds[intdiv($bit, 8)]) >> $bit % 8 & 3;
            if ($start % 128 >= self::THRESHOLDS[$v]) {
                return $start;
            }
        }
        return null;
    }

    /** Returns whether a key may have been added. */
    public function has(Memory $body, int $digest): bool
    {
        [$shard, $fraction] = Word::product($digest, $this->geometry->shards);
        $at = $shard * $this->geometry->shardBytes;
        $start = $this->start($body->read($at, 8 * $this->thresholdWords), $fraction);
        if ($start === null) {
            return true;
        }
        $coefficients = Digest::word($digest, 1) | 1;
        $result = Digest::word($digest, 0);
        [$t, $shift] = [intdiv($start, 64), $start % 64];
        $low = $coefficients << $shift;
        $high = $shift === 0 ? 0 : Word::shiftRight($coefficients, 64 - $shift);
        $words = $this->stripe($body, $at, $t);
        $next = $this->stripe($body, $at, $t + 1); // at least as wide
        for ($c = 0; $c < $this->width($t); $c++) {
            if (self::parity(($words[$c + 1] & $low) ^ ($next[$c + 1] & $high)) !== ($result >> $c & 1)) {
                return false;
            }
        }
        return true;
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
}
