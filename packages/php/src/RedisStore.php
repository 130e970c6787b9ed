<?php

namespace Bloom;

use Bloom\Internal\Keys;

/** A store in Redis or Valkey. It uses your own client. */
final class RedisStore implements JournalStore
{
    use Internal\Client;
    use Internal\NoJournal;

    /** ARGV: the SHA-1 of the expected value, or an empty string if the key must not exist; the new value. */
    private const REPLACE = <<<'LUA'
        local v = redis.call('GET', KEYS[1])
        if ARGV[1] == '' and v or ARGV[1] ~= '' and (not v or redis.sha1hex(v) ~= ARGV[1]) then
          return 0 end
        redis.call('SET', KEYS[1], ARGV[2])
        return 1
        LUA;

    private static function clients(): array
    {
        return ['Redis', 'RedisCluster', 'Predis\ClientInterface'];
    }

    /**
     * @param object $client a connected \Redis, \RedisCluster or \Predis\ClientInterface (also for a
     *        cluster). If the client uses a serializer or compression, publishers and readers must use
     *        the same one. In web requests, pass a \Closure that connects and returns such a client.
     *        The store calls the closure when it is first used, so a request whose filter is current
     *        never connects. If the server is down, only the sync or fetch fails, not the request. If a
     *        fiber uses the store while the closure is suspended in another fiber, both fibers call the
     *        closure, and the store keeps the client that is returned first
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
     * Sends one MGET command; on a cluster, sends one GET command per key.
     *
     * @throws StoreException if the answer has the wrong type
     */
    public function getMultiple(array $keys): array
    {
        if ($keys === []) {
            return [];
        }
        $keys = self::strings($keys, 'getMultiple');
        $names = $this->names($keys);
        $values = $this->keysPerCommand() === 1 ? $this->getEach($names) : $this->getTogether($names);
        $found = [];
        foreach ($keys as $at => $key) {
            $value = $values[$at] ?? false;
            if ($value !== false) {
                $found[$key] = $value;
            }
        }
        /** @var array<string, string|null> the caller checks it */
        return $found;
    }

    /**
     * @param list<string> $names
     *
     * @return array<mixed>
     */
    private function getTogether(array $names): array
    {
        $values = $this->invoke('mget', $names);
        return is_array($values) && count($values) === count($names) ? $values : throw $this->refused('MGET', $values);
    }

    /**
     * @param list<string> $names
     *
     * @return list<mixed>
     */
    private function getEach(array $names): array
    {
        // An error would otherwise look like that of the next command.
        if ($this->keepsError()) {
            $this->ask('clearLastError');
        }
        $values = [];
        foreach ($names as $name) {
            $value = $this->invoke('get', $name);
            if (is_object($value) || ($value === false && $this->lastError() !== null)) {
                throw $this->refused('GET', $value);
            }
            $values[] = $value;
        }
        return $values;
    }

    /**
     * Sends one EXISTS command for all keys, and then halves the list until the keys of each part
     * either all exist or are all missing. On a cluster, sends one EXISTS command per key, which takes
     * 0.1 s for 2,000 keys if a round trip takes 0.05 ms.
     *
     * @throws StoreException if the client throws, or the answer has the wrong type
     */
    public function missing(array $keys): array
    {
        if ($keys === []) {
            return [];
        }
        $keys = self::strings($keys, 'missing');
        $isMissing = $this->tellMissing($this->names($keys), $this->keysPerCommand());
        return array_values(array_filter($keys, fn (int $at): bool => $isMissing[$at], ARRAY_FILTER_USE_KEY));
    }

    /**
     * EXISTS only counts, so the list is halved until the keys of each part either all exist or are all missing.
     *
     * @param list<string> $names
     * @param int $most keys in one command
     *
     * @return list<bool>
     */
    private function tellMissing(array $names, int $most): array
    {
        $count = count($names);
        if ($count > $most) {
            $half = intdiv($count, 2);
            return array_merge($this->tellMissing(array_slice($names, 0, $half), $most),
                $this->tellMissing(array_slice($names, $half), $most));
        }
        $answer = $this->invoke('exists', ...$names);
        $existing = match (true) {
            is_int($answer) => $answer,
            $answer === true, $answer === false && $count === 1 => (int) $answer, // of a cluster
            default => throw $this->refused('EXISTS', $answer),
        };
        return $existing > 0 && $existing < $count ? $this->tellMissing($names, $count - 1)
            : array_fill(0, $count, $existing === 0);
    }

    /** @throws StoreException if the server refuses the value */
    public function set(string $key, string $value): void
    {
        $answer = $this->invoke('set', $this->prefix() . $key, $value);
        if ($answer !== true && !self::isA($answer, 'Predis\Response\Status')) {
            throw $this->refused('SET', $answer);
        }
    }

    /**
     * Sends one script. It contains the SHA-1 digest of `$expected`, because a head may be large.
     *
     * @throws StoreException if the client throws, or the server refuses the script or the value
     */
    public function replace(string $key, ?string $expected, string $value): bool
    {
        $arguments = [$this->prefix() . $key, $expected === null ? '' : sha1($expected), $value];
        if ($this->keepsError()) {
            $this->ask('clearLastError');
        }
        $answer = self::isA($this->client(), 'Predis\ClientInterface')
            ? $this->invoke('eval', self::REPLACE, 1, ...$arguments)
            : $this->invoke('eval', self::REPLACE, $arguments, 1);
        return is_int($answer) ? $answer === 1 : throw $this->refused('EVAL', $answer);
    }

    /**
     * Sends one DEL command for up to 1,000 keys; on a cluster, sends one DEL command per key.
     *
     * @throws StoreException if the client throws, or the answer has the wrong type
     */
    public function deleteMultiple(array $keys): void
    {
        if ($keys === []) {
            return;
        }
        $names = $this->names(self::strings($keys, 'deleteMultiple'));
        foreach (array_chunk($names, $this->keysPerCommand()) as $some) {
            $answer = $this->invoke('del', ...$some);
            if (!is_int($answer)) {
                throw $this->refused('DEL', $answer);
            }
        }
    }

    /** @return positive-int how many keys a command may have; 1: they are on several servers */
    private function keysPerCommand(): int
    {
        // With a hash tag in the prefix, all keys are on one server.
        $isSpread = preg_match('/\A[^{]*\{[^}]+\}/', $this->prefix()) !== 1
            && (self::isA($this->client(), 'RedisCluster') || (!$this->keepsError() && $this->isPredisCluster()));
        return $isSpread ? 1 : Internal\Shop::KEYS_MAX;
    }

    private function isPredisCluster(): bool
    {
        $connection = $this->invoke('getConnection');
        return self::isA($connection, 'Predis\Connection\Aggregate\ClusterInterface')
            || self::isA($connection, 'Predis\Connection\Cluster\ClusterInterface');
    }

    /** Returns whether a value is an object of a class, which may not be installed here. */
    private static function isA(mixed $value, string $class): bool
    {
        return $value instanceof $class;
    }

    /** The clients of the extension redis return false for an error, and keep its text. */
    private function keepsError(): bool
    {
        return !self::isA($this->client(), 'Predis\ClientInterface');
    }

    private function lastError(): ?string
    {
        $error = $this->keepsError() ? $this->ask('getLastError') : null;
        // The text ends at the first null byte.
        return is_string($error) ? explode("\0", $error, 2)[0] : null;
    }

    private function refused(string $command, mixed $answer): StoreException
    {
        $isError = $answer instanceof \Stringable && self::isA($answer, 'Predis\Response\ErrorInterface');
        $error = $answer === false ? $this->lastError() : ($isError ? (string) $answer : null);
        return $error !== null
            ? new StoreException("the store failed: Redis answered $command with $error", Status::Store->value)
            : new StoreException("Redis answered $command with " . ($answer === false ? 'false' : Keys::type($answer))
                . ' (an error, or a client inside MULTI or PIPELINE)', Status::StoreType->value);
    }
}
