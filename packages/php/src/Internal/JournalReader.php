<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;

/** Reads and checks the records of a journal: section 11 of docs/format.md. */
final class JournalReader
{
    public const KIND_KEYS = 1;
    public const KIND_VERSION = 2;
    public const KIND_LOST = 3;
    public const KIND_END = 4;
    public const KIND_BEGIN = 5;
    public const RECORD_BYTES_MIN = 48;
    public const RECORD_BYTES_MAX = 1 << 20;
    public const MAGIC = 'BLJ1';
    private const KIND_OPTIONAL = 0x80000000;
    private const LIMIT_BYTES = 4 << 20;

    private string $from = '';
    /** @var array<string, true> the positions that were read, without links */
    private array $positions = [];

    public function __construct(private CheckedStore $store, private string $name)
    {
    }

    /** Only the extension verifies signatures of records, so a host that requires them must not follow a journal here. */
    public static function refuseSigners(): void
    {
        if (Secret::signers() !== null) {
            throw Failure::needsExtension('a journal, where signing keys are configured,');
        }
    }

    /**
     * Reads the journal to its end.
     *
     * @param string $mark a position
     * @param bool $lacksKeys whether records before it were lost
     *
     * @return string the records of a KeySet: the keys, and the position of the end
     */
    public function read(string $mark, bool $lacksKeys = false): string
    {
        self::refuseSigners();
        $now = KeySet::now();
        $position = $this->from = self::split($mark)[0];
        $keys = '';
        do {
            $bytes = 0;
            $records = $this->store->read("$this->name:journal", $position, self::LIMIT_BYTES) ?? throw Failure::of(Status::JournalLost, $this->name);
            foreach ($records as $next => $record) {
                [$kind, $found] = $this->parse($record, $position);
                $this->checkPosition($position, $position = (string) $next, $record);
                $this->positions[$position] = true;
                $lacksKeys = $lacksKeys || $kind === self::KIND_LOST;
                $keys .= implode('', array_map(KeySet::record(...), $found));
                $bytes += strlen($record);
            }
        } while ($bytes >= self::LIMIT_BYTES);
        return $keys . KeySet::at($position, $lacksKeys, $now);
    }

    /** Returns whether everything up to a position was read or is before the mark. */
    public function has(string $position): bool
    {
        [$epoch, $offset] = self::numbers($position);
        [$fromEpoch, $fromOffset] = self::numbers($this->from);
        return isset($this->positions[$position]) || ($epoch === $fromEpoch && !self::isAfter($offset, $fromOffset));
    }

    /** @return array{string, string} the position without a link, and the link or "" */
    public static function split(string $mark): array
    {
        $parts = explode('-', $mark);
        return [implode('-', array_slice($parts, 0, 3)), $parts[3] ?? ''];
    }

    /** @return array{string, string} epoch and offset */
    private static function numbers(string $position): array
    {
        return [strtok($position, '-') ?: '', strtok('-') ?: ''];
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
        if ($bytes < self::RECORD_BYTES_MIN || $bytes > self::RECORD_BYTES_MAX || substr($record, 0, 8) !== self::MAGIC . pack('V', $bytes)
            || strrev(hash('xxh3', substr($record, 0, -8), true)) !== substr($record, -8)) {
            throw $this->refused(Status::Record, $position);
        }
        if (substr($record, 16, 8) !== strrev(hash('xxh3', $this->name, true))) {
            throw $this->refused(Status::RecordName, $position);
        }
        /** @var array{kind: int, count: int, signer: int} $fields */
        $fields = unpack('Vkind/Vcount/x16/Psigner', $record, 8);
        $payload = $fields['signer'] === 0 ? substr($record, 40, -8) : substr($record, 72, -40);
        $keys = $fields['kind'] === self::KIND_KEYS ? self::keys($payload, $fields['count']) : [];
        if ($keys === null || ($fields['signer'] !== 0 && $bytes < 112) || ($fields['kind'] === self::KIND_LOST && strlen($payload) !== 24)) {
            throw $this->refused(Status::Record, $position);
        }
        if ($fields['kind'] > self::KIND_BEGIN && $fields['kind'] < self::KIND_OPTIONAL) {
            throw $this->refused(Status::RecordKind, $position);
        }
        return [$fields['kind'], $keys];
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

    private function refused(Status $status, string $position): BloomException
    {
        return Failure::of($status, "$this->name:journal after $position");
    }
}
