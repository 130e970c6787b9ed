<?php

namespace Bloom;

use Bloom\Internal\Arguments;

/** A store in Memcached. It uses your own ext-memcached client. */
final class MemcachedStore extends BuiltInStore
{
    use Internal\Client;

    private const KEY_BYTES_MAX = 250;
    private const PREFIX_BYTES_MAX = self::KEY_BYTES_MAX - 128 - 33;
    private const ITEM_BYTES_MAX = (1 << 20) - 512; // Memcached's default minus its overhead
    private const MISSING_BATCH = 16;

    public function __construct(object $client, string $prefix = 'bloom:')
    {
        if (strlen($prefix) > self::PREFIX_BYTES_MAX || preg_match('/\A[!-~]*\z/', $prefix) !== 1) {
            throw Arguments::error('MemcachedStore::__construct', 'prefix',
                'must be at most ' . self::PREFIX_BYTES_MAX . ' bytes of printable ASCII without spaces');
        }
        $this->connect($client, $prefix);
    }

    protected function requirement(string $key): ?string
    {
        // The client treats an invalid key as missing.
        return preg_match('/\A[!-~]{1,' . self::KEY_BYTES_MAX . '}\z/', $this->prefix . $key) === 1 ? null
            : 'with the prefix must be 1 to ' . self::KEY_BYTES_MAX . ' bytes of printable ASCII without spaces';
    }

    protected function values(array $keys): array
    {
        $names = $this->names($keys);
        $values = [];
        foreach ($this->get($names) as $name => $value) {
            $values[array_search($name, $names, true)] = $value;
        }
        /** @var array<string, string|null> the caller checks it */
        return $values;
    }

    /**
     * @param array<array-key, string> $names
     *
     * @return array<string, mixed>
     */
    private function get(array $names): array
    {
        return $this->using(static function (object $client) use ($names): array {
            self::refuse($client, false);
            $answer = $names === [] ? [] : self::invoke($client, 'getMulti', array_values($names));
            // If there are several servers, the call succeeds as soon as one of them answers.
            if (!is_array($answer) || ($names !== [] && !self::isWell($client, 'getResultCode'))
                || (count($answer) < count($names) && !self::isWell($client, 'getLastErrorCode'))) {
                throw self::failed($client, 'get');
            }
            /** @var array<string, mixed> */
            return array_diff_key($answer, array_flip($names)) === [] ? $answer
                : throw new StoreException('Memcached answered get with a key that was not asked for',
                    Status::StoreType->value);
        });
    }

    protected function absent(array $keys): array
    {
        $missing = [];
        foreach (array_chunk($this->names($keys), self::MISSING_BATCH, true) as $some) {
            $missing += array_diff($some, array_keys($this->get($some)));
        }
        return array_map(strval(...), array_keys($missing));
    }

    protected function put(string $key, string $value): void
    {
        $name = $this->prefix . $key;
        $this->write(static function (object $client) use ($name, $key, $value): void {
            if (self::invoke($client, 'set', $name, $value, 0) !== true) {
                throw self::failed($client, 'set', $key, $value);
            }
        });
    }

    protected function exchange(string $key, ?string $expected, string $value): bool
    {
        $name = $this->prefix . $key;
        return $this->write(static function (object $client) use ($name, $key, $expected, $value): bool {
            if ($expected === null) {
                $isReplaced = self::invoke($client, 'add', $name, $value, 0);
            } else {
                $found = self::invoke($client, 'get', $name, null, self::constant($client, 'GET_EXTENDED'));
                if (!is_array($found) && !self::isWell($client, 'getResultCode')) {
                    throw self::failed($client, 'get');
                }
                if (!is_array($found) || ($found['value'] ?? null) !== $expected) {
                    return false;
                }
                $isReplaced = self::invoke($client, 'cas', $found['cas'] ?? 0, $name, $value, 0);
            }
            $refusals = array_map(static fn (string $code): int => self::constant($client, $code),
                [$expected === null ? 'RES_NOTSTORED' : 'RES_DATA_EXISTS', 'RES_NOTFOUND']);
            if ($isReplaced !== true && !in_array(self::ask($client, 'getResultCode'), $refusals, true)) {
                throw self::failed($client, 'set', $key, $value);
            }
            return $isReplaced === true;
        });
    }

    protected function delete(array $keys): void
    {
        $names = $this->names($keys);
        $this->write(static function (object $client) use ($names): void {
            foreach ($names as $name) {
                if (self::invoke($client, 'delete', $name) !== true && !self::isWell($client, 'getResultCode')) {
                    throw self::failed($client, 'delete');
                }
            }
        });
    }

    private static function clients(): array
    {
        return ['Memcached'];
    }

    private function close(object $client): void
    {
        self::ask($client, 'quit');
    }

    /** Refuses a client that changes keys, or that does not wait for the answer to a write. */
    private static function refuse(object $client, bool $isWrite): void
    {
        foreach (['OPT_PREFIX_KEY', ...($isWrite ? ['OPT_BUFFER_WRITES', 'OPT_NOREPLY'] : [])] as $option) {
            if ((bool) self::invoke($client, 'getOption', self::constant($client, $option))) {
                throw self::unusable($option === 'OPT_PREFIX_KEY'
                    ? 'its option OPT_PREFIX_KEY changes every key (unset it, and pass the prefix to MemcachedStore)'
                    : "with its option $option it cannot report whether a value was stored (turn it off)");
            }
        }
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
        return $this->using(static function (object $client) use ($call): mixed {
            self::refuse($client, true);
            $option = self::constant($client, 'OPT_COMPRESSION');
            $before = self::invoke($client, 'getOption', $option);
            self::ask($client, 'setOption', $option, false);
            try {
                return $call($client);
            } finally {
                self::ask($client, 'setOption', $option, $before);
            }
        });
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, string> the keys with the prefix, by key
     */
    private function names(array $keys): array
    {
        return array_combine($keys, array_map(fn (string $key): string => $this->prefix . $key, $keys));
    }

    /** Returns the value of a constant of the client's class; -1: it has none. */
    private static function constant(object $client, string $name): int
    {
        $value = defined($client::class . "::$name") ? constant($client::class . "::$name") : null;
        return is_int($value) ? $value : -1;
    }

    /** Returns whether the last call succeeded or found nothing. */
    private static function isWell(object $client, string $method): bool
    {
        $codes = [self::constant($client, 'RES_SUCCESS'), self::constant($client, 'RES_NOTFOUND')];
        return in_array(self::ask($client, $method) ?? 0, $codes, true);
    }

    private static function failed(object $client, string $command, string $key = '', string $value = ''): StoreException
    {
        if (self::ask($client, 'getResultCode') === self::constant($client, 'RES_E2BIG')
            || strlen($value) > self::ITEM_BYTES_MAX) {
            $isChunk = preg_match('/:[0-9a-f]{32}\z/', $key) === 1;
            $remedy = $isChunk ? 'smaller chunkBytes' : 'larger shardBytes and chunkBytes, for a smaller head';
            return new StoreException(sprintf("the store failed: %s: %d bytes exceed Memcached's item size, by default "
                . '1 MB (raise it with the option -I, or build with %s)', $key, strlen($value), $remedy),
                    Status::Store->value);
        }
        $text = self::ask($client, 'getResultMessage');
        $text = is_string($text) ? $text : 'nothing';
        return new StoreException("the store failed: Memcached answered $command with $text", Status::Store->value);
    }
}
