<?php

namespace Bloom\Cli;

/** Connects with ext-redis if it is loaded, otherwise with Predis. */
final class RedisClient
{
    /**
     * @param string $shown the store's URL for messages, without a password
     * @param string $address tcp://host:port, tls://host:port or the path of a socket
     * @param list<string>|null $auth [password] or [user, password]
     */
    public static function connect(
        string $shown,
        string $address,
        float $timeout,
        ?array $auth,
        int $database
    ): object {
        $usePredis = self::mustUsePredis();
        try {
            return $usePredis
                ? self::connectPredis($address, $timeout, $auth, $database)
                : self::connectExtension($address, $timeout, $auth, $database);
        } catch (\RedisException | \Predis\PredisException | \ErrorException $thrown) {
            throw new Failure(ExitCode::TryAgain, "the store $shown: {$thrown->getMessage()}", $thrown);
        }
    }

    /**
     * Creates a client for a cluster. A Predis client connects when it is first used.
     *
     * @param list<string> $seeds host:port of some servers of the cluster
     * @param list<string>|null $auth
     */
    public static function connectCluster(string $shown, array $seeds, float $timeout, ?array $auth): object
    {
        if (self::mustUsePredis()) {
            return self::makePredisCluster($seeds, $timeout, $auth);
        }
        try {
            // RedisCluster expects a password without a user as a string.
            $auth = $auth !== null && count($auth) === 1 ? $auth[0] : $auth;
            // RedisCluster splits a seed at its last colon and keeps brackets, with which it finds no server.
            $seeds = array_map(static fn (string $seed): string => strtr($seed, ['[' => '', ']' => '']), $seeds);
            return new \RedisCluster(null, $seeds, $timeout, $timeout, false, $auth);
        } catch (\RedisClusterException | \RedisException | \ErrorException $thrown) {
            throw new Failure(ExitCode::TryAgain, "the store $shown: {$thrown->getMessage()}", $thrown);
        }
    }

    private static function mustUsePredis(): bool
    {
        $usePredis = !extension_loaded('redis');
        if ($usePredis && !self::findPredis()) {
            throw new Failure(
                ExitCode::Unavailable,
                'a Redis store needs the PHP extension redis or Predis: apt-get install php-redis, pecl install redis, '
                . 'or composer require predis/predis'
            );
        }
        return $usePredis;
    }

    private static function connectExtension(
        string $address,
        float $timeout,
        ?array $auth,
        int $database
    ): \Redis {
        $redis = new \Redis();
        ['scheme' => $scheme, 'host' => $host, 'port' => $port] = self::parts($address);
        $stream = $scheme === 'tls' ? [['stream' => ['peer_name' => $host]]] : [];
        // ext-redis puts IPv6 addresses into brackets itself, and requires port -1 for a socket.
        $ok = $redis->connect($scheme === 'tls' ? "tls://$host" : $host, $port, $timeout, null, 0, $timeout, ...$stream)
            && ($auth === null || $redis->auth(count($auth) === 1 ? $auth[0] : $auth))
            && ($database === 0 || $redis->select($database));
        return $ok ? $redis : throw new \RedisException($redis->getLastError() ?? 'cannot connect');
    }

    private static function connectPredis(
        string $address,
        float $timeout,
        ?array $auth,
        int $database
    ): \Predis\ClientInterface {
        $where = self::parts($address);
        $where += match ($where['scheme']) {
            'unix' => ['path' => $address],
            'tls' => ['ssl' => ['peer_name' => $where['host']]],
            default => [],
        };
        $client = new \Predis\Client($where + ['timeout' => $timeout, 'read_write_timeout' => $timeout]);
        $client->connect();
        // These are raw commands, because old versions of Predis do not support users.
        $commands = [
            ...($auth === null ? [] : [['AUTH', ...$auth]]),
            ...($database === 0 ? [] : [['SELECT', $database]]),
        ];
        foreach ($commands as $command) {
            $answer = $client->executeRaw($command, $failed);
            if ($failed) {
                throw new \Predis\ClientException((string) $answer);
            }
        }
        return $client;
    }

    private static function makePredisCluster(array $seeds, float $timeout, ?array $auth): \Predis\ClientInterface
    {
        $parameters = ['timeout' => $timeout, 'read_write_timeout' => $timeout];
        if ($auth !== null) {
            $parameters['password'] = end($auth);
        }
        if ($auth !== null && count($auth) > 1) {
            $parameters['username'] = $auth[0];
        }
        // Servers that the cluster announces later get these parameters as well.
        return new \Predis\Client(
            array_map(static fn (string $seed): array => self::parts("tcp://$seed") + $parameters, $seeds),
            ['cluster' => 'redis', 'parameters' => $parameters]
        );
    }

    /**
     * Splits an address. The clients expect IPv6 addresses without brackets, although URLs need them.
     *
     * @return array{scheme: string, host: string, port: int} a socket has the scheme "unix", its path as the host, and port -1
     */
    private static function parts(string $address): array
    {
        return preg_match('~^(tcp|tls)://\[?(.*?)\]?:(\d+)$~D', $address, $parts) === 1
            ? ['scheme' => $parts[1], 'host' => $parts[2], 'port' => (int) $parts[3]]
            : ['scheme' => 'unix', 'host' => $address, 'port' => -1];
    }

    /** Returns whether Predis is available. Loads Debian's Predis if Composer's autoloader has none. */
    private static function findPredis(): bool
    {
        $debian = System::debianFile('/usr/share/php/Predis/autoload.php', System::isWindows());
        if (!class_exists(\Predis\Client::class) && $debian !== null) {
            require_once $debian;
        }
        return class_exists(\Predis\Client::class);
    }
}
