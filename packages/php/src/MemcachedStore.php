<?php

namespace Bloom;

/** A store in Memcached. It uses your own ext-memcached client. */
final class MemcachedStore implements Store
{
    use Internal\Client;

    private static function clients(): array
    {
        return ['Memcached'];
    }
    private const KEY_BYTES_MAX = 250;
    private const ITEM_BYTES_MAX = (1 << 20) - 512; // Memcached's default minus its overhead
    private const MISSING_BATCH = 16;
    private const PREFIX_BYTES_MAX = self::KEY_BYTES_MAX - 128 - 33;

    /**
     * @param object $client a \Memcached object with its servers. OPT_NOREPLY and OPT_BUFFER_WRITES
     *        must be off, because the store needs the server's answers. Turn OPT_COMPRESSION off:
     *        compression does not make filters smaller, and it slows down publishing. Publishers and
     *        readers must use the same serializer, compression and distribution. A \Closure that
     *        returns such a client is also accepted; see RedisStore
     * @param string $prefix prepended to every key: at most 89 bytes of printable ASCII without spaces
     *
     * @throws \TypeError if the object is of any other class
     * @throws \ValueError if keys with this prefix are not valid Memcached keys
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
        if (strlen($prefix) > self::PREFIX_BYTES_MAX || preg_match('/\A[!-~]*\z/', $prefix) !== 1) {
            throw new \ValueError('Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be at most '
                . self::PREFIX_BYTES_MAX . ' bytes of printable ASCII without spaces');
        }
        $this->connect($client, $prefix, 'MemcachedStore');
    }

    /**
     * Sends one get for all keys.
     *
     * @throws StoreException if the server of any key fails, even if the other servers answer
     */
    public function getMultiple(array $keys): array
    {
        if ($keys === []) {
            return [];
        }
        [$keys, $names] = $this->checked($keys, 'getMultiple');
        $answer = $this->get($names);
        $values = [];
        foreach ($keys as $at => $key) {
            if (isset($answer[$names[$at]])) {
                $values[$key] = $answer[$names[$at]];
            }
        }
        /** @var array<string, string|null> the caller checks it */
        return $values;
    }

    /**
     * @param list<string> $names
     *
     * @return array<mixed>
     */
    private function get(array $names): array
    {
        $answer = $this->invoke('getMulti', $names);
        if (!is_array($answer) || !$this->isWell('getResultCode')) {
            throw $this->refused('get', 'getResultMessage');
        }
        // If there are several servers, the call succeeds as soon as one of them answers.
        if (count($answer) < count($names) && !$this->isWell('getLastErrorCode')) {
            throw $this->refused('get', 'getLastErrorMessage');
        }
        return $answer;
    }

    /**
     * Memcached has no existence check, so missing() fetches all values, 16 at a time, and discards
     * them.
     *
     * @throws StoreException if a server fails
     */
    public function missing(array $keys): array
    {
        [$keys, $names] = $this->checked($keys, 'missing');
        $absent = array_fill_keys($names, true);
        foreach (array_chunk($names, self::MISSING_BATCH) as $some) {
            $absent = array_diff_key($absent, $this->get($some));
        }
        $isAbsent = fn (int $at): bool => isset($absent[$names[$at]]);
        return array_values(array_filter($keys, $isAbsent, ARRAY_FILTER_USE_KEY));
    }

    /** @throws StoreException if the server refuses the value, for example because it exceeds the item size */
    public function set(string $key, string $value): void
    {
        $this->checkOptions();
        $name = $this->prefix() . $key;
        self::checkName($name, 'set', 'key');
        if ($this->invoke('set', $name, $value, 0) !== true) {
            throw $this->refusedValue($key, $value);
        }
    }

    private function checkOptions(): void
    {
        // A client that does not wait for the answer cannot report whether a value was stored.
        foreach (['OPT_BUFFER_WRITES', 'OPT_NOREPLY'] as $option) {
            if ((bool) $this->invoke('getOption', $this->constant($option))) {
                throw new StoreException('the store failed: the Memcached client cannot report whether a value was '
                    . "stored (disable its option $option)", Status::Store->value);
            }
        }
    }

    private function refusedValue(string $key, string $value): StoreException
    {
        $isTooLarge = $this->number('getResultCode') === $this->constant('RES_E2BIG')
            || strlen($value) > self::ITEM_BYTES_MAX;
        return $isTooLarge ? self::tooLarge($key, strlen($value)) : $this->refused('set', 'getResultMessage');
    }

    /**
     * Sends get and then cas with the token of that answer, or add if `$expected` is null.
     *
     * @throws StoreException if the server fails or refuses the value
     */
    public function replace(string $key, ?string $expected, string $value): bool
    {
        $this->checkOptions();
        $name = $this->prefix() . $key;
        self::checkName($name, 'replace', 'key');
        if ($expected === null) {
            $isReplaced = $this->invoke('add', $name, $value, 0);
        } else {
            $found = $this->invoke('get', $name, null, $this->constant('GET_EXTENDED'));
            if (!is_array($found) && !$this->isWell('getResultCode')) {
                throw $this->refused('get', 'getResultMessage');
            }
            if (!is_array($found) || ($found['value'] ?? null) !== $expected) {
                return false;
            }
            $isReplaced = $this->invoke('cas', $found['cas'] ?? 0, $name, $value, 0);
        }
        $refusals = [$this->constant($expected === null ? 'RES_NOTSTORED' : 'RES_DATA_EXISTS'), $this->constant('RES_NOTFOUND')];
        if ($isReplaced !== true && !in_array($this->number('getResultCode'), $refusals, true)) {
            throw $this->refusedValue($key, $value);
        }
        return $isReplaced === true;
    }

    private static function tooLarge(string $key, int $bytes): StoreException
    {
        $isChunk = preg_match('/:[0-9a-f]{32}\z/', $key) === 1;
        return new StoreException(sprintf("the store failed: %s: %d bytes exceed Memcached's item size, by default "
            . '1 MB (raise it with the option -I, or build with %s)', $key, $bytes, $isChunk ? 'smaller chunkBytes'
            : 'larger shardBytes and chunkBytes, for a smaller head'), Status::Store->value);
    }

    /** @throws StoreException if a server fails */
    public function deleteMultiple(array $keys): void
    {
        foreach ($this->checked($keys, 'deleteMultiple')[1] as $name) {
            if ($this->invoke('delete', $name) !== true && !$this->isWell('getResultCode')) {
                throw $this->refused('delete', 'getResultMessage');
            }
        }
    }

    /**
     * Checks the keys first, because the client treats invalid keys as missing.
     *
     * @param array<mixed> $keys
     *
     * @return array{list<string>, list<string>} the keys, without and with the prefix
     */
    private function checked(array $keys, string $method): array
    {
        $keys = self::strings($keys, $method);
        $names = $this->names($keys);
        foreach ($names as $name) {
            self::checkName($name, $method, 'keys');
        }
        return [$keys, $names];
    }

    private static function checkName(string $name, string $method, string $argument): void
    {
        if ($name === '' || strlen($name) > self::KEY_BYTES_MAX || preg_match('/\A[!-~]*\z/', $name) !== 1) {
            throw new \ValueError("Bloom\\MemcachedStore::$method(): Argument #1 (\$$argument) with the prefix must be 1 to "
                . self::KEY_BYTES_MAX . ' bytes of printable ASCII without spaces');
        }
    }

    /** Returns the value of a constant of the client's class; -1: it has none. */
    private function constant(string $name): int
    {
        $name = $this->client()::class . "::$name";
        $value = defined($name) ? constant($name) : null;
        return is_int($value) ? $value : -1;
    }

    private function number(string $method): int
    {
        $answer = $this->ask($method);
        return is_int($answer) ? $answer : 0;
    }

    /** Returns whether the last call succeeded or found nothing. */
    private function isWell(string $method): bool
    {
        $code = $this->number($method);
        return $code === $this->constant('RES_SUCCESS') || $code === $this->constant('RES_NOTFOUND');
    }

    /** @param string $method of the client: which of its errors it tells */
    private function refused(string $command, string $method): StoreException
    {
        $text = $this->ask($method);
        // Only REASON of "(0x…) REASON,  host: … -> ./source.cc:1".
        $text = is_string($text) ? (string) preg_replace(['/\A\(0x\S* /', '/ -> .*\z/s'], '', $text) : 'nothing';
        return new StoreException("the store failed: Memcached answered $command with $text", Status::Store->value);
    }
}
