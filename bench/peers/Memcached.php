<?php
namespace BloomBench;

/** A Memcached on a unix socket, with an item for each key. */
final class Memcached extends Peer
{
    private \Memcached $client;
    private int $bytes;

    public function __construct(string $directory)
    {
        parent::__construct('Memcached, single keys', isServer: true);
        $this->client = start_memcached("$directory/memcached");
    }

    public function load(array $keys): void
    {
        $this->client->flush();
        foreach (array_chunk($keys, 10_000) as $part) {
            if (!$this->client->setMulti(array_fill_keys($part, 1))) {
                throw new \RuntimeException('memcached: ' . $this->client->getResultMessage());
            }
        }
        // Memcached never frees slabs: after a flush, it keeps their memory for new items.
        $stats = current($this->client->getStats('slabs') ?: [[]]);
        $this->bytes = (int) ($stats['total_malloced'] ?? 0);
    }

    public function open(): void // the connection is persistent
    {
    }

    public function singles(): array
    {
        $client = $this->client;
        return ['get' => static function (array $keys) use ($client): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += $client->get($key) === 1 ? 1 : 0;
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        $client = $this->client;
        return ['getMulti' => static function (array $pages) use ($client): int {
            $found = 0;
            foreach ($pages as $page) {
                $found += count($client->getMulti($page));
            }
            return $found;
        }];
    }

    public function bytes(): array
    {
        return [$this->bytes, 0];
    }
}
