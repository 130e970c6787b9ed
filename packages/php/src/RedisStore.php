<?php

namespace Bloom;

use Bloom\Internal\Keys;

/** A store in Redis or Valkey. It uses your own client. */
final class RedisStore implements JournalStore
{
    use Internal\Client;
    use Internal\NoJournal;

    /** Arguments: the SHA-1 of the expected value, or an empty string if the key must not exist; the new value. */
    private const REPLACE = "local v, expected = redis.call('GET', KEYS[1]), ARGV[4] "
        . "if expected == '' and v or expected ~= '' and (not v or redis.sha1hex(v) ~= expected) "
        . "then return 0 end redis.call('SET', KEYS[1], ARGV[5]) return 1";
    private const EXISTS = "local found = {} for i = 1, #KEYS do found[i] = redis.call('EXISTS', KEYS[i]) end return found";

    /** The last entry of a stream, or nothing. The record of an entry "EPOCH-0" is empty, and its field is not "r". */
    private const LAST = "local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1] "
        . "if not last then return {} end return {last[1], last[2][1] == 'r' and last[2][2] or ''}";

    private static function clients(): array
    {
        return ['Redis', 'RedisCluster', 'Predis\ClientInterface'];
    }

    /**
     * @param object $client a connected \Redis, \RedisCluster or \Predis\ClientInterface (also for a
     *        cluster), or better a \Closure that connects and returns a new one. The store calls the
     *        closure when it is first used, so a web request whose filter is current never connects,
     *        and if the server is down, only the sync or fetch fails. The store calls it again after a
     *        failure, and in a child after a fork. A client that was connected before a fork is refused
     *        in the child. If a fiber uses the store while the closure is suspended in another fiber,
     *        both fibers call the closure, and the store keeps the client that is returned first
     * @param string $prefix prepended to every key. It should end with a colon, which no name contains,
     *        because filters under different prefixes could otherwise have the same keys
     *
     * @throws \TypeError if the object is of any other class
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
        $this->connect($client, $prefix, 'RedisStore');
    }

    /**
     * Sends one script for up to 1,000 keys; on a cluster, sends one script per key.
     *
     * @throws StoreException if the client throws, is inside MULTI or PIPELINE, or was connected before a
     *         fork; if the server refuses the script; if the answer is that of another request
     */
    public function getMultiple(array $keys): array
    {
        $found = [];
        foreach ($this->forKeys($keys, 'getMultiple', 'MGET', "return redis.call('MGET', unpack(KEYS))") as [$key, $value]) {
            if (is_string($value)) {
                $found[$key] = $value;
            } elseif ($value !== null && $value !== false) {
                throw self::wrongType('MGET', $value);
            }
        }
        return $found;
    }

    /**
     * Sends one script for up to 1,000 keys; on a cluster, sends one script per key, which takes 0.1 s
     * for 2,000 keys if a round trip takes 0.05 ms.
     *
     * @throws StoreException in the same cases as getMultiple()
     */
    public function missing(array $keys): array
    {
        $missing = [];
        foreach ($this->forKeys($keys, 'missing', 'EXISTS', self::EXISTS) as [$key, $exists]) {
            if (!is_int($exists)) {
                throw self::wrongType('EXISTS', $exists);
            }
            if ($exists === 0) {
                $missing[] = $key;
            }
        }
        return $missing;
    }

    /**
     * The value may have as many bytes as the server's `proto-max-bulk-len` allows, by default 512 MB.
     *
     * @throws StoreException in the same cases as getMultiple(); if the server refuses the value
     */
    public function set(string $key, string $value): void
    {
        $this->forKey($key, "redis.call('SET', KEYS[1], ARGV[4]) return 1", [$value]);
    }

    /**
     * Sends one script. It contains the SHA-1 digest of `$expected`, because a head may be large.
     *
     * @throws StoreException if the client throws, or the server refuses the script or the value
     */
    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->forKey($key, self::REPLACE, [$expected === null ? '' : sha1($expected), $value]) === 1;
    }

    /**
     * Sends one script for up to 1,000 keys; on a cluster, sends one script per key.
     *
     * @throws StoreException in the same cases as getMultiple()
     */
    public function deleteMultiple(array $keys): void
    {
        if ($keys === []) {
            return;
        }
        $names = $this->names(self::strings($keys, 'deleteMultiple'));
        foreach (array_chunk($names, $this->keysPerScript()) as $some) {
            $answer = $this->run('DEL', "return redis.call('DEL', unpack(KEYS))", $some, []);
            if (!is_int($answer)) {
                throw self::wrongType('DEL', $answer);
            }
        }
    }

    private function end(string $journal): array
    {
        $answer = $this->run('XREVRANGE', self::LAST, [$this->prefix() . $journal], []);
        /** @var mixed $id */
        $id = is_array($answer) ? $answer[0] ?? null : null;
        /** @var mixed $record */
        $record = is_array($answer) ? $answer[1] ?? null : null;
        if (!is_string($id) || !is_string($record)) {
            throw self::wrongType('XREVRANGE', $answer);
        }
        return ["$id-" . bin2hex($record === '' ? str_repeat("\0", 8) : substr($record, -8)), $record];
    }

    /** @param list<string> $arguments */
    private function forKey(string $key, string $body, array $arguments): int
    {
        $answer = $this->run('SET', $body, [$this->prefix() . $key], $arguments);
        return is_int($answer) ? $answer : throw self::wrongType('SET', $answer);
    }

    /**
     * Runs a script for all keys, in as few parts as the client allows.
     *
     * @param array<mixed> $keys
     *
     * @return iterable<array{string, mixed}> the keys, each with its result
     */
    private function forKeys(array $keys, string $method, string $command, string $body): iterable
    {
        if ($keys === []) {
            return [];
        }
        $pairs = [];
        $keys = self::strings($keys, $method);
        foreach (array_chunk($keys, $this->keysPerScript()) as $some) {
            $answer = $this->run($command, $body, $this->names($some), []);
            if (!is_array($answer) || !array_is_list($answer) || count($answer) !== count($some)) {
                throw self::wrongType($command, $answer);
            }
            foreach ($some as $at => $key) {
                $pairs[] = [$key, $answer[$at]];
            }
        }
        return $pairs;
    }

    /** @return positive-int how many keys a script may have; 1: they are on several servers */
    private function keysPerScript(): int
    {
        // With a hash tag in the prefix, all keys are on one server.
        if (preg_match('/\A[^{]*\{[^}]+\}/', $this->prefix()) === 1) {
            return Internal\Shop::KEYS_MAX;
        }
        $client = $this->client();
        $isSpread = self::isA($client, 'RedisCluster') || (self::isA($client, 'Predis\ClientInterface') && self::isPredisCluster($client));
        return $isSpread ? 1 : Internal\Shop::KEYS_MAX;
    }

    private static function isPredisCluster(object $client): bool
    {
        $connection = self::invoke($client, 'getConnection');
        return self::isA($connection, 'Predis\Connection\Aggregate\ClusterInterface')
            || self::isA($connection, 'Predis\Connection\Cluster\ClusterInterface');
    }

    /** Returns whether a value is an object of a class, which may not be installed here. */
    private static function isA(mixed $value, string $class): bool
    {
        return $value instanceof $class;
    }

    private function close(object $client): void
    {
        // ext-redis 5 connects again without selecting the database.
        $database = self::isA($client, 'Redis') ? self::ask($client, 'getDbNum') : 0;
        self::ask($client, self::isA($client, 'Predis\ClientInterface') ? 'disconnect' : 'close');
        if (is_int($database) && $database !== 0) {
            self::ask($client, 'select', $database);
        }
    }

    /**
     * Runs a script, and proves that the answer is the answer: see Internal\RedisRequest.
     *
     * @param list<string> $keys
     * @param list<string> $arguments
     */
    private function run(string $command, string $body, array $keys, array $arguments): mixed
    {
        return $this->using(function (object $client) use ($command, $body, $keys, $arguments): mixed {
            $mode = self::isA($client, 'Predis\ClientInterface') ? 0 : self::ask($client, 'getMode');
            if ($mode === 1 || $mode === 2) {
                return self::unusable('it is inside ' . ($mode === 1 ? 'MULTI' : 'PIPELINE')
                    . ' (call exec() or discard() first, or pass a client of its own)');
            }
            return (new Internal\RedisRequest($client, $command, $body, $keys, $arguments))->run();
        });
    }

    private static function wrongType(string $command, mixed $answer): StoreException
    {
        $type = $answer === false ? 'bool' : Keys::type($answer);
        return new StoreException("Redis answered $command with $type (is the key of another program?)", Status::StoreType->value);
    }
}
