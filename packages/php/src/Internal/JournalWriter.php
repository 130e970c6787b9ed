<?php

namespace Bloom\Internal;

use Bloom\Status;

/** Writes the records of a journal: docs/dev/journal.md. */
final class JournalWriter
{
    public const KEY_BYTES_MAX = 1_048_460;
    private const TRIES_MAX = 100;
    private const PAYLOAD_BYTES = 64 << 10;

    private string $journal;

    public function __construct(private CheckedStore $store, private string $name)
    {
        $this->journal = "$name:journal";
    }

    // ---- for the stores ----

    /** Returns whether a record may follow the last one of a journal: keys only if it is open. */
    public static function mayFollow(string $record, string $last): bool
    {
        $kind = self::kind($record);
        return self::isOpen($last) || $kind < JournalReader::KIND_KEYS || $kind > JournalReader::KIND_LOST;
    }

    /** Returns whether keys can be added after the last record of a journal: docs/dev/journal.md, "Open and closed journals". */
    public static function isOpen(string $last): bool
    {
        return !in_array(self::kind($last), [0, JournalReader::KIND_END], true);
    }

    private static function kind(string $record): int
    {
        return strlen($record) < JournalReader::RECORD_BYTES_MIN ? 0 : Unpack::word(substr($record, 8, 4) . "\0\0\0\0");
    }

    // ---- appending ----

    /**
     * Appends keys. Returns the position after them, or null if the journal is closed.
     *
     * @param list<string> $keys
     */
    public function add(array $keys, bool $begins = false): ?string
    {
        [$payload, $count] = ['', 0];
        $records = $begins ? [$this->record(JournalReader::KIND_BEGIN, 0, '')] : [];
        foreach ($keys as $key) {
            if ($count > 0 && strlen($payload) + 4 + strlen($key) > self::PAYLOAD_BYTES) {
                $records[] = $this->record(JournalReader::KIND_KEYS, $count, $payload);
                [$payload, $count] = ['', 0];
            }
            $payload .= pack('V', strlen($key)) . $key;
            $count++;
        }
        return $this->append(...$records, ...[$this->record(JournalReader::KIND_KEYS, $count, $payload)]);
    }

    /** Tells hosts that a version that follows the journal was published. */
    public function notice(Head $head): void
    {
        $this->append($this->record(JournalReader::KIND_VERSION, 0, substr($head->bytes, -8)));
    }

    /**
     * Tells hosts that keys were added to another journal, to which a position belongs. Returns the position after the
     * notice, or null if the journal is closed.
     */
    public function strayed(string $position): ?string
    {
        $start = (string) Mark::pack(JournalReader::epoch($position) . '-0-' . str_repeat('0', 16));
        return $this->append($this->record(JournalReader::KIND_LOST, 0, substr($start, 0, 24)));
    }

    /** Ends the journal, because hosts are to serve a version that does not follow it. */
    public function end(Head $head): void
    {
        $this->append($this->record(JournalReader::KIND_END, 0, substr($head->bytes, -8)));
    }

    /** Returns the mark of the journal's end. If the journal is closed, it begins. */
    public function mark(): string
    {
        for ($tries = 0; $tries < self::TRIES_MAX; $tries++) {
            [$position, $last] = $this->store->last($this->journal);
            if (self::isOpen($last)) {
                return $position;
            }
            $this->append($this->record(JournalReader::KIND_BEGIN, 0, ''));
        }
        throw Failure::of(Status::Overtaken, $this->journal);
    }

    private function append(string ...$records): ?string
    {
        Failure::refuseSigners();
        return $this->store->append($this->journal, array_values($records));
    }

    private function record(int $kind, int $count, string $payload): string
    {
        $record = JournalReader::MAGIC . pack('VVV', JournalReader::RECORD_BYTES_MIN + strlen($payload), $kind, $count)
            . strrev(hash('xxh3', $this->name, true)) . pack('PP', System::milliseconds(), 0) . $payload;
        return $record . strrev(hash('xxh3', $record, true));
    }
}
