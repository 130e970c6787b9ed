<?php

namespace Bloom\Cli;

use Bloom\JournalStore;
use Bloom\StoreException;

/** A Redis store that says so if the server did not answer in time or requires a password. Clients have words of their own. */
final class TimedStore implements JournalStore
{
    /** A client may give up a little before the limit. */
    private const TOLERANCE = 0.95;

    /** How RedisStore begins if the client has neither an answer nor an error. */
    private const NO_ANSWER = 'the store failed: Redis did not answer ';

    public function __construct(
        private readonly JournalStore $store,
        private readonly string $shown,
        private readonly float $timeout
    ) {
    }

    /**
     * Calls a client. If it fails after the time limit, throws an exception with that reason.
     *
     * @template T
     *
     * @param callable(): T $call
     *
     * @return T
     */
    public static function ask(string $shown, float $timeout, callable $call): mixed
    {
        $begin = hrtime(true);
        try {
            return $call();
        } catch (\Throwable $thrown) {
            $isLate = (hrtime(true) - $begin) / 1e9 >= $timeout * self::TOLERANCE;
            $message = $thrown->getMessage();
            $why = match (true) {
                $isLate => "the store $shown did not answer within $timeout s (--timeout raises the limit)",
                str_contains($message, 'NOAUTH ') => "the store $shown requires a password: put it into the environment variable REDISCLI_AUTH",
                str_starts_with($message, self::NO_ANSWER) => "the store $shown closed the connection, or is not a Redis server: $message",
                default => throw $thrown,
            };
            throw $thrown instanceof Failure ? new Failure($thrown->exitCode, $why, $thrown) : new StoreException($why, 0, $thrown);
        }
    }

    public function getMultiple(array $keys): array
    {
        return self::ask($this->shown, $this->timeout, fn (): array => $this->store->getMultiple($keys));
    }

    public function missing(array $keys): array
    {
        return self::ask($this->shown, $this->timeout, fn (): array => $this->store->missing($keys));
    }

    public function set(string $key, string $value): void
    {
        self::ask($this->shown, $this->timeout, fn () => $this->store->set($key, $value));
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        return self::ask($this->shown, $this->timeout, fn (): bool => $this->store->replace($key, $expected, $value));
    }

    public function deleteMultiple(array $keys): void
    {
        self::ask($this->shown, $this->timeout, fn () => $this->store->deleteMultiple($keys));
    }

    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        return self::ask($this->shown, $this->timeout, fn (): ?string => $this->store->append($journal, $records, $after));
    }

    public function last(string $journal): array
    {
        return self::ask($this->shown, $this->timeout, fn (): array => $this->store->last($journal));
    }

    public function read(array $positions, int $limit): array
    {
        return self::ask($this->shown, $this->timeout, fn (): array => $this->store->read($positions, $limit));
    }

    public function trim(string $journal, string $position): void
    {
        self::ask($this->shown, $this->timeout, fn () => $this->store->trim($journal, $position));
    }
}
