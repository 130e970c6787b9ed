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

    public function __construct(object $client, string $prefix = 'bloom:')
    {
        if (strlen($prefix) > self::PREFIX_BYTES_MAX || preg_match('/\A[!-~]*\z/', $prefix) !== 1) {
            throw new \ValueError('Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be at most '
                . self::PREFIX_BYTES_MAX . ' bytes of printable ASCII without spaces');
        }
        $this->connect($client, $prefix, 'MemcachedStore');
    }

    /** Sends one get for all keys. */
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
        return $this->using(function (object $client) use ($names): array|StoreException {
            $refusal = self::refusal($client, false);
            if ($refusal !== null) {
                return $refusal;
            }
            $answer = self::invoke($client, 'getMulti', $names);
            if (!is_array($answer) || !self::isWell($client, 'getResultCode')) {
                throw self::refused($client, 'get', 'getResultMessage');
            }
            // If there are several servers, the call succeeds as soon as one of them answers.
            if (count($answer) < count($names) && !self::isWell($client, 'getLastErrorCode')) {
                throw self::refused($client, 'get', 'getLastErrorMessage');
            }
            return array_diff_key($answer, array_fill_keys($names, true)) === [] ? $answer
                : throw new StoreException('Memcached answered get with a key that was not asked for', Status::StoreType->value);
        });
    }

    private function close(object $client): void
    {
        self::ask($client, 'quit');
    }

    /** Refuses a client that changes keys, or that does not wait for the answer to a write. */
    private static function refusal(object $client, bool $isWrite): ?StoreException
    {
        if ((bool) self::invoke($client, 'getOption', self::constant($client, 'OPT_PREFIX_KEY'))) {
            return self::unusable('its option OPT_PREFIX_KEY changes every key (unset it, and pass the prefix to MemcachedStore)');
        }
        foreach ($isWrite ? ['OPT_BUFFER_WRITES', 'OPT_NOREPLY'] : [] as $option) {
            if ((bool) self::invoke($client, 'getOption', self::constant($client, $option))) {
                return self::unusable("with its option $option it cannot report whether a value was stored (turn it off)");
            }
        }
        return null;
    }

    /**
     * Runs a write, which stores plain bytes: the client's compression is off until it ends.
     *
     * @template T
     *
     * @param callable(object): T $call
     *
     * @return T
     */
    private function write(callable $call): mixed
    {
        return $this->using(static fn (object $client): mixed => self::refusal($client, true)
            ?? self::without($client, self::constant($client, 'OPT_COMPRESSION'), false, static fn (): mixed => $call($client)));
    }

    /** Memcached has no existence check, so missing() fetches all values, 16 at a time, and discards them. */
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

    public function set(string $key, string $value): void
    {
        $name = $this->prefix() . $key;
        self::checkName($name, 'set', 'key');
        $this->write(static function (object $client) use ($name, $key, $value): void {
            if (self::invoke($client, 'set', $name, $value, 0) !== true) {
                throw self::refusedValue($client, $key, $value);
            }
        });
    }

    private static function refusedValue(object $client, string $key, string $value): StoreException
    {
        $isTooLarge = self::number($client, 'getResultCode') === self::constant($client, 'RES_E2BIG')
            || strlen($value) > self::ITEM_BYTES_MAX;
        return $isTooLarge ? self::tooLarge($key, strlen($value)) : self::refused($client, 'set', 'getResultMessage');
    }

    /** Sends get and then cas with the token of that answer, or add if `$expected` is null. */
    public function replace(string $key, ?string $expected, string $value): bool
    {
        $name = $this->prefix() . $key;
        self::checkName($name, 'replace', 'key');
        return $this->write(static function (object $client) use ($name, $key, $expected, $value): bool {
            if ($expected === null) {
                $isReplaced = self::invoke($client, 'add', $name, $value, 0);
            } else {
                $found = self::invoke($client, 'get', $name, null, self::constant($client, 'GET_EXTENDED'));
                if (!is_array($found) && !self::isWell($client, 'getResultCode')) {
                    throw self::refused($client, 'get', 'getResultMessage');
                }
                if (!is_array($found) || ($found['value'] ?? null) !== $expected) {
                    return false;
                }
                $isReplaced = self::invoke($client, 'cas', $found['cas'] ?? 0, $name, $value, 0);
            }
            $refusals = [self::constant($client, $expected === null ? 'RES_NOTSTORED' : 'RES_DATA_EXISTS'), self::constant($client, 'RES_NOTFOUND')];
            if ($isReplaced !== true && !in_array(self::number($client, 'getResultCode'), $refusals, true)) {
                throw self::refusedValue($client, $key, $value);
            }
            return $isReplaced === true;
        });
    }

    private static function tooLarge(string $key, int $bytes): StoreException
    {
        $isChunk = preg_match('/:[0-9a-f]{32}\z/', $key) === 1;
        return new StoreException(sprintf("the store failed: %s: %d bytes exceed Memcached's item size, by default "
            . '1 MB (raise it with the option -I, or build with %s)', $key, $bytes, $isChunk ? 'smaller chunkBytes'
            : 'larger shardBytes and chunkBytes, for a smaller head'), Status::Store->value);
    }

    public function deleteMultiple(array $keys): void
    {
        $names = $this->checked($keys, 'deleteMultiple')[1];
        if ($names === []) {
            return;
        }
        $this->write(static function (object $client) use ($names): void {
            foreach ($names as $name) {
                if (self::invoke($client, 'delete', $name) !== true && !self::isWell($client, 'getResultCode')) {
                    throw self::refused($client, 'delete', 'getResultMessage');
                }
            }
        });
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
    private static function constant(object $client, string $name): int
    {
        $name = $client::class . "::$name";
        $value = defined($name) ? constant($name) : null;
        return is_int($value) ? $value : -1;
    }

    private static function number(object $client, string $method): int
    {
        $answer = self::ask($client, $method);
        return is_int($answer) ? $answer : 0;
    }

    /** Returns whether the last call succeeded or found nothing. */
    private static function isWell(object $client, string $method): bool
    {
        $code = self::number($client, $method);
        return $code === self::constant($client, 'RES_SUCCESS') || $code === self::constant($client, 'RES_NOTFOUND');
    }

    /** @param string $method of the client: which of its errors it tells */
    private static function refused(object $client, string $command, string $method): StoreException
    {
        $text = self::ask($client, $method);
        // Only REASON of "(0x…) REASON,  host: … -> ./source.cc:1".
        $text = is_string($text) ? (string) preg_replace(['/\A\(0x\S* /', '/ -> .*\z/s'], '', $text) : 'nothing';
        return new StoreException("the store failed: Memcached answered $command with $text", Status::Store->value);
    }
}
