<?php

namespace Bloom\Internal;

/**
 * From a key to its digest, and from a digest to the words that select its bits: "From key to digest" in
 * docs/dev/blob.md.
 */
final class Digest
{
    public function __construct(private Geometry $geometry)
    {
        if ($geometry->fingerprint !== 0) {
            throw Failure::needsExtension('a keyed filter');
        }
    }

    public function of(string $key): int
    {
        return Unpack::bigEndian(hash('xxh3', $key, true, ['seed' => $this->geometry->seed]));
    }

    /** Returns word $j of the probe stream of a digest. */
    public static function word(int $digest, int $j): int
    {
        $word = Word::multiply($digest, -0x2E4AB5CD2E6D12FD); // 0xD1B54A32D192ED03
        return $j === 0 ? $word : self::mix(Word::add($word, Word::multiply($j, -0x61C8864680B583EB))); // 0x9E3779B97F4A7C15
    }

    public static function mix(int $z): int
    {
        $z = Word::multiply($z ^ Word::shiftRight($z, 30), -0x40A7B892E31B1A47); // 0xBF58476D1CE4E5B9
        $z = Word::multiply($z ^ Word::shiftRight($z, 27), -0x6B2FB644ECCEEE15); // 0x94D049BB133111EB
        return $z ^ Word::shiftRight($z, 31);
    }
}
