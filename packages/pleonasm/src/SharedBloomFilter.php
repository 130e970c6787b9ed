<?php

declare(strict_types=1);

namespace Pleo\BloomFilter;

use Bloom\LiveFilter;

/**
 * A Bloom filter in shared memory: all PHP processes of one user on this host find a key as soon as one of them has added it.
 * It is not part of pleonasm/bloom-filter, but can be passed to code that expects a BloomFilter.
 */
final class SharedBloomFilter extends BloomFilter
{
    private LiveFilter $live;

    /**
     * Opens the filter with this name. If it doesn't exist, it is created.
     *
     * @param string $name         the name of a Bloom\LiveFilter
     * @param int    $approxSize   how many keys you will add
     * @param float  $falsePosProb the share of other keys for which exists() may then return true, 10^-9 to 0.5
     *
     * @throws \Bloom\BloomException in the same cases as LiveFilter::create()
     * @throws \ValueError           if an argument is out of range
     */
    public function __construct(string $name, int $approxSize, float $falsePosProb)
    {
        $this->live = LiveFilter::create($name, $approxSize, $falsePosProb);
    }

    public static function init(int $approxSize, float $falsePosProb): static
    {
        throw new \BadMethodCallException("A shared filter needs a name: new SharedBloomFilter(\$name, $approxSize, $falsePosProb)");
    }

    public static function initFromJson(array $data): static
    {
        throw new \BadMethodCallException('A shared filter cannot be read from JSON, which does not contain the keys. Call '
            . 'new SharedBloomFilter($name, $approxSize, $falsePosProb), and add the keys again');
    }

    public function add(string $item): void
    {
        $this->live->add($item);
    }

    public function exists(string $item): bool
    {
        return $this->live->mightContain($item);
    }

    public function jsonSerialize(): array
    {
        throw new \BadMethodCallException('A shared filter cannot be written as JSON. All processes open it by its name; to keep it '
            . 'across reboots, use Bloom\LiveFilter::open($name)->save($file)');
    }
}
