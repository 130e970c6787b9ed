<?php

namespace Bloom\Cli;

use Bloom\DirectoryStore;
use Bloom\MemcachedStore;
use Bloom\RedisStore;
use Bloom\Store;
use Bloom\StoreException;
use Closure;

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
 */
final class StoreUrl
{
    /** The method that parses what follows each scheme. */
    private const SCHEMES = [
        'dir' => 'ofDirectory',
        'file' => 'ofFileUrl',
        'redis' => 'parseRedis',
        'rediss' => 'parseRedis',
        'unix' => 'parseRedis',
        'redis-cluster' => 'parseCluster',
        'memcached' => 'parseMemcached',
        // new schemes: above
    ];
    private const OF_PATHS = ['dir', 'file'];
    private const HOST = '\[[0-9a-fA-F:.]+\]|[^:/?,]*';
    private const SERVER = '~^//(?:(?<userinfo>[^/?]*)@)?(?<host>' . self::HOST . ')(?::(?<port>\d+))?'
        . '(?<path>/[^?]*)?(?:\?(?<query>.*))?$~';
    private const CLUSTER = '~^//(?:(?<userinfo>[^/?]*)@)?(?<hosts>[^/?@]+)/?(?:\?(?<query>.*))?$~';
    private const REDIS_PORT = 6379;
    private const MEMCACHED_PORT = 11211;

    /**
     * @param string $shown for messages: as typed, but without the user and password
     * @param Closure(float): Store $open
     * @param (Closure(float): list<string>)|null $names lists the filters; null: the store cannot
     */
    private function __construct(
        public readonly string $shown,
        private readonly Closure $open,
        private readonly ?Closure $names = null
    ) {
    }

    public static function parse(string $text, ?bool $isWindows = null): self
    {
        $isWindows ??= System::isWindows();
        if (!self::isUrl($text, $isWindows)) {
            return self::ofDirectory($text);
        }
        [$scheme, $rest] = explode(':', $text, 2);
        $scheme = strtolower($scheme);
        if (preg_match('~^//[^/?]*[/?][^@]*@~', $rest) === 1 && !str_starts_with($rest, '///') && !in_array($scheme, self::OF_PATHS, true)) {
            throw Failure::usage('STORE: there is a / or a ? before the last @: in a password, write %2F for a /, %3F for a ? and '
                . '%40 for an @; after the host, write %40 for an @');
        }
        if (!isset(self::SCHEMES[$scheme])) {
            throw Failure::usage("STORE: \"$scheme:\" is not one of " . implode(':, ', array_keys(self::SCHEMES)) . ': (write '
                . (preg_match('~^\d+(?:/|$)~', $rest) ? 'redis://HOST:PORT for a Redis server, or ' : '')
                . 'dir:PATH for a directory with a colon in its name)');
        }
        return [self::class, self::SCHEMES[$scheme]]($rest, $scheme, $isWindows);
    }

    /** Returns whether a text begins with the scheme of a URL, which may be in capital letters. C: is not a scheme. */
    public static function isUrl(string $text, bool $isWindows): bool
    {
        return !System::hasDrive($text, $isWindows) && preg_match('/^(?:[a-z]|(?i)[a-z][a-z0-9+.-]+):/', $text) === 1;
    }

    /** Returns whether a text is the URL of a server. */
    public static function isOfServer(string $text): bool
    {
        $scheme = strtolower((string) strstr($text, ':', true));
        return isset(self::SCHEMES[$scheme]) && !in_array($scheme, self::OF_PATHS, true);
    }

    /** Connects to the store. */
    public function open(float $timeout): Store
    {
        return ($this->open)($timeout);
    }

    /**
     * Returns the names of the filters in the store.
     *
     * @return list<string>
     */
    public function names(float $timeout): array
    {
        return $this->names === null
            ? throw Failure::usage("$this->shown cannot list its keys: name the filters, as in bloom list tags users STORE")
            : ($this->names)($timeout);
    }

    private static function ofDirectory(string $directory): self
    {
        if ($directory === '' || System::isUrl($directory)) {
            throw Failure::usage("STORE: \"$directory\" is not the path of a directory");
        }
        return new self($directory, static function () use ($directory): Store {
            self::checkDirectory($directory);
            return new DirectoryStore($directory);
        }, static function () use ($directory): array {
            self::checkDirectory($directory);
            return StoreNames::ofDirectory($directory);
        });
    }

    private static function ofFileUrl(string $rest, string $scheme, bool $isWindows): self
    {
        return self::ofDirectory(System::pathOfUrl("file:$rest", $isWindows)
            ?? throw Failure::usage('STORE: a file URL has the form file:///' . ($isWindows ? 'C:/path' : 'path')));
    }

    private static function checkDirectory(string $directory): void
    {
        clearstatcache(true);
        $why = match (true) {
            is_dir($directory) => null,
            file_exists($directory) => 'is a file, but a store is a directory or a URL',
            default => 'does not exist: create the directory, or mount the file system that contains it',
        };
        if ($why !== null) {
            throw new Failure(ExitCode::NoInput, "the store $directory $why");
        }
    }

    private static function parseRedis(string $rest, string $scheme): self
    {
        if (!preg_match(self::SERVER, $rest, $parts, PREG_UNMATCHED_AS_NULL)) {
            throw Failure::usage("STORE: a Redis URL has the form $scheme://host:port or $scheme:///path/to/socket" . self::hint($rest));
        }
        $host = rawurldecode($parts['host'] ?? '');
        $path = rawurldecode($parts['path'] ?? '');
        $isSocket = $host === '';
        if ($isSocket ? $path === '' || $path === '/' || $scheme === 'rediss' : $scheme === 'unix') {
            throw Failure::usage('STORE: the host or the path of the socket is missing');
        }
        if ($isSocket && preg_match('~^(.+)/(\d+)$~', $path, $found) && @filetype($found[1]) === 'socket') {
            throw Failure::usage("STORE: $path is not a socket; write $scheme://$found[1]?db=$found[2] for database $found[2]");
        }
        $query = self::parseQuery($parts['query'] ?? '', ['db', 'prefix']);
        if (!$isSocket && trim($path, '/') !== '') {
            $query += ['db' => trim($path, '/')];
        }
        if (!ctype_digit($query['db'] ?? '0')) {
            throw Failure::usage("STORE: the database \"{$query['db']}\" is not a number");
        }
        $port = self::parsePort($parts['port'] ?? null, self::REDIS_PORT);
        $address = $isSocket ? $path : ($scheme === 'rediss' ? 'tls' : 'tcp') . "://$host:$port";
        $auth = self::parseAuth($parts['userinfo'] ?? '');
        $shown = self::show($scheme, $rest);
        $connect = static fn (float $timeout): object => TimedStore::ask($shown, $timeout, static fn (): object
            => RedisClient::connect($shown, $address, $timeout, $auth, (int) ($query['db'] ?? 0)));
        return self::ofRedis($shown, $connect, $query['prefix'] ?? 'bloom:');
    }

    private static function parseCluster(string $rest): self
    {
        $server = '~^(?:' . self::HOST . ')(?::\d+)?$~';
        $isMatch = preg_match(self::CLUSTER, $rest, $parts, PREG_UNMATCHED_AS_NULL);
        $seeds = $isMatch ? explode(',', $parts['hosts']) : [''];
        foreach ($seeds as $i => $seed) {
            if (!preg_match($server, $seed) || in_array($seed[0] ?? ':', [':', ','], true)) {
                throw Failure::usage('STORE: a cluster URL has the form redis-cluster://host:port,host:port,...' . self::hint($rest));
            }
            $host = preg_replace('/:(\d+)$/', '', $seed);
            $port = $host === $seed ? null : substr($seed, strlen($host) + 1);
            $seeds[$i] = "$host:" . self::parsePort($port, self::REDIS_PORT);
        }
        $query = self::parseQuery($parts['query'] ?? '', ['prefix']);
        $auth = self::parseAuth($parts['userinfo'] ?? '');
        $shown = self::show('redis-cluster', $rest);
        $connect = static fn (float $timeout): object => TimedStore::ask($shown, $timeout, static fn (): object
            => RedisClient::connectCluster($shown, $seeds, $timeout, $auth));
        return self::ofRedis($shown, $connect, $query['prefix'] ?? 'bloom:');
    }

    /** @param Closure(float): object $connect */
    private static function ofRedis(string $shown, Closure $connect, string $prefix): self
    {
        return new self(
            $shown,
            static fn (float $timeout): Store => new TimedStore(new RedisStore(self::clients($connect, $timeout), $prefix), $shown, $timeout),
            static function (float $timeout) use ($connect, $prefix, $shown): array {
                $client = $connect($timeout);
                return TimedStore::ask($shown, $timeout, static fn (): array => StoreNames::ofRedis($client, $prefix, $shown));
            }
        );
    }

    /**
     * Connects, and returns what gives the store this client, and a new one after each failure.
     *
     * @param Closure(float): object $connect
     *
     * @return Closure(): object
     */
    private static function clients(Closure $connect, float $timeout): Closure
    {
        $first = $connect($timeout);
        return static function () use (&$first, $connect, $timeout): object {
            try {
                return $first ?? $connect($timeout);
            } catch (Failure $failure) {
                throw new StoreException($failure->getMessage(), 0, $failure);
            } finally {
                $first = null;
            }
        };
    }

    private static function parseMemcached(string $rest): self
    {
        $isMatch = preg_match(self::SERVER, $rest, $parts, PREG_UNMATCHED_AS_NULL);
        $host = $isMatch ? rawurldecode($parts['host'] ?? '') : '';
        $path = $isMatch ? rawurldecode($parts['path'] ?? '') : '';
        $isSocket = $host === '';
        if (!$isMatch || isset($parts['userinfo']) || $isSocket === (trim($path, '/') === '')) {
            throw Failure::usage('STORE: a Memcached URL has the form memcached://host:port or memcached:///path/to/socket' . self::hint($rest));
        }
        $query = self::parseQuery($parts['query'] ?? '', ['prefix']);
        $port = $isSocket ? 0 : self::parsePort($parts['port'] ?? null, self::MEMCACHED_PORT);
        $shown = self::show('memcached', $rest);
        return new self($shown, static fn (float $timeout): Store => new MemcachedStore(
            MemcachedClient::connect($shown, $isSocket ? $path : $host, $port, $timeout),
            $query['prefix'] ?? 'bloom:'
        ));
    }

    /** Returns a hint if an IPv6 address has no brackets. */
    private static function hint(string $rest): string
    {
        return preg_match('~^//(?:[^@/]*@)?(?:[0-9a-f]*:){2,}~i', $rest) ? ' (put an IPv6 address into brackets, as in [::1]:6379)' : '';
    }

    /** Returns the URL as typed, but without the user and password. */
    private static function show(string $scheme, string $rest): string
    {
        return Text::withoutPasswords("$scheme:$rest");
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
                throw Failure::usage("STORE: ?$name= is not allowed; use " . implode(' or ', $usable));
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
            : throw Failure::usage("STORE: the port $port is not in the range 1 to 65535");
    }

    /**
     * Parses "user:password" or ":password". If REDISCLI_AUTH is set, "user:" and "user" name the user; otherwise text without
     * a colon is the password.
     *
     * @return list<string>|null [password], or [user, password]
     */
    private static function parseAuth(string $userinfo): ?array
    {
        [$user, $password] = array_map(rawurldecode(...), explode(':', $userinfo, 2)) + [1 => null];
        $kept = (string) getenv('REDISCLI_AUTH');
        if ($password === null && $kept === '') {
            [$user, $password] = ['', $user];
        }
        if ((string) $password === '') {
            $password = $kept;
        }
        if ($password === '') {
            return $user === ''
                ? null
                : throw Failure::usage('STORE: the user has no password: put one into the URL or into REDISCLI_AUTH');
        }
        return $user === '' ? [$password] : [$user, $password];
    }
}
