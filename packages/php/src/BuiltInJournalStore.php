<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\JournalReader;
use Bloom\Internal\Mark;

/** Checks the arguments, and calls the operations of the subclass. */
abstract class BuiltInJournalStore extends BuiltInStore implements JournalStore
{
    final public function append(string $journal, array $records, ?string $after = null): ?string
    {
        $list = self::checkRecords($records);
        if ($after !== null) {
            self::checkPosition($after, 'append', 3, 'after');
        }
        return $this->appendRecords($journal, $list, $after);
    }

    final public function last(string $journal): array
    {
        return $this->lastRecord($journal);
    }

    final public function read(array $positions, int $limit): array
    {
        self::checkPositions($positions);
        return $this->readRecords($positions, max(1, $limit));
    }

    final public function trim(string $journal, string $position): void
    {
        self::checkPosition($position, 'trim', 2, 'position');
        $this->trimRecords($journal, $position);
    }

    /**
     * @param array<mixed> $records
     *
     * @return non-empty-list<string>
     */
    private static function checkRecords(array $records): array
    {
        foreach ($records as $record) {
            if (!is_string($record)) {
                throw new \TypeError('Bloom\BuiltInJournalStore::append(): Argument #2 ($records) must contain only strings, '
                    . Arguments::type($record) . ' given');
            }
            if (strlen($record) < JournalReader::RECORD_BYTES_MIN || strlen($record) > JournalReader::RECORD_BYTES_MAX
                || substr($record, 4, 4) !== pack('V', strlen($record))) {
                throw Arguments::error('BuiltInJournalStore::append', 2, 'records',
                    'must contain only records of 48 bytes to 1 MiB that begin with their length');
            }
        }
        /** @var non-empty-list<string> */
        return $records !== [] ? array_values($records)
            : throw Arguments::error('BuiltInJournalStore::append', 2, 'records', 'must contain at least one record');
    }

    /** @param array<mixed> $positions */
    private static function checkPositions(array $positions): void
    {
        foreach ($positions as $journal => $position) {
            if (!is_string($journal) || !is_string($position)) {
                throw new \TypeError('Bloom\BuiltInJournalStore::read(): Argument #1 ($positions) must contain only strings, by journal');
            }
            self::checkPosition($position, 'read', 1, 'positions');
        }
    }

    private static function checkPosition(string $position, string $method, int $argument, string $name): void
    {
        if (Mark::pack($position) === null) {
            throw Arguments::error("BuiltInJournalStore::$method", $argument, $name, "must be a position of a journal, \"$position\" given");
        }
    }

    /** @param non-empty-list<string> $records */
    abstract protected function appendRecords(string $journal, array $records, ?string $after): ?string;

    /** @return array{string, string} */
    abstract protected function lastRecord(string $journal): array;

    /**
     * @param array<string, string> $positions
     *
     * @return array<string, array<string, string>|null>
     */
    abstract protected function readRecords(array $positions, int $limit): array;

    abstract protected function trimRecords(string $journal, string $position): void;
}
