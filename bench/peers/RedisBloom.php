<?php
namespace BloomBench;

/**
 * A Bloom filter in a Redis or a Valkey: RedisBloom, Redis 8 (which includes it) or valkey-bloom.
 *
 * No Debian package contains one of these, so bench/peers.php measures what it finds. BLOOM_BENCH_BLOOM_SERVERS can name the
 * commands, separated by commas: "redis-server --loadmodule /opt/redisbloom.so, valkey-server --loadmodule …".
 */
final class RedisBloom extends Peer
{
    private const MODULES = [
        'redis-server' => '{/usr/lib/redis/modules,/usr/local/lib/redis/modules,/opt/redis-stack/lib}/redisbloom.so',
        'valkey-server' => '/usr/{lib,local/lib,lib/*-linux-gnu}/valkey/{,modules/}libvalkey_bloom.so',
    ];
    private int $bytes;

    private function __construct(string $name, private \Redis $redis)
    {
        parent::__construct($name, exact: false, isServer: true);
    }

    /** @return list<self> a started server for each command that has Bloom filters */
    public static function all(string $directory): array
    {
        $peers = [];
        foreach (self::commands() as $i => $command) {
            try {
                $redis = start_redis("$directory/bloom-$i", $command);
            } catch (\RuntimeException $e) {
                $lines = explode("\n", trim($e->getMessage()));
                fwrite(STDERR, 'skipped: ' . implode(' ', $command) . ': ' . end($lines) . "\n");
                continue;
            }
            if ($name = self::name($redis)) {
                $peers[$name] ??= new self($name, $redis);
            }
        }
        if (!$peers) {
            fwrite(STDERR, "skipped: RedisBloom and valkey-bloom (not found; set BLOOM_BENCH_BLOOM_SERVERS)\n");
        }
        return array_values($peers);
    }

    /** @return list<list<string>> */
    private static function commands(): array
    {
        if ($given = getenv('BLOOM_BENCH_BLOOM_SERVERS')) {
            return array_map(fn (string $command): array => preg_split('/\s+/', trim($command)), explode(',', $given));
        }
        $commands = [];
        foreach (self::MODULES as $server => $pattern) {
            foreach (["/opt/redis-stack/bin/$server", trim((string) shell_exec("command -v $server"))] as $program) {
                if (is_executable($program)) {
                    $commands[] = [$program];
                    foreach (glob($pattern, GLOB_BRACE) as $module) {
                        $commands[] = [$program, '--loadmodule', $module];
                    }
                }
            }
        }
        return $commands;
    }

    /** Returns the name and version of the server's Bloom filters, or null if it has none. */
    private static function name(\Redis $redis): ?string
    {
        if (!current((array) $redis->rawCommand('COMMAND', 'INFO', 'BF.MEXISTS'))) {
            return null;
        }
        $server = $redis->info('server');
        foreach ($redis->rawCommand('MODULE', 'LIST') as $fields) {
            $module = array_combine(...array_map(null, ...array_chunk($fields, 2)));
            if ($module['name'] === 'bf') {
                $version = sprintf('%d.%d', $module['ver'] / 10_000, $module['ver'] / 100 % 100);
                return (isset($server['valkey_version']) ? 'valkey-bloom ' : 'RedisBloom ') . $version;
            }
        }
        return "Redis $server[redis_version]";
    }

    public function load(array $keys): void
    {
        $this->redis->del('keys');
        // A filter that does not grow needs the fewest bits.
        $this->redis->rawCommand('BF.RESERVE', 'keys', '0.01', (string) count($keys), 'NONSCALING');
        foreach (array_chunk($keys, 10_000) as $part) {
            if (!is_array($this->redis->rawCommand('BF.MADD', 'keys', ...$part))) {
                throw new \RuntimeException('BF.MADD: ' . $this->redis->getLastError());
            }
        }
        $size = $this->redis->rawCommand('BF.INFO', 'keys', 'SIZE');
        $this->bytes = (int) (is_array($size) ? end($size) : $size);
    }

    public function open(): void // the connection is persistent
    {
    }

    public function singles(): array
    {
        $redis = $this->redis;
        return ['BF.EXISTS' => static function (array $keys) use ($redis): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += $redis->rawCommand('BF.EXISTS', 'keys', $key);
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        $redis = $this->redis;
        return [
            'BF.EXISTS, pipelined' => static function (array $pages) use ($redis): int {
                $found = 0;
                foreach ($pages as $page) {
                    $pipeline = $redis->multi(\Redis::PIPELINE);
                    foreach ($page as $key) {
                        $pipeline->rawCommand('BF.EXISTS', 'keys', $key);
                    }
                    $found += array_sum($pipeline->exec());
                }
                return $found;
            },
            'BF.MEXISTS' => static function (array $pages) use ($redis): int {
                $found = 0;
                foreach ($pages as $page) {
                    $found += array_sum($redis->rawCommand('BF.MEXISTS', 'keys', ...$page));
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
