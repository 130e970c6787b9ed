<?php

namespace Bloom\Internal;

use Bloom\Status;

/** Reads a journal from a mark to its end, and checks the records: docs/dev/journal.md. */
final class JournalReader
{
    public const KIND_KEYS = 1;
    public const KIND_VERSION = 2;
    public const KIND_LOST = 3;
    public const KIND_END = 4;
    public const KIND_BEGIN = 5;
    public const RECORD_BYTES_MIN = 48;
    public const RECORD_BYTES_MAX = 1 << 20;
    public const MAGIC = 'BLJ2';
    private const KIND_OPTIONAL = 0x80000000;
    private const LIMIT_BYTES = 4 << 20;

    /** The records of a KeySet with the keys */
    private string $keys = '';
    /** @var array{string, int, int} the result of KeySet::now() before the journal was last read to its end */
    private array $now;
    private string $from;
    private string $position;
    /** @var array<string, true> the positions that were read, without links */
    private array $positions = [];

    /** @param bool $lacksKeys whether records before the mark were lost */
    public function __construct(
        private CheckedStore $store,
        private string $name,
        string $mark,
        private bool $lacksKeys = false
    ) {
        Failure::refuseSigners();
        $this->position = $this->from = self::withoutLink($mark);
        $this->read();
    }

    /** Reads on to the end. */
    public function read(): void
    {
        $this->now = KeySet::now();
        do {
            $bytes = 0;
            $records = $this->store->read("$this->name:journal", $this->position, self::LIMIT_BYTES)
                ?? throw Failure::of(Status::JournalLost, $this->name);
            foreach ($records as $next => $record) {
                [$kind, $found] = $this->parse($record, $this->position);
                $this->checkPosition($this->position, (string) $next, $record);
                $this->position = (string) $next;
                $this->positions[$this->position] = true;
                $this->lacksKeys = $this->lacksKeys || $kind === self::KIND_LOST;
                $this->keys .= implode('', array_map([KeySet::class, 'record'], $found));
                $bytes += strlen($record);
            }
        } while ($bytes >= self::LIMIT_BYTES);
    }

    /** Returns the records of a KeySet: the keys, and the position of the end. */
    public function records(): string
    {
        return $this->keys . KeySet::at($this->position, $this->lacksKeys, $this->now);
    }

    /**
     * Returns the records for the set that follows another one. If the journal has lost records that this host has read
     * or appended, the new set keeps all keys until a mark is after them, because the blob may lack them. If this host
     * has added keys to another journal than the blob's, the next sync tells the other hosts.
     */
    public function recordsAfter(?KeySet $set): string
    {
        $strayed = $set->strayed ?? [];
        $returned = array_filter($strayed, fn (string $position): bool
            => self::epoch($position) === self::epoch($this->from));
        $strayed = array_diff($strayed, $returned);
        $this->lacksKeys = $this->lacksKeys || $strayed !== [];
        $strayed = implode('', array_map([KeySet::class, 'appended'], $strayed));
        $read = array_filter([$set->position ?? '', $set->appended ?? '', ...array_values($returned)]);
        $missing = array_filter($read, fn (string $position): bool => !isset($this->positions[$position])
            && !$this->isBeforeMark($position));
        $lost = $set->lost ?? '';
        // No mark of another epoch is before the loss, because nobody can load a version of a journal that is gone.
        $isKept = $lost !== '' && self::numbers($lost)[0] === self::numbers($this->from)[0]
            && !$this->isBeforeMark($lost);
        $lost = array_reduce($missing, self::newest(...), $isKept ? $lost : '');
        if ($set === null || $lost === '') {
            return $this->records() . $strayed;
        }
        $this->lacksKeys = $this->lacksKeys || $set->lacksKeys;
        return $set->all() . $this->records() . $strayed . KeySet::lost($lost);
    }

    private function isBeforeMark(string $position): bool
    {
        [$epoch, $offset] = self::numbers($position);
        [$fromEpoch, $fromOffset] = self::numbers($this->from);
        return $epoch === $fromEpoch && !self::isAfter($offset, $fromOffset);
    }

    /** Returns the later one of two positions; if their journals differ, the second one. */
    public static function newest(string $one, string $other): string
    {
        [$epoch, $offset] = self::numbers($one);
        [$otherEpoch, $otherOffset] = self::numbers($other);
        return $epoch === $otherEpoch && self::isAfter($offset, $otherOffset) ? $one : $other;
    }

    /** Returns the position of a mark. */
    public static function withoutLink(string $mark): string
    {
        return implode('-', array_slice(explode('-', $mark), 0, 3));
    }

    public static function epoch(string $position): string
    {
        return self::numbers($position)[0];
    }

    /** @return array{string, string} epoch and offset */
    private static function numbers(string $position): array
    {
        $parts = explode('-', $position);
        return [$parts[0], $parts[1] ?? ''];
    }

    private static function isAfter(string $offset, string $other): bool
    {
        return [strlen($offset), $offset] > [strlen($other), $other];
    }

    private function checkPosition(string $before, string $position, string $record): void
    {
        [$epoch, $offset] = self::numbers($before);
        [$itsEpoch, $itsOffset] = self::numbers($position);
        $isValid = Mark::pack($position) !== null && $itsEpoch === $epoch && self::isAfter($itsOffset, $offset)
            && str_ends_with($position, '-' . bin2hex(substr($record, -8)));
        if (!$isValid) {
            throw Failure::of(Status::Position, $this->name);
        }
    }

    /** @return array{int, list<string>} the kind and the keys of a record */
    private function parse(string $record, string $position): array
    {
        $bytes = strlen($record);
        $isWhole = $bytes >= self::RECORD_BYTES_MIN && $bytes <= self::RECORD_BYTES_MAX
            && preg_match('/^BLJ\d/', $record) === 1 && substr($record, 4, 4) === pack('V', $bytes)
            && strrev(hash('xxh3', substr($record, 0, -8), true)) === substr($record, -8);
        /** @var array{kind: int, count: int, filter: string, signer: int} $fields */
        $fields = unpack('Vkind/Vcount/a8filter/x8/Psigner', str_pad($record, self::RECORD_BYTES_MIN, "\0"), 8);
        $payload = $fields['signer'] === 0 ? substr($record, 40, -8) : substr($record, 72, -40);
        $keys = $fields['kind'] === self::KIND_KEYS ? self::keys($payload, $fields['count']) : [];
        $isUnknown = ($fields['kind'] < self::KIND_KEYS || $fields['kind'] > self::KIND_BEGIN)
            && $fields['kind'] < self::KIND_OPTIONAL;
        $problem = match (true) {
            !$isWhole => Status::Record,
            !str_starts_with($record, self::MAGIC) => Status::RecordVersion,
            $fields['filter'] !== strrev(hash('xxh3', $this->name, true)) => Status::RecordName,
            $keys === null, $fields['signer'] !== 0 && $bytes < 112 => Status::Record,
            $fields['kind'] === self::KIND_LOST && strlen($payload) !== 24 => Status::Record,
            $isUnknown => Status::RecordKind,
            default => null,
        };
        if ($problem !== null) {
            throw Failure::of($problem, "$this->name:journal after $position");
        }
        return [$fields['kind'], $keys ?? []];
    }

    /** @return list<string>|null null: they do not fill the payload */
    private static function keys(string $payload, int $count): ?array
    {
        $keys = [];
        for ($at = 0; $at + 4 <= strlen($payload) && count($keys) < $count; $at += 4 + $length) {
            $length = Unpack::word(substr($payload, $at, 4) . "\0\0\0\0");
            if ($at + 4 + $length > strlen($payload)) {
                return null;
            }
            $keys[] = substr($payload, $at + 4, $length);
        }
        return $at === strlen($payload) && count($keys) === $count ? $keys : null;
    }
}
