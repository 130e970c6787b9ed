<?php
namespace BloomBench;

/** A common solution: a Bloom filter in PHP, split into strings of 8 KiB in APCu. A lookup fetches and probes one string. */
final class ApcuShards extends Peer
{
    private const SHARD_BYTES = 8192;
    private const BITS_PER_KEY = 10;
    private int $shards = 1;
    private int $bytes;

    public function __construct()
    {
        parent::__construct('8 KiB shards in APCu', exact: false);
    }

    public function load(array $keys): void
    {
        $this->shards = (int) ceil(count($keys) * self::BITS_PER_KEY / (8 * self::SHARD_BYTES));
        $strings = array_fill(0, $this->shards, str_repeat("\0", self::SHARD_BYTES));
        foreach ($keys as $key) {
            $shard = \crc32($key) % $this->shards;
            foreach (\unpack('v7', \hash('xxh128', $key, true)) as $bit) {
                $byte = $bit >> 3;
                $strings[$shard][$byte] = \chr(\ord($strings[$shard][$byte]) | 1 << ($bit & 7));
            }
        }
        $before = apcu_sma_info(true)['avail_mem'];
        foreach ($strings as $shard => $string) {
            apcu_store("shard-$shard", $string);
        }
        $this->bytes ??= (int) ($before - apcu_sma_info(true)['avail_mem']);
    }

    public function open(): void
    {
    }

    public function singles(): array
    {
        return ['apcu_fetch()' => function (array $keys): int {
            $found = 0;
            foreach ($keys as $key) {
                $string = \apcu_fetch('shard-' . \crc32($key) % $this->shards);
                $found += self::probe($string, $key);
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        return ['apcu_fetch(array)' => function (array $pages): int {
            $found = 0;
            foreach ($pages as $page) {
                $names = [];
                foreach ($page as $key) {
                    $names[$key] = 'shard-' . \crc32($key) % $this->shards;
                }
                $strings = \apcu_fetch(array_values(array_unique($names)));
                foreach ($page as $key) {
                    $found += self::probe($strings[$names[$key]], $key);
                }
            }
            return $found;
        }];
    }

    public function bytes(): array
    {
        return [$this->bytes, 0];
    }

    private static function probe(string $string, string $key): int
    {
        foreach (\unpack('v7', \hash('xxh128', $key, true)) as $bit) {
            if (!(\ord($string[$bit >> 3]) & 1 << ($bit & 7))) {
                return 0;
            }
        }
        return 1;
    }
}
