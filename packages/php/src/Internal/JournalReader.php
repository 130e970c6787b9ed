<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\JournalStore;
use Bloom\Status;
use Bloom\Store;

/** Reads and checks the records of a journal: section 11 of docs/format.md. */
final class JournalReader
{
    /** Follows a position after which the journal has lost records that this host may not have read. */
    public const LACKS = '!';

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

    public function __construct(private CheckedStore $store, private Store $journal, private string $name)
    {
    }

    /**
     * Reads the journal to its end.
     *
     * @param string $mark a position, with the link of the record before it if it is signed
     * @param bool $lacks whether records before it were lost
     *
     * @return string the records of a KeySet: the keys, and the position of the end
     */
    public function read(string $mark, bool $lacks = false): string
    {
        if (!$this->journal instanceof JournalStore) {
            throw Failure::of(Status::NoJournal, $this->name);
        }
        [$position, $link] = self::split($mark);
        $this->from = $position;
        $keys = '';
        do {
            $bytes = 0;
            $records = $this->store->read("$this->name:journal", $position, self::LIMIT_BYTES) ?? throw Failure::of(Status::JournalLost, $this->name);
            foreach ($records as $next => $record) {
                [$kind, $found, $link] = $this->parse($record, $link, $position);
                self::checkPosition($position, $position = (string) $next, $record, $this->name);
                $this->positions[$position] = true;
                $lacks = $lacks || $kind === self::KIND_LOST;
                foreach ($found as $key) {
                    $keys .= KeySet::record($key);
                }
                $bytes += strlen($record);
            }
        } while ($bytes >= self::LIMIT_BYTES);
        $end = $position . ($link === '' ? '' : '-' . bin2hex($link)) . ($lacks ? self::LACKS : '');
        return $keys . KeySet::record($end, 0);
    }

    /** Returns whether everything up to a position was read or is before the mark. */
    public function has(string $position): bool
    {
        [$position] = self::split(rtrim($position, self::LACKS));
        [$epoch, $offset] = explode('-', $position);
        [$fromEpoch, $fromOffset] = explode('-', $this->from);
        $isBefore = strlen($offset) < strlen($fromOffset) || (strlen($offset) === strlen($fromOffset) && $offset <= $fromOffset);
        return isset($this->positions[$position]) || ($epoch === $fromEpoch && $isBefore);
    }

    /** @return array{string, string} the position, and the bytes of the link or "" */
    public static function split(string $mark): array
    {
        $parts = explode('-', $mark);
        return [implode('-', array_slice($parts, 0, 3)), isset($parts[3]) ? (string) hex2bin($parts[3]) : ''];
    }

    private static function checkPosition(string $before, string $position, string $record, string $name): void
    {
        [$epoch, $offset] = explode('-', $before);
        /** @var array{string, string, string} $parts */
        $parts = array_pad(explode('-', $position, 3), 3, '');
        [$itsEpoch, $itsOffset, $check] = $parts;
        $isLater = strlen($itsOffset) > strlen($offset) || (strlen($itsOffset) === strlen($offset) && $itsOffset > $offset);
        $isValid = Mark::pack($position) !== null && $itsEpoch === $epoch && $check === bin2hex(substr($record, -8)) && $isLater;
        if (!$isValid) {
            throw Failure::of(Status::Position, $name);
        }
    }

    /**
     * Checks a record.
     *
     * @param string $link the signature of the record before it, or ""
     *
     * @return array{int, list<string>, string} its kind, its keys and its signature
     */
    private function parse(string $record, string $link, string $position): array
    {
        $bytes = strlen($record);
        if ($bytes < self::RECORD_BYTES_MIN || $bytes > self::RECORD_BYTES_MAX || substr($record, 0, 8) !== self::MAGIC . pack('V', $bytes)
            || strrev(hash('xxh3', substr($record, 0, -8), true)) !== substr($record, -8)) {
            throw $this->refused(Status::Record, $position);
        }
        if (substr($record, 16, 8) !== pack('P', Unpack::bigEndian(hash('xxh3', $this->name, true)))) {
            throw $this->refused(Status::RecordName, $position);
        }
        /** @var array{kind: int, count: int} $fields */
        $fields = unpack('Vkind/Vcount', $record, 8);
        $signer = Unpack::word($record, 32);
        $payload = $signer === 0 ? substr($record, 40, -8) : substr($record, 72, -40);
        $keys = $fields['kind'] === self::KIND_KEYS ? self::keys($payload, $fields['count']) : [];
        if ($keys === null || ($signer !== 0 && $bytes < 112) || ($fields['kind'] === self::KIND_LOST && strlen($payload) !== 24)) {
            throw $this->refused(Status::Record, $position);
        }
        if (Ring::signers()->isConfigured) {
            $this->checkSignature($record, $signer, $link, $position);
        }
        if ($fields['kind'] > self::KIND_BEGIN && $fields['kind'] < self::KIND_OPTIONAL) {
            throw $this->refused(Status::RecordKind, $position);
        }
        return [$fields['kind'], $keys, $signer === 0 ? '' : substr($record, -40, 32)];
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

    private function checkSignature(string $record, int $signer, string $link, string $position): void
    {
        if ($signer === 0) {
            throw $this->refused(Status::RecordUnsigned, $position);
        }
        $key = Ring::signers()->find($signer) ?? throw $this->refused(Status::RecordSigner, $position);
        if (!hash_equals(self::sign($key, $this->name, $position, substr($record, 0, -40)), substr($record, -40, 32))) {
            throw $this->refused(Status::RecordSignature, $position);
        }
        if (substr($record, 40, 32) !== str_pad($link, 32, "\0")) {
            throw $this->refused(Status::RecordChain, $position);
        }
    }

    /** @param string $position any in the journal */
    public static function sign(Secret $key, string $name, string $position, string $record): string
    {
        $epoch = substr((string) Mark::pack($position), 0, 8);
        return $key->sign('bloom journal   ', [$epoch, pack('P', strlen($name)), $name, $record]);
    }

    private function refused(Status $status, string $position): BloomException
    {
        return Failure::of($status, "$this->name:journal after $position");
    }
}
