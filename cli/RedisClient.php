<?php

namespace Bloom\Cli;

/** Connects ext-redis if it is loaded, else Predis. */
final class RedisClient
{
    /**
     * @param string $shown what the caller knows the store as, without a password
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
        $usePredis = !extension_loaded('redis');
        if ($usePredis && !self::findPredis()) {
            throw new Failure(
                ExitCode::Unavailable,
                'a Redis store needs the PHP extension redis, or predis/predis'
            );
        }
        try {
            return $usePredis
                ? self::connectPredis($address, $timeout, $auth, $database)
                : self::connectExtension($address, $timeout, $auth, $database);
        } catch (\RedisException | \Predis\PredisException | \ErrorException $thrown) {
            throw new Failure(ExitCode::TryAgain, "the store $shown: {$thrown->getMessage()}", $thrown);
        }
    }

    private static function connectExtension(
        string $address,
        float $timeout,
        ?array $auth,
        int $database
    ): \Redis {
        $redis = new \Redis();
        // The port is part of the address; -1 is what a socket takes.
        $colon = $address[0] === '/' ? false : strrpos($address, ':');
        $host = $colon === false ? $address : preg_replace('~^tcp://~', '', substr($address, 0, $colon));
        $port = $colon === false ? -1 : (int) substr($address, $colon + 1);
        $ok = $redis->connect($host, $port, $timeout, null, 0, $timeout)
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
        $where = $address[0] === '/'
            ? ['scheme' => 'unix', 'path' => $address]
            : array_intersect_key(parse_url($address), ['scheme' => 1, 'host' => 1, 'port' => 1]);
        $client = new \Predis\Client($where + ['timeout' => $timeout, 'read_write_timeout' => $timeout]);
        $client->connect();
        // By hand, because not every version of Predis knows users.
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

    /** Composer's, which is loaded already if there is one; or Debian's. */
    private static function findPredis(): bool
    {
        $debian = '/usr/share/php/Predis/autoload.php';
        if (!class_exists(\Predis\Client::class) && is_file($debian)) {
            require_once $debian;
        }
        return class_exists(\Predis\Client::class);
    }
}
