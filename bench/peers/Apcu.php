<?php
namespace BloomBench;

/** One APCu entry for each key. */
final class Apcu extends Peer
{
    private int $bytes;

    public function __construct()
    {
        parent::__construct('APCu, single keys');
    }

    public function load(array $keys): void
    {
        $before = apcu_sma_info(true)['avail_mem'];
        apcu_store(array_fill_keys($keys, true));
        $this->bytes ??= (int) ($before - apcu_sma_info(true)['avail_mem']);
    }

    public function open(): void
    {
    }

    public function singles(): array
    {
        return ['apcu_exists()' => static function (array $keys): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += \apcu_exists($key) ? 1 : 0;
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        return ['apcu_exists(array)' => static function (array $pages): int {
            $found = 0;
            foreach ($pages as $page) {
                $found += count(\apcu_exists($page));
            }
            return $found;
        }];
    }

    public function bytes(): array
    {
        return [$this->bytes, 0];
    }
}
