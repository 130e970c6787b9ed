<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\StoreException;

/** Connects with ext-redis if it is loaded, otherwise with Predis. */
final class RedisClient
{
    /**
     * @param string $shown the store's URL for messages, without a password
     * @param string $address tcp://host:port, tls://host:port or the path of a socket
     * @param array{user: string, password: string}|null $auth the user may be empty
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
            return self::withoutWarnings(static fn (): object => $usePredis
                ? self::connectPredis($address, $timeout, $auth, $database)
                : self::connectExtension($address, $timeout, $auth, $database));
        } catch (\RedisException | \Predis\PredisException | \ErrorException $thrown) {
            throw new StoreException("the store $shown: {$thrown->getMessage()}", 0, $thrown);
        }
    }

    /**
     * Creates a client for a cluster. A Predis client connects when it is first used.
     *
     * @param list<string> $seeds host:port of some servers of the cluster
     * @param array{user: string, password: string}|null $auth
     */
    public static function connectCluster(string $shown, array $seeds, float $timeout, ?array $auth): object
    {
        if (self::mustUsePredis()) {
            return self::makePredisCluster($seeds, $timeout, $auth);
        }
        try {
            // RedisCluster expects a password without a user as a string.
            $credentials = $auth === null ? null : self::credentials($auth);
            $credentials = $credentials !== null && count($credentials) === 1 ? $credentials[0] : $credentials;
            // RedisCluster splits a seed at its last colon and keeps brackets, with which it finds no server.
            $seeds = array_map(static fn (string $seed): string => strtr($seed, ['[' => '', ']' => '']), $seeds);
            /** @psalm-suppress PossiblyInvalidArgument [user, password] is allowed */
            return self::withoutWarnings(static fn (): object
                => new \RedisCluster(null, $seeds, $timeout, $timeout, false, $credentials));
        } catch (\RedisClusterException | \RedisException | \ErrorException $thrown) {
            throw new StoreException("the store $shown: {$thrown->getMessage()}", 0, $thrown);
        }
    }

    /**
     * Calls a client, and throws its warnings, because they say why it cannot connect.
     *
     * @param callable(): object $call
     */
    private static function withoutWarnings(callable $call): object
    {
        set_error_handler(static fn (int $level, string $message, string $file, int $line)
            => throw new \ErrorException($message, 0, $level, $file, $line), E_WARNING | E_NOTICE);
        try {
            return $call();
        } finally {
            restore_error_handler();
        }
    }

    private static function mustUsePredis(): bool
    {
        $usePredis = !extension_loaded('redis');
        if ($usePredis && !self::findPredis()) {
            throw new StoreUrlException(
                StoreUrlProblem::NoClient,
                'a Redis store needs the PHP extension redis or Predis: apt-get install php-redis, pecl install redis, '
                . 'or composer require predis/predis'
            );
        }
        return $usePredis;
    }

    /** @param array{user: string, password: string}|null $auth */
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
            && ($auth === null || $redis->auth(self::credentials($auth)))
            && ($database === 0 || $redis->select($database));
        return $ok ? $redis : throw new \RedisException($redis->getLastError() ?? 'cannot connect');
    }

    /** @param array{user: string, password: string}|null $auth */
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
            ...($auth === null ? [] : [['AUTH', ...self::credentials($auth)]]),
            ...($database === 0 ? [] : [['SELECT', (string) $database]]),
        ];
        $failed = false;
        foreach ($commands as $command) {
            $answer = $client->executeRaw($command, $failed);
            if ($failed) {
                throw new \Predis\ClientException(is_scalar($answer) ? (string) $answer : get_debug_type($answer));
            }
        }
        return $client;
    }

    /**
     * @param list<string> $seeds
     * @param array{user: string, password: string}|null $auth
     */
    private static function makePredisCluster(array $seeds, float $timeout, ?array $auth): \Predis\ClientInterface
    {
        $parameters = ['timeout' => $timeout, 'read_write_timeout' => $timeout]
            + ($auth === null ? [] : ['password' => $auth['password']])
            + ($auth === null || $auth['user'] === '' ? [] : ['username' => $auth['user']]);
        // Servers that the cluster announces later get these parameters as well.
        return new \Predis\Client(
            array_map(static fn (string $seed): array => self::parts("tcp://$seed") + $parameters, $seeds),
            ['cluster' => 'redis', 'parameters' => $parameters]
        );
    }

    /**
     * @param array{user: string, password: string} $auth
     *
     * @return non-empty-list<string> [password] or [user, password]
     */
    private static function credentials(array $auth): array
    {
        return $auth['user'] === '' ? [$auth['password']] : [$auth['user'], $auth['password']];
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
        $debian = Paths::debianFile('/usr/share/php/Predis/autoload.php', Paths::isWindows());
        if (!class_exists(\Predis\Client::class) && $debian !== null) {
            /** @psalm-suppress UnresolvableInclude */
            require_once $debian;
        }
        return class_exists(\Predis\Client::class);
    }
}
