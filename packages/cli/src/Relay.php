<?php

namespace Bloom\Cli;

use Bloom\Kit\OutboxException;
use Bloom\Kit\PdoOutbox;
use PDOException;

/** Moves the keys of an outbox to the journals of their filters. */
final class Relay
{
    /** A signal is noticed after at most this many keys. */
    private const KEYS = 10_000;

    private ?PdoOutbox $outbox = null;

    public function __construct(
        private readonly Database $database,
        private readonly string $table,
        private readonly LazyStore $store,
        private readonly float $timeout
    ) {
    }

    /**
     * Moves all keys. After a failure of the database, the next call connects again.
     *
     * @param callable(): bool $isStopped called between batches
     *
     * @return array{int, array<string, Failure>} the number of moved keys, and the failures by the name of the filter
     */
    public function run(callable $isStopped): array
    {
        $all = 0;
        $this->store->reset();
        do {
            [$moved, $failures] = $this->batch();
            $all += $moved;
        } while ($moved === self::KEYS && !$isStopped());
        return [$all, $failures];
    }

    /** @return array{int, array<string, Failure>} */
    private function batch(): array
    {
        try {
            $this->outbox ??= new PdoOutbox($this->database->connect($this->timeout), $this->table);
            return [$this->outbox->relay($this->store, self::KEYS), []];
        } catch (OutboxException $exception) {
            $failures = [];
            foreach ($exception->failures as $name => $failure) {
                $failures[(string) $name] = self::failure((string) $name, $failure);
            }
            return [$exception->moved, $failures];
        } catch (PDOException $exception) {
            $this->outbox = null;
            throw $this->database->failure($exception, self::isMissing($exception)
                ? " (Bloom\\Kit\\PdoOutbox::createTable() creates the table $this->table)" : '');
        }
    }

    /** Returns whether the table does not exist, by the SQLSTATE of MySQL and PostgreSQL or the message of SQLite. */
    private static function isMissing(PDOException $exception): bool
    {
        return in_array($exception->errorInfo[0] ?? null, ['42S02', '42P01'], true) || str_contains($exception->getMessage(), 'no such table');
    }

    private static function failure(string $name, \Throwable $thrown): Failure
    {
        $cause = $thrown->getPrevious();
        $thrown = $cause instanceof Failure ? $cause : $thrown;
        $code = match (true) {
            $thrown instanceof \UnexpectedValueException => ExitCode::TryAgain, // the store does not have the filter
            $thrown instanceof \LengthException, $thrown instanceof \ValueError => ExitCode::CannotCreate,
            default => ExitCode::of($thrown),
        };
        return new Failure($code, Names::reason($name, $thrown), $thrown);
    }
}
