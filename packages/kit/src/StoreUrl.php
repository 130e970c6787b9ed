<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\DirectoryStore;
use Bloom\MemcachedStore;
use Bloom\RedisStore;
use Bloom\Store;
use Bloom\StoreException;

/**
 * The address of a store in one argument:
 *
 *     /path    ./path    dir:path    file:///path    on Windows also C:\path, \\server\share, file:///C:/path
 *     redis://[[user]:password@]host[:port][/db]    rediss:// for TLS
 *     redis:///path/to/socket    unix:///path/to/socket
 *     redis-cluster://[[user]:password@]host[:port],host[:port]…
 *     memcached://host[:port]    memcached:///path/to/socket
 *
 * All addresses of servers accept ?prefix=TEXT, and single Redis servers also accept ?db=NUMBER. Special characters are
 * percent-encoded. Other users can see the arguments of a process, so a password should be in the environment variable
 * REDISCLI_AUTH instead, which redis-cli also reads. If this variable is set, user@ and user:@ name the user. Otherwise,
 * text before the @ without a colon is the password.
 *
 *     $store = StoreUrl::parse('redis://cache.example/0?prefix=shop:')->open();
 */
final class StoreUrl
{
    private const SCHEMES = [
        'dir', 'file', 'redis', 'rediss', 'unix', 'redis-cluster', 'memcached',
        // new schemes: above
    ];
    private const OF_PATHS = ['dir', 'file'];
    private const HOST = '\[[0-9a-fA-F:.]+\]|[^:/?,]*';
    private const SERVER = '~^//(?:(?<userinfo>[^/?]*)@)?(?<host>' . self::HOST . ')(?::(?<port>\d+))?'
        . '(?<path>/[^?]*)?(?:\?(?<query>.*))?$~';
    private const CLUSTER = '~^//(?:(?<userinfo>[^/?]*)@)?(?<hosts>[^/?@]+)/?(?:\?(?<query>.*))?$~';
    private const REDIS_PORT = 6379;
    private const MEMCACHED_PORT = 11211;
    private const PREFIX = 'bloom:';

    /** The user and the password of a URL. In the URL of a store, the password may even contain / and ?. */
    private const USERS = '~\b(?:(?:redis|rediss|redis-cluster|unix|memcached|tcp|tls)://\K(?!/)[^\s"\']*@'
        . '|[a-z][a-z0-9+.-]*://\K[^\s"\'/?#]*@)~i';

    /**
     * @param string $shown for messages: as typed, but without the user and password
     * @param \Closure(float): Store $open
     * @param (\Closure(float): object)|null $connect null: the store has no client
     * @param string|null $directory null: the store is on a server
     * @param string $prefix of all keys on the server
     */
    private function __construct(
        public readonly string $scheme,
        public readonly string $shown,
        private readonly \Closure $open,
        private readonly ?\Closure $connect = null,
        public readonly ?string $directory = null,
        public readonly string $prefix = '',
    ) {
    }

    /**
     * @param bool|null $isWindows whether paths are those of Windows; null: of this system
     *
     * @throws StoreUrlException if the text is not the URL or the path of a store
     */
    public static function parse(string $text, ?bool $isWindows = null): self
    {
        $isWindows ??= Paths::isWindows();
        if (!self::isUrl($text, $isWindows)) {
            return self::ofDirectory($text);
        }
        $scheme = self::schemeOf($text);
        $rest = substr($text, strlen($scheme) + 1);
        if (
            preg_match('~^//[^/?]*[/?][^@]*@~', $rest) === 1 && !str_starts_with($rest, '///')
            && !in_array($scheme, self::OF_PATHS, true)
        ) {
            throw self::invalid('there is a / or a ? before the last @: in a password, write %2F for a /, %3F for a ? and '
                . '%40 for an @; after the host, write %40 for an @');
        }
        return match ($scheme) {
            'dir' => self::ofDirectory($rest),
            'file' => self::ofFileUrl($rest, $isWindows),
            'redis', 'rediss', 'unix' => self::ofRedis($rest, $scheme),
            'redis-cluster' => self::ofCluster($rest),
            'memcached' => self::ofMemcached($rest),
            // parsers of new schemes: above
            default => throw self::invalid("\"$scheme:\" is not one of " . implode(':, ', self::SCHEMES) . ': (write '
                . (preg_match('~^\d+(?:/|$)~', $rest) === 1 ? 'redis://HOST:PORT for a Redis server, or ' : '')
                . 'dir:PATH for a directory with a colon in its name)'),
        };
    }

    /** Returns whether a text begins with the scheme of a URL, which may be in capital letters. C: is not a scheme. */
    public static function isUrl(string $text, bool $isWindows): bool
    {
        return !Paths::hasDrive($text, $isWindows) && preg_match('/^(?:[a-z]|(?i)[a-z][a-z0-9+.-]+):/', $text) === 1;
    }

    /** Returns whether a text is the URL of a server. */
    public static function isOfServer(string $text): bool
    {
        return in_array(self::schemeOf($text), array_diff(self::SCHEMES, self::OF_PATHS), true);
    }

    /**
     * Removes "user:password@" from the URLs in a text. A password may contain an @, so everything up to the last one belongs
     * to it.
     */
    public static function withoutPasswords(string $text): string
    {
        return (string) preg_replace(self::USERS, '', $text);
    }

    /**
     * Connects to the store. After a failure, and in a forked process, the store connects again.
     *
     * @param float $timeout in seconds, for connecting and for each answer
     *
     * @throws StoreUrlException if the directory does not exist, or PHP has no client for the server
     * @throws StoreException if the server does not answer
     */
    public function open(float $timeout = 5.0): Store
    {
        return ($this->open)($timeout);
    }

    /**
     * Connects to the server.
     *
     * @return object|null a client that RedisStore or MemcachedStore accepts; null: the store has none
     *
     * @throws StoreUrlException if PHP has no client for the server
     * @throws StoreException if the server does not answer
     */
    public function client(float $timeout = 5.0): ?object
    {
        return $this->connect === null ? null : ($this->connect)($timeout);
    }

    private static function ofDirectory(string $directory): self
    {
        if ($directory === '' || Paths::isUrl($directory)) {
            throw self::invalid("\"$directory\" is not the path of a directory");
        }
        return new self('dir', $directory, static function () use ($directory): Store {
            clearstatcache(true);
            $why = match (true) {
                is_dir($directory) => null,
                file_exists($directory) => 'is a file, but a store is a directory or a URL',
                default => 'does not exist: create the directory, or mount the file system that contains it',
            };
            return $why === null
                ? new DirectoryStore($directory)
                : throw new StoreUrlException(StoreUrlProblem::NoDirectory, "the store $directory $why");
        }, directory: $directory);
    }

    private static function ofFileUrl(string $rest, bool $isWindows): self
    {
        return self::ofDirectory(Paths::ofUrl("file:$rest", $isWindows)
            ?? throw self::invalid('a file URL has the form file:///' . ($isWindows ? 'C:/path' : 'path')));
    }

    private static function ofRedis(string $rest, string $scheme): self
    {
        if (preg_match(self::SERVER, $rest, $parts, PREG_UNMATCHED_AS_NULL) !== 1) {
            throw self::invalid("a Redis URL has the form $scheme://host:port or $scheme:///path/to/socket" . self::hint($rest));
        }
        $host = rawurldecode((string) $parts['host']);
        $path = rawurldecode($parts['path'] ?? '');
        $isSocket = $host === '';
        if ($isSocket ? $path === '' || $path === '/' || $scheme === 'rediss' : $scheme === 'unix') {
            throw self::invalid('the host or the path of the socket is missing');
        }
        if ($isSocket && preg_match('~^(.+)/(\d+)$~', $path, $found) === 1 && @filetype($found[1]) === 'socket') {
            throw self::invalid("$path is not a socket; write $scheme://$found[1]?db=$found[2] for database $found[2]");
        }
        $query = self::parseQuery($parts['query'] ?? '', ['db', 'prefix']);
        if (!$isSocket && trim($path, '/') !== '') {
            $query += ['db' => trim($path, '/')];
        }
        $database = $query['db'] ?? '0';
        if (preg_match('/^\d+$/D', $database) !== 1) {
            throw self::invalid("the database \"$database\" is not a number");
        }
        $port = self::parsePort($parts['port'] ?? null, self::REDIS_PORT);
        $address = $isSocket ? $path : ($scheme === 'rediss' ? 'tls' : 'tcp') . "://$host:$port";
        $auth = self::parseAuth($parts['userinfo'] ?? '');
        $shown = self::withoutPasswords("$scheme:$rest");
        return self::withRedis($scheme, $shown, $query['prefix'] ?? self::PREFIX, static fn (float $timeout): object
            => RedisClient::connect($shown, $address, $timeout, $auth, (int) $database));
    }

    private static function ofCluster(string $rest): self
    {
        $isMatch = preg_match(self::CLUSTER, $rest, $parts, PREG_UNMATCHED_AS_NULL) === 1;
        $seeds = explode(',', $isMatch ? (string) $parts['hosts'] : '');
        foreach ($seeds as $i => $seed) {
            if (
                preg_match('~^(?:' . self::HOST . ')(?::\d+)?$~', $seed) !== 1
                || in_array($seed === '' ? ':' : $seed[0], [':', ','], true)
            ) {
                throw self::invalid('a cluster URL has the form redis-cluster://host:port,host:port,...' . self::hint($rest));
            }
            $host = (string) preg_replace('/:(\d+)$/', '', $seed);
            $port = $host === $seed ? null : substr($seed, strlen($host) + 1);
            $seeds[$i] = "$host:" . self::parsePort($port, self::REDIS_PORT);
        }
        $query = self::parseQuery($parts['query'] ?? '', ['prefix']);
        $auth = self::parseAuth($parts['userinfo'] ?? '');
        $shown = self::withoutPasswords("redis-cluster:$rest");
        return self::withRedis('redis-cluster', $shown, $query['prefix'] ?? self::PREFIX, static fn (float $timeout): object
            => RedisClient::connectCluster($shown, $seeds, $timeout, $auth));
    }

    /** @param \Closure(float): object $connect */
    private static function withRedis(string $scheme, string $shown, string $prefix, \Closure $connect): self
    {
        $open = static fn (float $timeout): Store => new RedisStore(self::clients($connect, $timeout), $prefix);
        return new self($scheme, $shown, $open, $connect, null, $prefix);
    }

    /**
     * Connects, and returns what gives the store this client, and a new one after each failure.
     *
     * @param \Closure(float): object $connect
     *
     * @return \Closure(): object
     */
    private static function clients(\Closure $connect, float $timeout): \Closure
    {
        $first = $connect($timeout);
        return static function () use (&$first, $connect, $timeout): object {
            $client = $first ?? $connect($timeout);
            $first = null;
            return $client;
        };
    }

    private static function ofMemcached(string $rest): self
    {
        $isMatch = preg_match(self::SERVER, $rest, $parts, PREG_UNMATCHED_AS_NULL) === 1;
        $host = $isMatch ? rawurldecode((string) $parts['host']) : '';
        $path = $isMatch ? rawurldecode($parts['path'] ?? '') : '';
        $isSocket = $host === '';
        if (!$isMatch || isset($parts['userinfo']) || $isSocket === (trim($path, '/') === '')) {
            throw self::invalid('a Memcached URL has the form memcached://host:port or memcached:///path/to/socket'
                . self::hint($rest));
        }
        $prefix = self::parseQuery($parts['query'] ?? '', ['prefix'])['prefix'] ?? self::PREFIX;
        $port = $isSocket ? 0 : self::parsePort($parts['port'] ?? null, self::MEMCACHED_PORT);
        $shown = self::withoutPasswords("memcached:$rest");
        $connect = static fn (float $timeout): \Memcached
            => MemcachedClient::connect($shown, $isSocket ? $path : $host, $port, $timeout);
        $open = static fn (float $timeout): Store => new MemcachedStore($connect($timeout), $prefix);
        return new self('memcached', $shown, $open, $connect, null, $prefix);
    }

    /** Returns a hint if an IPv6 address has no brackets. */
    private static function hint(string $rest): string
    {
        return preg_match('~^//(?:[^@/]*@)?(?:[0-9a-f]*:){2,}~i', $rest) === 1
            ? ' (put an IPv6 address into brackets, as in [::1]:6379)'
            : '';
    }

    private static function schemeOf(string $text): string
    {
        return strtolower((string) strstr($text, ':', true));
    }

    private static function invalid(string $detail): StoreUrlException
    {
        return new StoreUrlException(StoreUrlProblem::Invalid, $detail);
    }

    /**
     * @param list<string> $known
     *
     * @return array<string, string>
     */
    private static function parseQuery(string $query, array $known): array
    {
        $values = [];
        foreach ($query === '' ? [] : explode('&', $query) as $pair) {
            [$name, $value] = explode('=', $pair, 2) + [1 => ''];
            if (!in_array($name, $known, true)) {
                $usable = array_map(static fn (string $name): string => "?$name=", $known);
                throw self::invalid("?$name= is not allowed; use " . implode(' or ', $usable));
            }
            $values[$name] = rawurldecode($value);
        }
        return $values;
    }

    private static function parsePort(?string $port, int $default): int
    {
        $number = (int) ($port ?? $default);
        return $number >= 1 && $number <= 65535
            ? $number
            : throw self::invalid("the port $port is not in the range 1 to 65535");
    }

    /**
     * Parses "user:password" or ":password". If REDISCLI_AUTH is set, "user:" and "user" name the user; otherwise text without
     * a colon is the password.
     *
     * @return array{user: string, password: string}|null the user may be empty
     */
    private static function parseAuth(string $userinfo): ?array
    {
        $parts = array_map(rawurldecode(...), explode(':', $userinfo, 2));
        $kept = (string) getenv('REDISCLI_AUTH');
        [$user, $password] = count($parts) === 1 && $kept === '' ? ['', $parts[0]] : [$parts[0], $parts[1] ?? ''];
        $password = $password === '' ? $kept : $password;
        if ($password === '') {
            return $user === ''
                ? null
                : throw self::invalid('the user has no password: put one into the URL or into REDISCLI_AUTH');
        }
        return ['user' => $user, 'password' => $password];
    }
}
