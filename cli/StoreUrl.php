<?php

namespace Bloom\Cli;

use Bloom\DirectoryStore;
use Bloom\RedisStore;
use Bloom\Store;

/**
 * Where a store is, in one argument:
 *
 *     /path    ./path    dir:path    file:///path
 *     redis://[[user]:password@]host[:port][/db]    rediss:// for TLS
 *     redis:///path/to/socket    unix:///path/to/socket
 *
 * The Redis ones take ?db=NUMBER and ?prefix=TEXT. What is special in a URL stands percent-encoded. A
 * password is better left to the environment variable REDISCLI_AUTH, which redis-cli reads as well: the
 * arguments of a process are there for all to see.
 */
final class StoreUrl
{
    private const REDIS = '~^//(?:(?<userinfo>[^@/]*)@)?(?<host>\[[0-9a-fA-F:.]+\]|[^:/?]*)(?::(?<port>\d+))?'
        . '(?<path>/[^?]*)?(?:\?(?<query>.*))?$~';
    private const PORT = 6379;

    /** @param array{0?: string, 1: string}|null $auth user (or not) and password */
    private function __construct(
        private readonly ?string $directory,
        private readonly ?string $socket = null,
        private readonly string $host = '',
        private readonly int $port = self::PORT,
        private readonly bool $tls = false,
        private readonly ?array $auth = null,
        private readonly int $database = 0,
        private readonly string $prefix = 'bloom:',
        private readonly string $shown = ''
    ) {
    }

    public static function parse(string $text): self
    {
        if (!preg_match('/^([a-z][a-z0-9+.-]*):(.*)$/s', $text, $parts)) {
            return $text === ''
                ? throw Failure::usage('STORE is empty')
                : new self(directory: $text);
        }
        [, $scheme, $rest] = $parts;
        return match ($scheme) {
            'dir' => new self(directory: $rest),
            'file' => self::parseFile($rest),
            'redis', 'rediss', 'unix' => self::parseRedis($scheme, $rest),
            default => throw Failure::usage("STORE: \"$scheme:\" is none of dir:, file:, redis:, rediss:, unix: "
                . '(a directory with a colon in its name is dir:…)'),
        };
    }

    /** The store, connected. */
    public function open(float $timeout): Store
    {
        if ($this->directory === null) {
            $client = RedisClient::connect(
                $this->shown,
                $this->socket ?? ($this->tls ? 'tls' : 'tcp') . "://{$this->host}:{$this->port}",
                $timeout,
                $this->auth,
                $this->database
            );
            return new RedisStore($client, $this->prefix);
        }
        // Not there may mean not mounted: no more the caller's fault than a server that is down.
        if (!is_dir($this->directory)) {
            throw new Failure(ExitCode::TryAgain, "the store {$this->directory} is no directory, or not there");
        }
        return new DirectoryStore($this->directory);
    }

    private static function parseFile(string $rest): self
    {
        if (!preg_match('~^//(?:localhost)?(/[^?#]*)$~', $rest, $parts)) {
            throw Failure::usage('STORE: a file URL is file:///path');
        }
        return new self(directory: rawurldecode($parts[1]));
    }

    private static function parseRedis(string $scheme, string $rest): self
    {
        if (!preg_match(self::REDIS, $rest, $parts, PREG_UNMATCHED_AS_NULL)) {
            throw Failure::usage("STORE: a Redis URL is $scheme://host:port or $scheme:///path/to/socket");
        }
        $host = rawurldecode($parts['host'] ?? '');
        $path = rawurldecode($parts['path'] ?? '');
        $isSocket = $host === '';
        if ($isSocket ? $path === '' || $path === '/' || $scheme === 'rediss' : $scheme === 'unix') {
            throw Failure::usage('STORE: the host or the path of the socket is missing');
        }
        $query = self::parseQuery($parts['query'] ?? '');
        if (!$isSocket && trim($path, '/') !== '') {
            $query += ['db' => trim($path, '/')];
        }
        if (!ctype_digit($query['db'] ?? '0')) {
            throw Failure::usage("STORE: the database \"{$query['db']}\" is not a number");
        }
        return new self(
            directory: null,
            socket: $isSocket ? $path : null,
            host: $host,
            port: (int) ($parts['port'] ?? self::PORT),
            tls: $scheme === 'rediss',
            auth: self::parseAuth($parts['userinfo'] ?? ''),
            database: (int) ($query['db'] ?? 0),
            prefix: $query['prefix'] ?? 'bloom:',
            // As typed, but for the password.
            shown: "$scheme:" . preg_replace('~^//[^@/]*@~', '//', $rest)
        );
    }

    /** @return array<string, string> */
    private static function parseQuery(string $query): array
    {
        $values = [];
        foreach ($query === '' ? [] : explode('&', $query) as $pair) {
            [$name, $value] = explode('=', $pair, 2) + [1 => ''];
            if (!in_array($name, ['db', 'prefix'], true)) {
                throw Failure::usage("STORE: ?$name= is neither ?db= nor ?prefix=");
            }
            $values[$name] = rawurldecode($value);
        }
        return $values;
    }

    /** "user:password", ":password", or "password" alone. */
    private static function parseAuth(string $userinfo): ?array
    {
        $parts = array_map(rawurldecode(...), explode(':', $userinfo, 2));
        $password = array_pop($parts);
        if ($password === '') {
            $password = (string) getenv('REDISCLI_AUTH');
        }
        if ($password === '') {
            return null;
        }
        return ($parts[0] ?? '') === '' ? [$password] : [$parts[0], $password];
    }
}
