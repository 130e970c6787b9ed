<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * From a key to its digest, and from a digest to the words that select its bits: sections 4 and 5 of
 * docs/format.md.
 */
final class Digest
{
    /** @param string|null $key 16 bytes of SipHash-2-4; null: XXH3-64 */
    public function __construct(private int $seed, private ?string $key = null)
    {
    }

    /** Returns the digests of a filter. Throws if the filter is keyed, and its secret is not configured. */
    public static function for(Geometry $geometry): self
    {
        if ($geometry->fingerprint === 0) {
            return new self($geometry->seed);
        }
        $secret = Secret::all()[$geometry->fingerprint] ?? throw Failure::of(Status::Secret, sprintf('%016x', $geometry->fingerprint));
        return self::keyed($geometry->seed, $secret);
    }

    public static function keyed(int $seed, Secret $secret): self
    {
        return new self($seed, $secret->digestKey($seed));
    }

    public function of(string $key): int
    {
        if ($this->key !== null) {
            return Unpack::word(sodium_crypto_shorthash($key, $this->key));
        }
        return Unpack::bigEndian(hash('xxh3', $key, true, ['seed' => $this->seed]));
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
