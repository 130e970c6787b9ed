<?php

namespace Bloom\Internal;

/** Ribbon filters: section 5.2 of docs/format.md, which names the variables. */
final class Ribbon
{
    private const TURN = 0x3C6EF372FE94F82A;

    private int $words;
    private int $narrow;

    public function __construct(private Geometry $geometry)
    {
        $this->words = intdiv($geometry->shardBytes, 8);
        $this->narrow = $geometry->stripes - $this->words % $geometry->stripes;
    }

    /** Returns the probability that an absent key passes. */
    public static function rate(Geometry $geometry): float
    {
        // An equation starts in any stripe but the last with equal probability.
        $share = min((new self($geometry))->narrow / ($geometry->stripes - 1), 1);
        return ($share + (1 - $share) / 2) * 2 ** -$geometry->probes;
    }

    private function width(int $t): int
    {
        return $this->geometry->probes + ($t < $this->narrow ? 0 : 1);
    }

    /** Returns the first word of a stripe, counted from the shard's. */
    private function first(int $t): int
    {
        return $t * $this->geometry->probes + max(0, $t - $this->narrow);
    }

    /** @return array{int, int} the shard of a digest, and the fraction that selects the start in it */
    public function place(int $digest): array
    {
        return Word::product($digest, $this->geometry->shards);
    }

    /** @return array{int, int, int} start, coefficients and result of a digest's equation */
    private function equation(int $digest, int $fraction, int $attempt): array
    {
        $turned = Word::multiply($fraction, Word::add(1, Word::multiply($attempt, self::TURN)));
        return [
            Word::fastRange($turned, 64 * ($this->geometry->stripes - 1)),
            Digest::word($digest, $attempt + 1) | 1,
            Digest::word($digest, 0) & 0x1FFFFFFFF,
        ];
    }

    /** Returns whether a key may have been added. `$attempts` is a list by shard. */
    public function has(Memory $body, int $digest, int $attempt): bool
    {
        [$shard, $fraction] = $this->place($digest);
        [$start, $coefficients, $result] = $this->equation($digest, $fraction, $attempt);
        [$t, $shift] = [intdiv($start, 64), $start % 64];
        $at = $shard * $this->geometry->shardBytes;
        $low = $coefficients << $shift;
        $high = $shift === 0 ? 0 : Word::shiftRight($coefficients, 64 - $shift);
        $words = $this->stripe($body, $at, $t);
        $next = $high === 0 ? [] : $this->stripe($body, $at, $t + 1); // at least as wide
        for ($c = 0; $c < $this->width($t); $c++) {
            $x = $words[$c + 1] & $low;
            if ($high !== 0) {
                $x ^= $next[$c + 1] & $high;
            }
            if (self::parity($x) !== ($result >> $c & 1)) {
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
