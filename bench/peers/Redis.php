<?php
namespace BloomBench;

/** A Redis on a unix socket, with an entry for each key or with a set. A network would add its round trip. */
final class Redis extends Peer
{
    private \Redis $redis;
    private int $bytes;

    public function __construct(string $directory, private bool $asSet)
    {
        parent::__construct($asSet ? 'Redis, a set' : 'Redis, single keys', isServer: true);
        $this->redis = start_redis($directory . ($asSet ? '/redis-set' : '/redis'));
    }

    public function load(array $keys): void
    {
        $this->redis->flushAll();
        $before = $this->redis->info('memory')['used_memory'];
        foreach (array_chunk($keys, 10_000) as $part) {
            $this->asSet ? $this->redis->sAdd('keys', ...$part) : $this->redis->mSet(array_fill_keys($part, '1'));
        }
        $this->bytes = $this->redis->info('memory')['used_memory'] - $before;
    }

    public function open(): void // the connection is persistent
    {
    }

    public function singles(): array
    {
        $redis = $this->redis;
        if ($this->asSet) {
            return ['SISMEMBER' => static function (array $keys) use ($redis): int {
                $found = 0;
                foreach ($keys as $key) {
                    $found += $redis->sIsMember('keys', $key) ? 1 : 0;
                }
                return $found;
            }];
        }
        return ['EXISTS' => static function (array $keys) use ($redis): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += $redis->exists($key);
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        $redis = $this->redis;
        if ($this->asSet) {
            return ['SMISMEMBER' => static function (array $pages) use ($redis): int {
                $found = 0;
                foreach ($pages as $page) {
                    $found += array_sum($redis->sMisMember('keys', ...$page));
                }
                return $found;
            }];
        }
        return [
            'EXISTS, pipelined' => static function (array $pages) use ($redis): int {
                $found = 0;
                foreach ($pages as $page) {
                    $pipeline = $redis->multi(\Redis::PIPELINE);
                    foreach ($page as $key) {
                        $pipeline->exists($key);
                    }
                    $found += array_sum($pipeline->exec());
                }
                return $found;
            },
            'MGET' => static function (array $pages) use ($redis): int {
                $found = 0;
                foreach ($pages as $page) {
                    $found += count(array_filter($redis->mGet($page)));
                }
                return $found;
            },
        ];
    }

    public function bytes(): array
    {
        return [$this->bytes, 0];
    }
}
