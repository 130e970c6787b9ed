<?php

declare(strict_types=1);

namespace Pleo\BloomFilter;

/**
 * Turns a value into numbers: the HMACs of the value, with the keys "0", "1", "2" and so on, as in pleonasm/bloom-filter.
 *
 * @psalm-consistent-constructor
 */
class HasherList implements \JsonSerializable
{
    /**
     * @param array<array-key, mixed> $data what json_decode() made of an encoded HasherList, as an array
     *
     * @throws \UnexpectedValueException if it is something else
     * @throws \RangeException           if "count" or "max" is less than 1
     */
    public static function initFromJson(array $data): static
    {
        ['algo' => $algo, 'count' => $count, 'max' => $max] = $data + ['algo' => null, 'count' => null, 'max' => null];
        $count = filter_var($count, FILTER_VALIDATE_INT);
        $max = filter_var($max, FILTER_VALIDATE_INT);
        // BloomFilter::init() needs at most 1,075 hashes. With many more, a lookup would never end.
        if (!is_string($algo) || !in_array(strtolower($algo), hash_hmac_algos(), true) || $count === false || $count > 10_000 || $max === false) {
            throw new \UnexpectedValueException('HasherList::initFromJson(): Argument #1 ($data) must have "algo", one of hash_hmac_algos(), '
                . '"count", an integer of at most 10,000, and "max", an integer');
        }
        return new static($algo, $count, $max);
    }

    /**
     * @param string $algo      one of hash_hmac_algos()
     * @param int    $count     how many numbers a value is turned into
     * @param int    $maxResult the numbers are less than this
     *
     * @throws \RangeException if $count or $maxResult is less than 1
     * @throws \ValueError     if hash_hmac() does not know $algo
     */
    public function __construct(private string $algo, private int $count, private int $maxResult)
    {
        if ($count < 1 || $maxResult < 1) {
            throw new \RangeException("HasherList::__construct(): \$count and \$maxResult must be at least 1, $count and $maxResult given");
        }
        hash_hmac($algo, '', '');
    }

    /** @return list<int> */
    public function hash(string $value): array
    {
        return iterator_to_array($this->each($value), false);
    }

    /**
     * Computes the numbers of hash() one by one, for callers that may not need all of them.
     *
     * @internal
     *
     * @return \Generator<int, int>
     */
    public function each(string $value): \Generator
    {
        for ($i = 0; $i < $this->count; $i++) {
            /** @var array{1: int} $parts */
            $parts = unpack('J', hash_hmac($this->algo, $value, (string) $i, true));
            yield ($parts[1] & PHP_INT_MAX) % $this->maxResult;
        }
    }

    /** @return array{algo: string, count: int, max: int} */
    public function jsonSerialize(): array
    {
        return ['algo' => $this->algo, 'count' => $this->count, 'max' => $this->maxResult];
    }
}
