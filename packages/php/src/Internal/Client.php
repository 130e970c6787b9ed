<?php

namespace Bloom\Internal;

use Bloom\Status;
use Bloom\StoreException;

/**
 * A client that the user connects: an object, or a closure that returns it at the first use. After a failure, its
 * connection could still receive the answer, and take it for that of the next request. So it is closed, and the closure
 * is called again. A forked child never uses a connection of its parent.
 */
trait Client
{
    private object $client;
    private string $prefix;
    /** The client that the closure made, or that was given */
    private ?object $made = null;
    private int $process = 0;
    /** @var list<object> The destructor of a parent's client could end the connection, which the parent still uses. */
    private static array $inherited = [];

    /** @return list<string> the classes of clients that the store can use */
    abstract private static function clients(): array;

    /** Closes the connections of a client. */
    abstract private function close(object $client): void;

    private function connect(object $client, string $prefix): void
    {
        if (!$client instanceof \Closure && !self::isClient($client)) {
            throw new \TypeError(self::class . '::__construct(): Argument #1 ($client) must be of type '
                . implode('|', self::clients()) . '|Closure, ' . get_debug_type($client) . ' given');
        }
        $this->client = $client;
        $this->prefix = $prefix;
        $this->made = $client instanceof \Closure ? null : $client;
        $this->process = (int) getmypid();
    }

    /** @return array<string, mixed> what var_dump() shows: only the class of the client, which may contain a password */
    public function __debugInfo(): array
    {
        return ['client' => get_debug_type($this->made ?? $this->client), 'prefix' => $this->prefix];
    }

    private static function isClient(mixed $client): bool
    {
        return array_filter(self::clients(), static fn (string $class): bool => $client instanceof $class) !== [];
    }

    private function client(): object
    {
        if ($this->made !== null && $this->process === (int) getmypid()) {
            return $this->made;
        }
        $made = $this->client instanceof \Closure ? ($this->client)() : $this->client;
        if (!is_object($made) || !self::isClient($made)) {
            throw new \TypeError(self::class . ': the closure must return ' . implode('|', self::clients()) . ', '
                . Arguments::type($made) . ' returned');
        }
        if ($this->made !== null && $this->process === (int) getmypid()) {
            return $this->made; // another fiber was faster
        }
        if ($this->made === $made) {
            throw self::unusable($made::class . ' was connected by another process, before a fork ('
                . ($this->client instanceof \Closure ? 'let the closure make a new client)'
                    : 'pass a closure that returns a connected client)'));
        }
        if ($this->made !== null) {
            self::$inherited[] = $this->made;
        }
        $this->process = (int) getmypid();
        return $this->made = $made;
    }

    private static function unusable(string $why): StoreException
    {
        return new StoreException("the store cannot use its client: $why", Status::StoreClient->value);
    }

    /**
     * Runs one operation. If it throws, the client is closed, and forgotten if a closure made it.
     *
     * @template T
     *
     * @param callable(object): T $call
     *
     * @return T
     */
    private function using(callable $call): mixed
    {
        $client = $this->client();
        try {
            return $call($client);
        } catch (\Throwable $thrown) {
            if ($thrown->getCode() !== Status::StoreClient->value) {
                $this->made = $this->client instanceof \Closure ? null : $this->made;
                $this->close($client);
            }
            throw $thrown instanceof StoreException ? $thrown : Failure::ofStore($thrown);
        }
    }

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
}
