<?php

namespace Bloom\Internal;

use Bloom\Kind;
use Bloom\Status;

/**
 * Makes a blob the served generation of a name:
 *
 *     check the name, the kind, the signature and the age ─► write the file ─► switch
 *
 * @internal
 *
 * @phpstan-import-type Current from Place
 * @phpstan-import-type Loads from Counters
 */
final class Loading
{
    private const TEXTS = ['loaded' => 'a loaded filter', 'live' => 'a live filter', 'counting' => 'a counting filter',
        'scalable' => 'a scalable filter', 'sliding' => 'a sliding filter', 'reverse' => 'a live reverse index',
        'on-demand' => 'an on-demand filter'];

    private int $beganNs;

    /**
     * @param int $fetched bytes that came from a store
     * @param int $beganNs when the load began
     */
    public function __construct(
        private Place $place,
        private Head $head,
        private string $bytes,
        private int $memory = 0,
        private int $fetched = 0,
        ?int $beganNs = null
    ) {
        $this->beganNs = $beganNs ?? (int) hrtime(true);
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

    /** Only blobs with a mark need the value, and these need the extension. */
    public static function checkMaxLag(?float $seconds, string $method, int $argument): void
    {
        if ($seconds !== null && !($seconds >= 0 && $seconds <= 1e9)) {
            throw Arguments::error($method, $argument, 'maxLag',
                'must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds');
        }
    }

    /**
     * @param string|null $replaces the file that must still be served, "" for none; null: any
     * @param bool $mayBeOlder a signed blob may replace a newer one
     * @param resource|null $page of a sync
     *
     * @return bool false: another generation is served, or the filter was dropped
     */
    public function run(?string $replaces = null, bool $mayBeOlder = false, $page = null): bool
    {
        $this->check();
        return $this->place->locked(function () use ($replaces, $mayBeOlder, $page): bool {
            $lockedNs = hrtime(true);
            $served = $this->place->current();
            $isReplaced = $replaces !== null && ($served['file'] ?? '') !== $replaces;
            if ($isReplaced || ($page !== null && !$this->place->isPage($page))) {
                return false;
            }
            $this->checkServed($served, $mayBeOlder);
            Segment::reserve($this->place->name, strlen($this->bytes));
            $generation = ($served['generation'] ?? 0) + 1;
            $file = Place::newFile($generation, 'bloom');
            $this->place->store($file, $this->bytes);
            $this->place->switch([
                'kind' => $this->memory > 0 ? Kind::OnDemand->value : Kind::Loaded->value,
                'isIndex' => $this->head->geometry->groups !== 0,
                'generation' => $generation,
                'file' => $file,
                'isBlob' => true,
                'loadedMs' => Clock::milliseconds(),
                'loads' => ($served['loads'] ?? 0) + 1,
                'memory' => $this->memory,
                'expiresMs' => null,
                'counters' => $this->counters($served, $generation, $lockedNs),
            ]);
            return true;
        });
    }

    /**
     * @param Current|null $served
     *
     * @return Loads
     */
    private function counters(?array $served, int $generation, int $lockedNs): array
    {
        $bodyBytes = strlen($this->bytes) - $this->head->headBytes;
        $now = hrtime(true);
        return Counters::withLoad($served['counters'] ?? null, [
            'generation' => $generation,
            'loadedAt' => Clock::milliseconds() / 1000,
            'builtAt' => $this->head->builtMs / 1000,
            'keys' => $this->head->keys,
            'bytes' => strlen($this->bytes),
            'seconds' => ($now - $this->beganNs) / 1e9,
            'switchSeconds' => ($now - $lockedNs) / 1e9,
            'bytesFetched' => $this->fetched,
        ], $this->fetched > 0 ? $bodyBytes - $this->fetched : 0);
    }

    private function check(): void
    {
        if ($this->head->mark !== '') {
            throw Failure::of(Status::NoJournal, "{$this->place->name}: only the extension has journals");
        }
        Signature::check($this->head, $this->place->name);
        $this->head->checkBuilt($this->place->name);
        Digest::for($this->head->geometry);
    }

    /** @param Current|null $served */
    private function checkServed(?array $served, bool $mayBeOlder): void
    {
        if ($served === null) {
            return;
        }
        $name = $this->place->name;
        $isIndex = $this->head->geometry->groups !== 0;
        $isSameKind = $served['isBlob'] && $served['isIndex'] === $isIndex
            && ($served['kind'] === Kind::OnDemand->value) === ($this->memory > 0);
        if (!$isSameKind) {
            throw self::wrongKind(Segment::path() . "/$name", $served, self::text(Kind::Loaded, $isIndex));
        }
        if (!$mayBeOlder && Ring::signers()->isConfigured && $this->place->answers($served)?->head->builtMs > $this->head->builtMs) {
            throw Failure::of(Status::Replay, $name);
        }
    }
}
