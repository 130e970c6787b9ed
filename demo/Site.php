<?php

/**
 * The site, all on this machine: two hosts, A and B, and the store through which they get their filters. Each host has a pool
 * of PHP-FPM, a process that syncs, and shared memory of its own.
 */

namespace Demo;

use RedisClusterServers;

final class Site
{
    public const HOSTS = ['A', 'B'];
    public const WORKERS = 4;
    public const SYNC_SECONDS = 0.5;
    public const MAX_LAG = 5;
    private const LIMIT_SECONDS = 60;

    /** The store's directory or URL. */
    public readonly string $store;
    private readonly ?RedisClusterServers $cluster;
    /** @var array<string, resource> */
    private array $processes = [];

    /**
     * @param string $home the directory of the demo, which contains php.ini and a copy of packages/
     * @param string $shared a directory in shared memory
     * @param string $kind directory, redis or cluster
     */
    public function __construct(private readonly string $home, private readonly string $shared, private readonly string $kind, string $fpm)
    {
        $this->cluster = $kind !== 'cluster' ? null : new RedisClusterServers(settings: ['--appendonly', 'yes'],
            command: ['setpriv', '--pdeathsig', 'TERM', 'redis-server'], rate: 1);
        $this->store = match ($kind) {
            'directory' => "$home/store",
            'redis' => "redis://$home/redis.sock",
            'cluster' => 'redis-cluster://' . implode(',', $this->cluster->addresses()),
        };
        match ($kind) {
            'directory' => mkdir($this->store),
            'redis' => $this->startRedis(),
            'cluster' => null,
        };
        $pools = "[global]\nerror_log = $home/fpm.log\ndaemonize = no\n";
        foreach (self::HOSTS as $host) {
            $pools .= "[$host]\nlisten = {$this->socket($host)}\nlisten.mode = 0600\npm = static\npm.max_children = " . self::WORKERS
                . "\ncatch_workers_output = yes\nenv[BLOOM_DEMO_STORE_URL] = \"$this->store\"\nphp_admin_value[bloom.path] = $shared/$host\n"
                . "php_admin_value[display_errors] = 0\nphp_admin_value[log_errors] = 1\n";
        }
        file_put_contents("$home/fpm.conf", $pools);
        $this->start('fpm', [$fpm, '--nodaemonize', '-c', "$home/php.ini", '--fpm-config', "$home/fpm.conf"]);
        foreach (self::HOSTS as $host) {
            $this->await('fpm', $this->socket($host));
        }
    }

    public function socket(string $host): string
    {
        return "$this->home/fpm-$host.sock";
    }

    public function startSyncs(): void
    {
        foreach (self::HOSTS as $host) {
            $this->begin("sync-$host", $host, 'sync', '--every=' . self::SYNC_SECONDS, '--max-lag=' . self::MAX_LAG, FILTER, $this->store);
        }
    }

    /** Makes the store unreachable for all hosts. */
    public function cutStore(): void
    {
        match ($this->kind) {
            'directory' => rename($this->store, "$this->store-gone"),
            'redis' => $this->stop('redis', SIGKILL),
            'cluster' => array_map($this->cluster->stop(...), array_keys($this->cluster->ports)),
        };
    }

    /** Says what cutStore() does. */
    public function cut(): string
    {
        return match ($this->kind) {
            'directory' => 'its directory is moved away',
            'redis' => 'its Redis server is killed',
            'cluster' => 'all masters of its Redis Cluster are killed',
        };
    }

    public function restoreStore(): void
    {
        match ($this->kind) {
            'directory' => rename("$this->store-gone", $this->store),
            'redis' => $this->startRedis(),
            'cluster' => array_map($this->cluster->start(...), array_keys($this->cluster->ports)),
        };
    }

    /** Begins a command of `bloom` on a host. */
    public function begin(string $name, string $host, string ...$arguments): void
    {
        $this->start($name, [PHP_BINARY, '-c', "$this->home/php.ini", '-d', "bloom.path=$this->shared/$host",
            "$this->home/packages/cli/bin/bloom", ...$arguments]);
    }

    public function hasEnded(string $name): bool
    {
        return !proc_get_status($this->processes[$name])['running'];
    }

    public function finish(string $name): void
    {
        while (!$this->hasEnded($name)) {
            usleep(10_000);
        }
    }

    /** Returns what a command with --format=json has printed, unless it has failed. */
    public function result(string $name): array
    {
        return json_decode($this->output($name), true) ?? throw new \RuntimeException("bloom $name failed: " . $this->output($name));
    }

    public function end(): void
    {
        array_map($this->stop(...), array_keys($this->processes));
        $this->cluster?->stopAll();
    }

    /** If this process is killed, so is the started one. */
    private function start(string $name, array $command): void
    {
        $output = ['file', "$this->home/$name.out", 'w'];
        $this->processes[$name] = proc_open(['setpriv', '--pdeathsig', 'TERM', '--', ...$command],
            [['file', '/dev/null', 'r'], $output, ['redirect', 1]], $pipes);
    }

    private function output(string $name): string
    {
        return (string) file_get_contents("$this->home/$name.out");
    }

    private function stop(string $name, int $signal = SIGTERM): void
    {
        proc_terminate($this->processes[$name], $signal);
        proc_close($this->processes[$name]);
        unset($this->processes[$name]);
    }

    /** The server writes each command to a file before it answers, so it loses nothing if it is killed. */
    private function startRedis(): void
    {
        $socket = "$this->home/redis.sock";
        @unlink($socket);
        $this->start('redis', ['redis-server', '--port', '0', '--unixsocket', $socket, '--unixsocketperm', '700', '--dir', $this->home,
            '--save', '', '--appendonly', 'yes']);
        $this->await('redis', $socket);
    }

    /** Waits for the socket of a server. */
    private function await(string $name, string $socket): void
    {
        for ($end = microtime(true) + self::LIMIT_SECONDS; !file_exists($socket); usleep(10_000)) {
            if (microtime(true) > $end || $this->hasEnded($name)) {
                throw new \RuntimeException("$name does not start: " . $this->output($name) . @file_get_contents("$this->home/fpm.log"));
            }
            clearstatcache();
        }
    }
}
