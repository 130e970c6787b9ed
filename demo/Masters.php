<?php

/**
 * Three masters of a Redis Cluster on loopback ports of their own, a third of the slots each, no replicas.
 * Each writes an append-only file, so that one that was killed has its keys again when it is started anew.
 *
 * They are children of this process, and are killed when it ends, however it ends.
 */

namespace Demo;

final class Masters
{
    public const NUMBER = 3;
    private const SLOTS = 16384;
    private const START_SECONDS = 20;

    /** @var list<array{port: int, busPort: int, process: resource|null}> */
    private array $masters = [];

    public function __construct(private string $directory, private string $user)
    {
        for ($which = 0; $which < self::NUMBER; $which++) {
            mkdir("$directory/$which", 0700);
            chown("$directory/$which", $user);
            $this->startAnywhere($which);
        }
        $this->join();
    }

    /** @return list<string> "host:port" of each */
    public function addresses(): array
    {
        return array_map(fn (array $master): string => "127.0.0.1:$master[port]", $this->masters);
    }

    /** Which of them keeps a key. */
    public function keeping(string $key): int
    {
        $slot = $this->connect(0)->rawCommand('CLUSTER', 'KEYSLOT', $key);
        return intdiv($slot * self::NUMBER, self::SLOTS);
    }

    /** The number of keys that one has. */
    public function keys(int $which): int
    {
        return $this->connect($which)->dbSize();
    }

    public function kill(int $which): void
    {
        $process = $this->masters[$which]['process'];
        proc_terminate($process, 9);
        proc_close($process);
        $this->masters[$which]['process'] = null;
    }

    /** Starts one that was killed, and does not wait for it. */
    public function restart(int $which): void
    {
        $master = $this->masters[$which];
        $this->masters[$which]['process'] = proc_open(
            ['setpriv', "--reuid=$this->user", "--regid=" . group_of($this->user), '--clear-groups',
                '--pdeathsig', 'KILL', '--', ...without_open_files(['redis-server', '--bind', '127.0.0.1',
                    '--port', (string) $master['port'], '--cluster-port', (string) $master['busPort'],
                    '--dir', "$this->directory/$which", '--appendonly', 'yes', '--save', '',
                    '--auto-aof-rewrite-percentage', '0', '--cluster-enabled', 'yes',
                    '--cluster-node-timeout', '1000', '--cluster-require-full-coverage', 'no'])],
            [['file', '/dev/null', 'r'], ['file', "$this->directory/$which.log", 'a'], ['redirect', 1]],
            $pipes
        );
    }

    /** Starts one on ports that are free: should someone take them first, on others. */
    private function startAnywhere(int $which): void
    {
        for ($try = 0; $try < 5; $try++) {
            $this->masters[$which] = ['port' => free_port(), 'busPort' => free_port(), 'process' => null];
            $this->restart($which);
            $until = microtime(true) + self::START_SECONDS;
            while (proc_get_status($this->masters[$which]['process'])['running']) {
                if ($this->answers($which)) {
                    return;
                }
                if (microtime(true) > $until) {
                    break 2;
                }
                usleep(10_000);
            }
        }
        throw new \RuntimeException('a Redis master does not start: '
            . file_get_contents("$this->directory/$which.log"));
    }

    private function connect(int $which): \Redis
    {
        $redis = new \Redis();
        $redis->connect('127.0.0.1', $this->masters[$which]['port'], 1);
        return $redis;
    }

    private function answers(int $which): bool
    {
        try {
            return (bool) @$this->connect($which)->ping();
        } catch (\RedisException) {
            return false;
        }
    }

    /** Gives each its slots, and lets them meet. */
    private function join(): void
    {
        foreach (array_keys($this->masters) as $which) {
            $redis = $this->connect($which);
            $redis->rawCommand('CLUSTER', 'SET-CONFIG-EPOCH', $which + 1);
            /* The slots whose share of all is from $which thirds on; see keeping(). */
            $first = intdiv($which * self::SLOTS + self::NUMBER - 1, self::NUMBER);
            $end = intdiv(($which + 1) * self::SLOTS + self::NUMBER - 1, self::NUMBER);
            $redis->rawCommand('CLUSTER', 'ADDSLOTSRANGE', $first, $end - 1);
        }
        foreach ($this->masters as $master) {
            $this->connect(0)->rawCommand('CLUSTER', 'MEET', '127.0.0.1', $master['port'], $master['busPort']);
        }
        $until = microtime(true) + self::START_SECONDS;
        foreach (array_keys($this->masters) as $which) {
            while (!$this->knowsAll($which)) {
                if (microtime(true) > $until) {
                    throw new \RuntimeException('the Redis Cluster does not come together');
                }
                usleep(50_000);
            }
        }
    }

    private function knowsAll(int $which): bool
    {
        $info = $this->connect($which)->rawCommand('CLUSTER', 'INFO');
        return str_contains($info, 'cluster_state:ok') && str_contains($info, 'cluster_slots_ok:' . self::SLOTS);
    }
}

/**
 * A free loopback port, of those that the system gives to nobody by itself: no connection of somebody's
 * takes it while its server is down.
 */
function free_port(): int
{
    $first = (int) (@file('/proc/sys/net/ipv4/ip_local_port_range')[0] ?? 32768);
    for ($try = 0; $try < 1000; $try++) {
        $port = random_int(min(10_000, $first - 1000), $first - 1);
        $server = @stream_socket_server("tcp://127.0.0.1:$port");
        if ($server !== false) {
            return $port;
        }
    }
    throw new \RuntimeException('no loopback port is free');
}

function group_of(string $user): string
{
    return trim(shell_exec('id -gn ' . escapeshellarg($user)));
}
