<?php

namespace Bloom\Internal;

use Bloom\JournalStore;
use Bloom\Status;

/** Writes the records of a journal: section 11 of docs/format.md. */
final class JournalWriter
{
    private const TRIES_MAX = 100;
    private const PAYLOAD_BYTES = 64 << 10;
    public const KEY_BYTES_MAX = 1_048_460;

    private CheckedStore $store;

    public function __construct(private JournalStore $own, private string $name)
    {
        $this->store = new CheckedStore($own);
    }

    /**
     * Checks the arguments of append().
     *
     * @param array<mixed> $records
     *
     * @return non-empty-list<string>
     */
    public static function check(array $records, ?string $after, string $class): array
    {
        $checked = [];
        foreach ($records as $record) {
            if (!is_string($record)) {
                throw new \TypeError("Bloom\\$class::append(): Argument #2 (\$records) must contain only strings, " . Keys::type($record) . ' given');
            }
            $checked[] = strlen($record) >= JournalReader::RECORD_BYTES_MIN && strlen($record) <= JournalReader::RECORD_BYTES_MAX
                && substr($record, 4, 4) === pack('V', strlen($record)) ? $record
                : throw Arguments::error("$class::append", 2, 'records', 'must contain only records of 48 bytes to 1 MiB that begin with their length');
        }
        if ($after !== null) {
            self::checkPosition($after, "$class::append", 3, 'after');
        }
        return $checked !== [] ? $checked : throw Arguments::error("$class::append", 2, 'records', 'must contain at least one record');
    }

    public static function checkPosition(string $position, string $method, int $argument, string $name): void
    {
        if (Mark::pack($position) === null) {
            throw Arguments::error($method, $argument, $name, "must be a position of a journal, \"$position\" given");
        }
    }

    /** @param array<mixed> $positions */
    public static function checkPositions(array $positions, string $method): void
    {
        foreach ($positions as $position) {
            self::checkPosition(is_string($position) ? $position : throw new \TypeError("Bloom\\$method(): Argument #1 (\$positions) must contain "
                . 'only strings, by journal'), $method, 1, 'positions');
        }
    }

    /** Returns whether a record may follow the last one of a journal: keys only if it is open. */
    public static function mayFollow(string $record, string $last): bool
    {
        $kind = self::kind($record);
        $isOpen = $last !== '' && self::kind($last) !== JournalReader::KIND_END;
        return $isOpen || $kind < JournalReader::KIND_KEYS || $kind > JournalReader::KIND_LOST;
    }

    private static function kind(string $record): int
    {
        return strlen($record) < JournalReader::RECORD_BYTES_MIN ? 0 : Unpack::word(substr($record, 8, 4) . "\0\0\0\0");
    }

    /**
     * Appends keys. Returns false if the journal is closed.
     *
     * @param list<string> $keys
     */
    public function add(array $keys): bool
    {
        $payloads = [''];
        $counts = [0];
        foreach ($keys as $key) {
            $at = array_key_last($payloads);
            if (strlen($payloads[$at]) + 4 + strlen($key) > self::PAYLOAD_BYTES && $counts[$at] > 0) {
                $payloads[++$at] = '';
                $counts[$at] = 0;
            }
            $payloads[$at] .= pack('V', strlen($key)) . $key;
            $counts[$at]++;
        }
        return $this->append(JournalReader::KIND_KEYS, array_values($payloads), array_values($counts)) !== null;
    }

    /** Tells hosts that a version that follows the journal was published. */
    public function notice(Head $head): void
    {
        $this->append(JournalReader::KIND_VERSION, [strrev((string) hex2bin($head->checksum()))], [0]);
    }

    /** Returns the mark of the journal's end. If the journal is closed, it begins. */
    public function mark(): string
    {
        for ($tries = 0; $tries < self::TRIES_MAX; $tries++) {
            [$position, $last] = $this->last();
            if (!in_array(self::kind($last), [0, JournalReader::KIND_END], true)) {
                $link = $this->linkOf($last);
                return $position . ($link === '' ? '' : '-' . bin2hex($link));
            }
            $this->append(JournalReader::KIND_BEGIN, [''], [0]);
        }
        throw Failure::of(Status::Overtaken, "$this->name:journal");
    }

    /** @return array{string, string} */
    private function last(): array
    {
        /** @var array<mixed> $last a store may break its contract */
        $last = $this->store->call(fn (): array => $this->own->last("$this->name:journal"));
        [$position, $record] = $last + [null, null];
        return is_string($position) && is_string($record) && Mark::pack($position) !== null ? [$position, $record] : throw Failure::of(Status::Position, "$this->name:journal");
    }

    /** Returns the signature of a record; "": it is not signed, or damaged. */
    private function linkOf(string $record): string
    {
        $isSigned = strlen($record) >= 112 && Unpack::word($record, 32) !== 0 && substr($record, 4, 4) === pack('V', strlen($record))
            && str_starts_with($record, JournalReader::MAGIC) && strrev(hash('xxh3', substr($record, 0, -8), true)) === substr($record, -8);
        return $isSigned ? substr($record, -40, 32) : '';
    }

    /**
     * @param list<string> $payloads
     * @param list<int> $counts of keys
     *
     * @return string|null the position of the end; null: the journal is closed
     */
    private function append(int $kind, array $payloads, array $counts): ?string
    {
        $key = Ring::signers()->isConfigured ? Ring::current(Status::NoSigningKey) : null;
        for ($tries = 0; $tries < self::TRIES_MAX; $tries++) {
            // A signed record contains the signature of the record before it, so it must be the next one.
            [$after, $last] = $key === null ? [null, ''] : $this->last();
            $link = $this->linkOf($last);
            $records = [];
            foreach ($payloads as $at => $payload) {
                $records[] = $record = $this->record($kind, $counts[$at], $payload, $key, $link, (string) $after);
                $link = $this->linkOf($record);
            }
            if ($key !== null && !self::mayFollow($records[0], $last)) {
                return null;
            }
            $end = $this->store->call(fn (): ?string => $this->own->append("$this->name:journal", $records, $after));
            if ($end !== null || $key === null) {
                return $end;
            }
        }
        throw Failure::of(Status::Overtaken, "$this->name:journal");
    }

    private function record(int $kind, int $count, string $payload, ?Secret $key, string $link, string $position): string
    {
        $bytes = JournalReader::RECORD_BYTES_MIN + strlen($payload) + ($key === null ? 0 : 64);
        $record = JournalReader::MAGIC . pack('VVVPPP', $bytes, $kind, $count, Unpack::bigEndian(hash('xxh3', $this->name, true)),
            Clock::milliseconds(), $key === null ? 0 : $key->fingerprint) . ($key === null ? '' : str_pad($link, 32, "\0")) . $payload;
        $record .= $key === null ? '' : JournalReader::sign($key, $this->name, $position, $record);
        return $record . strrev(hash('xxh3', $record, true));
    }
}
