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
        foreach ($records as $record) {
            $bytes = is_string($record) ? strlen($record) : throw self::notStrings('append', 'records');
            if ($bytes < JournalReader::RECORD_BYTES_MIN || $bytes > JournalReader::RECORD_BYTES_MAX
                || substr($record, 4, 4) !== pack('V', $bytes)) {
                throw Arguments::error('BuiltInJournalStore::append', 'records',
                    'must contain only records of 48 bytes to 1 MiB that begin with their length');
            }
        }
        if ($records === []) {
            throw Arguments::error('BuiltInJournalStore::append', 'records', 'must contain at least one record');
        }
        if ($after !== null) {
            self::checkPosition($after, 'append', 'after');
        }
        /** @psalm-suppress RedundantFunctionCall the caller may pass any array */
        return $this->appendRecords($journal, array_values($records), $after);
    }

    final public function last(string $journal): array
    {
        return $this->lastRecord($journal);
    }

    final public function read(array $positions, int $limit): array
    {
        foreach ($positions as $journal => $position) {
            if (!is_string($journal) || !is_string($position)) {
                throw self::notStrings('read', 'positions');
            }
            self::checkPosition($position, 'read', 'positions');
        }
        return $this->readRecords($positions, max(1, $limit));
    }

    final public function trim(string $journal, string $position): void
    {
        self::checkPosition($position, 'trim', 'position');
        $this->trimRecords($journal, $position);
    }

    private static function notStrings(string $method, string $argument): \TypeError
    {
        return new \TypeError(Arguments::error("BuiltInJournalStore::$method", $argument,
            'must contain only strings')->getMessage());
    }

    private static function checkPosition(string $position, string $method, string $argument): void
    {
        if (Mark::pack($position) === null) {
            throw Arguments::error("BuiltInJournalStore::$method", $argument,
                "must be a position of a journal, \"$position\" given");
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
