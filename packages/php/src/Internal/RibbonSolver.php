<?php

namespace Bloom\Internal;

/**
 * Solves the shards of a map: docs/dev/writing.md, "Writing a ribbon filter" and "Writing a map".
 *
 * An equation is in the row of the first slot that it has left.
 */
final class RibbonSolver
{
    private const GROUPS_PER_BUCKET = 3;

    private Ribbon $ribbon;
    /** The bits of word 0 that a result has */
    private int $results;
    /** @var array<int, int> the exponents of powers of 2 */
    private array $log2 = [];
    /** @var array<int, int> by slot, as the following ones */
    private array $coefficients = [];
    /** @var array<int, int> */
    private array $checks = [];
    /** @var array<int, int> */
    private array $values = [];

    public function __construct(private Geometry $geometry)
    {
        $this->ribbon = new Ribbon($geometry);
        $this->results = (1 << $geometry->probes + 1) - 1;
        for ($exponent = 0; $exponent < 63; $exponent++) {
            $this->log2[1 << $exponent] = $exponent;
        }
    }

    /**
     * Returns the body, the keys of each shard, and the number of keys without a place.
     *
     * @param array<int, int> $pairs values by digest
     *
     * @return array{string, array<int, int>, int}
     */
    public function solve(array $pairs): array
    {
        $homes = $this->geometry->homeShards();
        $keys = array_fill(0, $homes, []);
        foreach ($pairs as $digest => $value) {
            [$home, $fraction] = Word::product($digest, $homes);
            $keys[$home][] = [$digest, $fraction];
        }
        [$body, $rows, $spilled] = ['', [], []];
        foreach ($keys as $home => $own) {
            [$bytes, $lost] = $this->shard($own, $pairs, 0);
            $body .= $bytes;
            $rows[$home] = count($own) - count($lost);
            array_push($spilled, ...$lost);
        }
        if ($homes < $this->geometry->shards) {
            [$bytes, $lost] = $this->shard($spilled, $pairs, Ribbon::LEVELS);
            $body .= $bytes;
            $rows[$homes] = count($spilled) - count($lost);
            $spilled = $lost;
        }
        return [$body, $rows, count($spilled)];
    }

    /**
     * @param list<array{int, int}> $keys digests and fractions
     * @param array<int, int> $pairs
     * @param int<0, max> $firstLevel
     *
     * @return array{string, list<array{int, int}>} the bytes of the shard, and the keys that leave its third level
     */
    private function shard(array $keys, array $pairs, int $firstLevel): array
    {
        $this->coefficients = $this->checks = $this->values = [];
        $thresholds = str_repeat("\0", 8 * Ribbon::thresholdWords($this->geometry));
        foreach ($this->ribbon->levels() as $level => [$b]) {
            $groups = [];
            foreach ($keys as $key) {
                $start = $this->ribbon->startOn($firstLevel + $level, $key[1]);
                $offset = $start % 128;
                $groups[intdiv($start, 128)][($offset < 56 ? 1 : 0) + ($offset < 24 ? 1 : 0)][] = [$start, $key];
            }
            ksort($groups);
            $keys = [];
            foreach ($groups as $bucket => $ofBucket) {
                $isBumped = false;
                for ($group = 0; $group < self::GROUPS_PER_BUCKET; $group++) {
                    $own = $ofBucket[$group] ?? [];
                    if (!$isBumped && !$this->add($own, $pairs)) {
                        $isBumped = true;
                        $byte = intdiv($bucket, 4);
                        $thresholds[$byte] = chr(ord($thresholds[$byte]) | self::GROUPS_PER_BUCKET - $group << 2 * ($bucket % 4));
                    }
                    $keys = $isBumped ? array_merge($keys, array_column($own, 1)) : $keys;
                }
            }
        }
        return [$thresholds . $this->substitute(), $keys];
    }

    /**
     * Adds the equations of a group. If they contradict those before, removes them and returns false.
     *
     * @param list<array{int, array{int, int}}> $group
     * @param array<int, int> $pairs
     */
    private function add(array $group, array $pairs): bool
    {
        $added = [];
        foreach ($group as [$slot, [$digest]]) {
            $coefficients = Digest::word($digest, 1) | 1;
            $check = Digest::word($digest, 0) & $this->results;
            $value = $pairs[$digest];
            while (isset($this->coefficients[$slot])) {
                $coefficients ^= $this->coefficients[$slot];
                if ($coefficients === 0) {
                    foreach ($added as $slot) {
                        unset($this->coefficients[$slot], $this->checks[$slot], $this->values[$slot]);
                    }
                    return false;
                }
                $check ^= $this->checks[$slot];
                $value ^= $this->values[$slot];
                // Both had bit 0, so it is 0 now. Without it and the sign, the lowest bit is easy to find.
                $coefficients = $coefficients >> 1 & PHP_INT_MAX;
                $zeros = $this->log2[$coefficients & -$coefficients];
                $coefficients >>= $zeros;
                $slot += $zeros + 1;
            }
            [$this->coefficients[$slot], $this->checks[$slot], $this->values[$slot]] = [$coefficients, $check, $value];
            $added[] = $slot;
        }
        return true;
    }

    /** Returns the words of the stripes: each slot is the result of its row without the later slots. */
    private function substitute(): string
    {
        $stripes = [];
        for ($slot = 64 * $this->geometry->stripes - 1; $slot >= 0; $slot--) {
            $rest = $this->coefficients[$slot] ?? 0;
            if ($rest === 0) {
                $this->values[$slot] = $this->checks[$slot] = 0;
                continue;
            }
            $rest = $rest >> 1 & PHP_INT_MAX;
            [$value, $check] = [$this->values[$slot], $this->checks[$slot]];
            for ($later = $slot + 1; $rest !== 0; $later++, $rest >>= 1) {
                if (($rest & 1) !== 0) {
                    $value ^= $this->values[$later];
                    $check ^= $this->checks[$later];
                }
            }
            [$this->values[$slot], $this->checks[$slot]] = [$value, $check];
        }
        for ($t = 0; $t < $this->geometry->stripes; $t++) {
            $stripes[] = $this->stripe($t);
        }
        return implode('', $stripes);
    }

    private function stripe(int $t): string
    {
        $words = [];
        for ($c = 0; $c < $this->ribbon->width($t); $c++) {
            $isCheck = $c >= $this->geometry->valueBits;
            $bit = $isCheck ? $c - $this->geometry->valueBits : $c;
            for ($word = 0, $i = 63; $i >= 0; $i--) {
                $solution = $isCheck ? $this->checks[64 * $t + $i] : $this->values[64 * $t + $i];
                $word = $word << 1 | ($solution >> $bit & 1);
            }
            $words[] = $word;
        }
        return pack('P*', ...$words);
    }
}
