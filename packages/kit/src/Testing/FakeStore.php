<?php

declare(strict_types=1);

namespace Bloom\Kit\Testing;

use Bloom\Journal;
use Bloom\JournalStore;
use Bloom\Kit\Fold;
use PHPUnit\Framework\Assert;

/** A store in the memory of a test, which can say what was added to journals. */
final class FakeStore implements JournalStore
{
    private const KEYS = 1;
    private const END = 4;

    /** @var array<string, string> */
    private array $values = [];

    /** @var array<array-key, array{epoch: int, records: array<int, string>, last: int}> records by their number, from 1 on */
    private array $journals = [];

    /** Makes the journal of a filter. */
    public function journal(string $filter): Journal
    {
        return new Journal($filter, $this);
    }

    /**
     * Makes a filter that also has the keys that are added to its journal.
     *
     * @param iterable<mixed, string|int> $keys
     * @param Fold|null $fold the fold of the filter's keys
     */
    public function filter(string $filter, iterable $keys = [], ?Fold $fold = null): ExactFilter
    {
        return new ExactFilter($keys, fn (): array => $this->added($filter), $fold);
    }

    /** @return list<string> the keys that were added to the journal of a filter; if it has a fold, folded */
    public function added(string $filter): array
    {
        $keys = [];
        foreach ($this->journals["$filter:journal"]['records'] ?? [] as $record) {
            $at = self::kind($record) === self::KEYS ? (self::isSigned($record) ? 72 : 40) : strlen($record);
            for ($left = self::number($record, 12); $left > 0 && $at < strlen($record); $left--) {
                $bytes = self::number($record, $at);
                $keys[] = substr($record, $at + 4, $bytes);
                $at += 4 + $bytes;
            }
        }
        return $keys;
    }

    /** Fails the test unless each of the keys was added to the journal of a filter. */
    public function assertAdded(string $filter, string|int ...$keys): void
    {
        Assert::assertSame([], array_values(array_diff($keys, $this->added($filter))),
            "These keys were not added to the journal of \"$filter\".");
    }

    /** Fails the test if one of the keys was added to the journal of a filter; without keys, if any key was. */
    public function assertNotAdded(string $filter, string|int ...$keys): void
    {
        $added = $this->added($filter);
        Assert::assertSame([], array_values($keys === [] ? $added : array_intersect($added, array_map(strval(...), $keys))),
            "These keys were added to the journal of \"$filter\".");
    }

    public function getMultiple(array $keys): array
    {
        return array_intersect_key($this->values, array_flip($keys));
    }

    public function missing(array $keys): array
    {
        return array_values(array_filter($keys, fn (string $key): bool => !isset($this->values[$key]) && !isset($this->journals[$key])));
    }

    public function set(string $key, string $value): void
    {
        $this->values[$key] = $value;
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        if (($this->values[$key] ?? null) !== $expected) {
            return false;
        }
        $this->values[$key] = $value;
        return true;
    }

    public function deleteMultiple(array $keys): void
    {
        $this->values = array_diff_key($this->values, array_flip($keys));
        $this->journals = array_diff_key($this->journals, array_flip($keys));
    }

    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        if ($after !== null && $after !== $this->end($journal)) {
            return null;
        }
        $last = $this->lastRecord($journal);
        if (($last === '' || self::kind($last) === self::END) && in_array(self::kind($records[0] ?? ''), [1, 2, 3], true)) {
            return null; // the journal is not open
        }
        $changed = $this->journals[$journal] ?? self::newJournal();
        foreach ($records as $record) {
            $changed['records'][++$changed['last']] = $record;
        }
        $this->journals[$journal] = $changed;
        return $this->end($journal);
    }

    public function last(string $journal): array
    {
        $this->journals[$journal] ??= self::newJournal();
        return [$this->end($journal), $this->lastRecord($journal)];
    }

    public function read(array $positions, int $limit): array
    {
        $answers = [];
        foreach ($positions as $journal => $position) {
            $answers[$journal] = $this->after($journal, $position, $limit);
        }
        return $answers;
    }

    public function trim(string $journal, string $position): void
    {
        if ($this->after($journal, $position, 1) !== null) {
            $number = self::numberOf($position);
            foreach (array_keys($this->journals[$journal]['records']) as $at) {
                if ($at < $number) {
                    unset($this->journals[$journal]['records'][$at]);
                }
            }
        }
    }

    /** @return array{epoch: int, records: array<int, string>, last: int} */
    private static function newJournal(): array
    {
        return ['epoch' => random_int(1, PHP_INT_MAX), 'records' => [], 'last' => 0];
    }

    private function end(string $journal): string
    {
        return isset($this->journals[$journal]) ? $this->position($journal, $this->journals[$journal]['last']) : '';
    }

    private function lastRecord(string $journal): string
    {
        $last = $this->journals[$journal]['last'] ?? 0;
        return $this->journals[$journal]['records'][$last] ?? '';
    }

    /** Returns EPOCH-OFFSET-CHECK of the position after a record; the offset is the record's number. */
    private function position(string $journal, int $number): string
    {
        ['epoch' => $epoch, 'records' => $records] = $this->journals[$journal];
        return "$epoch-$number-" . ($number === 0 ? str_repeat('0', 16) : bin2hex(substr($records[$number] ?? '', -8)));
    }

    private static function numberOf(string $position): int
    {
        return (int) (explode('-', $position)[1] ?? 0);
    }

    /** @return array<string, string>|null */
    private function after(string $journal, string $position, int $limit): ?array
    {
        $number = self::numberOf($position);
        $found = $this->journals[$journal] ?? null;
        if ($found === null || $position !== $this->position($journal, $number) || ($number === 0 && $found['last'] > 0 && !isset($found['records'][1]))) {
            return null;
        }
        $records = [];
        for ($bytes = 0; $number < $found['last'] && $bytes < $limit; $bytes += strlen($record)) {
            $record = $found['records'][++$number] ?? '';
            $records[$this->position($journal, $number)] = $record;
        }
        return $records;
    }

    private static function kind(string $record): int
    {
        return self::number($record, 8);
    }

    private static function isSigned(string $record): bool
    {
        return substr($record, 32, 8) !== str_repeat("\0", 8);
    }

    /** Reads a number of 32 bits; 0 if the record is too short. docs/dev/journal.md describes records. */
    private static function number(string $record, int $at): int
    {
        /** @var array{1: int} $found */
        $found = unpack('V', str_pad(substr($record, $at, 4), 4, "\0"));
        return $found[1];
    }
}
