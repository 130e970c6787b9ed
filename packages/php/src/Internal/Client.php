<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;
use Bloom\StoreException;

/**
 * A client that the user connects: an object, or a closure that returns it at the first use. After a failure, its
 * connection could still receive the answer, and take it for that of the next request. So it is closed, and the closure
 * is called again. A forked child never uses a connection of its parent.
 */
trait Client
{
    use Unserializable;

    private object $client;
    /** The client that the closure made */
    private ?object $made = null;
    private string $prefix;
    private int $process = 0;
    private int $turn = 0;

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
        $this->process = self::process();
    }

    /** A copy shares a client that was given, but makes its own if a closure was given. */
    public function __clone()
    {
        $this->made = null;
    }

    private static function process(): int
    {
        return (int) getmypid();
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
        return isset($this->client, $this->prefix) ? ['client' => get_debug_type($this->made ?? $this->client), 'prefix' => $this->prefix] : [];
    }

    /** The type of the result is checked, because ArrayObject can write a value of any type into a property. */
    private function prefix(): string
    {
        return $this->prefix;
    }

    private function client(): object
    {
        $isInherited = $this->process !== self::process();
        if (!$this->client instanceof \Closure) {
            return !$isInherited ? $this->client
                : throw self::inherited($this->client, 'pass a closure that returns a connected client');
        }
        if ($this->made !== null && !$isInherited) {
            return $this->made;
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
        if ($this->process !== self::process()) {
            if ($client === $this->made) {
                throw self::inherited($client, 'let the closure make a new client');
            }
            self::$inherited[] = $this->made;
            $this->made = null;
            $this->process = self::process();
        }
        return $this->made ??= $client;
    }

    /**
     * The destructor of a parent's client could tell the server to end the connection, which the parent still uses.
     *
     * @var list<object|null>
     */
    private static array $inherited = [];

    private static function inherited(object $client, string $remedy): StoreException
    {
        return self::unusable($client::class . " was connected by another process, before a fork ($remedy)");
    }

    private static function unusable(string $why): StoreException
    {
        return new StoreException("the store cannot use its client: $why", Status::StoreClient->value);
    }

    /**
     * Runs one operation. If it throws, the client is closed, and forgotten if a closure made it. An exception that it
     * returns is thrown, but the client stays.
     *
     * @template T
     *
     * @param callable(object): (T|StoreException) $call
     *
     * @return T
     */
    private function using(callable $call): mixed
    {
        $client = $this->client();
        $turn = $this->turn;
        try {
            $answer = $call($client);
        } catch (\Throwable $thrown) {
            if ($turn === $this->turn) {
                $this->turn++;
                $this->made = null;
                $this->close($client);
            }
            throw $thrown instanceof StoreException ? $thrown : self::wrapped($thrown);
        }
        if ($answer instanceof StoreException) {
            throw $answer;
        }
        return $answer;
    }

    private static function wrapped(\Throwable $thrown): StoreException
    {
        $text = rtrim($thrown->getMessage(), "\n");
        return new StoreException('the store failed: ' . $thrown::class . ($text === '' ? '' : ": $text"), Status::Store->value, $thrown);
    }

    /** Closes the connections of a client. */
    abstract private function close(object $client): void;

    /** Calls a method of the client, whose class may not be installed here. */
    private static function invoke(object $client, string $method, mixed ...$arguments): mixed
    {
        /** @psalm-suppress MixedMethodCall */
        return $client->$method(...$arguments); // @phpstan-ignore method.dynamicName
    }

    /** Calls a method about the last command. A failure counts as no answer, so that it hides no other one. */
    private static function ask(object $client, string $method, mixed ...$arguments): mixed
    {
        try {
            return self::invoke($client, $method, ...$arguments);
        } catch (\Throwable) {
            return null;
        }
    }

    /**
     * Runs a call while an option of the client is off.
     *
     * @template T
     *
     * @param callable(): T $call
     *
     * @return T
     */
    private static function without(object $client, int $option, mixed $off, callable $call): mixed
    {
        $before = self::invoke($client, 'getOption', $option);
        if (!(bool) $before) {
            return $call();
        }
        self::ask($client, 'setOption', $option, $off);
        try {
            return $call();
        } finally {
            self::ask($client, 'setOption', $option, $before);
        }
    }
}
