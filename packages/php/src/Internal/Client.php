<?php

namespace Bloom\Internal;

use Bloom\BloomException;

/**
 * A client that the user connects: an object, or a closure that returns it at the first use.
 *
 * @internal
 */
trait Client
{
    use Unserializable;

    private object $client;
    private string $prefix;

    /** @return non-empty-list<string> the classes of clients, which may not be installed here */
    abstract private static function clients(): array;

    private function connect(object $client, string $prefix, string $class): void
    {
        if (isset($this->client)) {
            throw new BloomException('This store is already constructed');
        }
        $isClient = $client instanceof \Closure || self::isClient($client);
        if (!$isClient) {
            throw new \TypeError("Bloom\\$class::__construct(): Argument #1 (\$client) must be of type "
                . implode('|', self::clients()) . '|Closure, ' . get_debug_type($client) . ' given');
        }
        $this->client = $client;
        $this->prefix = $prefix;
    }

    /**
     * @phpstan-assert-if-true =object $client
     *
     * @psalm-assert-if-true object $client
     */
    private static function isClient(mixed $client): bool
    {
        foreach (self::clients() as $class) {
            if ($client instanceof $class) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks keys and copies them: references in the caller's array could change during a call.
     *
     * @param array<mixed> $keys
     *
     * @return list<string>
     */
    private static function strings(array $keys, string $method): array
    {
        $strings = [];
        foreach ($keys as $key) {
            $strings[] = is_string($key) ? $key : throw new \TypeError(self::class . "::$method(): "
                . 'Argument #1 ($keys) must contain only strings, ' . Keys::type($key) . ' given');
        }
        return $strings;
    }

    /**
     * @param list<string> $keys
     *
     * @return list<string>
     */
    private function names(array $keys): array
    {
        return array_map(fn (string $key): string => $this->prefix() . $key, $keys);
    }

    /** @return array<string, mixed> what var_dump() shows: only the class of the client, which may contain a password */
    public function __debugInfo(): array
    {
        return isset($this->client, $this->prefix) ? ['client' => get_debug_type($this->client), 'prefix' => $this->prefix] : [];
    }

    /** The type of the result is checked, because ArrayObject can write a value of any type into a property. */
    private function prefix(): string
    {
        return $this->prefix;
    }

    private function client(): object
    {
        if (!$this->client instanceof \Closure) {
            return $this->client;
        }
        $client = ($this->client)();
        if (!self::isClient($client)) {
            throw new \TypeError(self::class . ': the closure must return ' . implode('|', self::clients()) . ', ' . Keys::type($client)
                . ' returned');
        }
        return $this->keep($client);
    }

    /** Another fiber may have connected while this one was suspended: the client that came first stays. */
    private function keep(object $client): object
    {
        if ($this->client instanceof \Closure) {
            $this->client = $client;
        }
        return $this->client;
    }

    /** Calls a method of the client, whose class may not be installed here. */
    private function invoke(string $method, mixed ...$arguments): mixed
    {
        /** @psalm-suppress MixedMethodCall */
        return $this->client()->$method(...$arguments); // @phpstan-ignore method.dynamicName
    }

    /** Calls a method about the last command. A failure counts as no answer, so that it hides no other one. */
    private function ask(string $method): mixed
    {
        try {
            return $this->invoke($method);
        } catch (\Throwable) {
            return null;
        }
    }
}
