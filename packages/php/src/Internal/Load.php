<?php

namespace Bloom\Internal;

use Bloom\Kind;
use Bloom\Status;

/**
 * Makes a blob the served generation of a name:
 *
 *     check the name, the kind, the signature and the age ─► write the files ─► switch
 *
 * @phpstan-import-type Current from FilterDirectory
 */
final class Load
{
    private const TEXTS = ['loaded' => 'a loaded filter', 'live' => 'a live filter', 'counting' => 'a counting filter',
        'scalable' => 'a scalable filter', 'sliding' => 'a sliding filter', 'reverse' => 'a live reverse index',
        'on-demand' => 'an on-demand filter'];

    /**
     * @param string|null $added the records of the keys that the journal has after the blob's mark; null: none was read
     * @param int $memory of an on-demand filter; otherwise 0
     */
    public function __construct(
        private FilterDirectory $directory,
        private Head $head,
        private string $body,
        private ?string $added = null,
        private int $memory = 0
    ) {
    }

    public static function text(Kind $kind, bool $isIndex = false): string
    {
        return $isIndex ? 'a loaded reverse index' : self::TEXTS[$kind->value];
    }

    /**
     * @param array{kind: string, isIndex: bool, ...} $current what the name is
     * @param string $expected a class, or the text of a kind
     */
    public static function wrongKind(string $name, array $current, string $expected): \Throwable
    {
        $found = self::text(Kind::from($current['kind']), $current['isIndex']);
        return Failure::of(Status::Kind, "$name: expected $expected, found $found");
    }

    public static function checkMaxLag(?float $seconds, string $method, int $argument): void
    {
        if ($seconds !== null && !($seconds === 0.0 || ($seconds >= 0.001 && $seconds <= 1e9))) {
            throw Arguments::error($method, $argument, 'maxLag',
                'must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds');
        }
    }

    /**
     * @param string|null $replaces the file that must still be served, "" for none; null: any
     * @param bool $mayBeOlder a signed blob may replace a newer one
     * @param resource|null $page of a sync
     *
     * @return Current|null null: another generation is served, or the filter was dropped
     */
    public function run(?string $replaces = null, bool $mayBeOlder = false, $page = null): ?array
    {
        $this->check();
        return $this->directory->locked(function () use ($replaces, $mayBeOlder, $page): ?array {
            $served = $this->directory->current();
            $isReplaced = $replaces !== null && ($served['file'] ?? '') !== $replaces;
            if ($isReplaced || ($page !== null && !$this->directory->isPage($page))) {
                return null;
            }
            $this->checkServed($served, $mayBeOlder);
            Segment::reserve($this->directory->name, $this->head->fileBytes + strlen($this->added ?? ''));
            $generation = ($served['generation'] ?? 0) + 1;
            $file = FilterDirectory::newFile($generation, 'bloom');
            $this->directory->store($file, $this->head->bytes . $this->body);
            $journal = $this->added === null ? null : FilterDirectory::newFile($generation, 'keys');
            if ($journal !== null) {
                $this->directory->store($journal, KeySet::file((string) $this->added));
            }
            $current = ['kind' => $this->memory > 0 ? Kind::OnDemand->value : Kind::Loaded->value,
                'isIndex' => $this->head->geometry->groups !== 0, 'generation' => $generation, 'file' => $file, 'isBlob' => true,
                'journal' => $journal, 'loadedMs' => Clock::milliseconds(), 'loads' => ($served['loads'] ?? 0) + 1,
                'memory' => $this->memory, 'expiresMs' => null, 'params' => null];
            $this->directory->switch($current);
            return $current;
        });
    }

    private function check(): void
    {
        if ($this->head->mark !== '' && $this->added === null) {
            throw Failure::of($this->memory > 0 ? Status::JournalKind : Status::NoJournal, $this->directory->name);
        }
        Signature::check($this->head, $this->directory->name);
        $this->head->checkBuilt($this->directory->name);
        Digest::for($this->head->geometry);
    }

    /** @param Current|null $served */
    private function checkServed(?array $served, bool $mayBeOlder): void
    {
        if ($served === null) {
            return;
        }
        $name = $this->directory->name;
        $isIndex = $this->head->geometry->groups !== 0;
        $isSameKind = $served['isBlob'] && $served['isIndex'] === $isIndex
            && ($served['kind'] === Kind::OnDemand->value) === ($this->memory > 0);
        if (!$isSameKind) {
            throw self::wrongKind(Segment::path() . "/$name", $served, self::text(Kind::Loaded, $isIndex));
        }
        if (!$mayBeOlder && Ring::signers()->isConfigured && $this->directory->answers($served)?->head->builtMs > $this->head->builtMs) {
            throw Failure::of(Status::Replay, $name);
        }
    }
}
