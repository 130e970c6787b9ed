<?php

declare(strict_types=1);

namespace Pleo\BloomFilter;

/**
 * A Bloom filter in the memory of this process, with the bits that pleonasm/bloom-filter would set. Filters that either
 * package has stored, as JSON or with serialize(), can be read by the other.
 */
class BloomFilter implements \JsonSerializable
{
    /** @var string */
    public const HASH_ALGO = 'sha1';

    /**
     * @param array<array-key, mixed> $data what json_decode() made of an encoded filter, as an array
     *
     * @throws \UnexpectedValueException if it is something else, or was cut off
     * @throws \RangeException           if a number in it is too small
     *
     * @psalm-suppress UnsafeInstantiation
     */
    public static function initFromJson(array $data): static
    {
        ['bit_array' => $bits, 'hashers' => $hashers] = $data + ['bit_array' => null, 'hashers' => null];
        if (!is_array($bits) || !is_array($hashers)) {
            throw new \UnexpectedValueException('BloomFilter::initFromJson(): Argument #1 ($data) must have the arrays "bit_array" '
                . 'and "hashers"');
        }
        // @phpstan-ignore new.static (a subclass with another constructor has its own factories)
        return new static(BitArray::initFromJson($bits), HasherList::initFromJson($hashers));
    }

    /**
     * @param int   $approxSize   how many keys you will add
     * @param float $falsePosProb the share of other keys for which exists() may then return true
     *
     * @throws \RangeException if no filter has this size and rate
     *
     * @psalm-suppress UnsafeInstantiation
     */
    public static function init(int $approxSize, float $falsePosProb): static
    {
        $bits = $hashers = 0;
        if ($approxSize > 0 && $falsePosProb > 0.0) {
            $bits = (int) round(-$approxSize * log($falsePosProb) / log(2) ** 2);
            $hashers = (int) round($bits / $approxSize * log(2));
        }
        if ($hashers < 1) {
            throw new \RangeException("BloomFilter::init(): \$approxSize must be at least 1, and \$falsePosProb between 0 and 0.7, "
                . "$approxSize and $falsePosProb given");
        }
        // @phpstan-ignore new.static (see above)
        return new static(BitArray::init($bits), new HasherList(static::HASH_ALGO, $hashers, $bits));
    }

    public function __construct(private BitArray $ba, private HasherList $hashers)
    {
    }

    public function add(string $item): void
    {
        foreach ($this->hashers->hash($item) as $bit) {
            $this->ba[$bit] = true;
        }
    }

    /** @return bool false: the item was definitely not added */
    public function exists(string $item): bool
    {
        // A subclass may have its own hash().
        $own = $this->hashers::class !== HasherList::class;
        foreach ($own ? $this->hashers->hash($item) : $this->hashers->each($item) as $bit) {
            if (!$this->ba[$bit]) {
                return false;
            }
        }
        return true;
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return ['bit_array' => $this->ba, 'hashers' => $this->hashers];
    }
}
