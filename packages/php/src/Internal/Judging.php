<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\FilterInfo;
use Bloom\Health;
use Bloom\HealthStatus;
use Bloom\JournalInfo;
use Bloom\LiveInfo;
use Bloom\LoadedInfo;
use Bloom\OnDemandInfo;
use Bloom\ScalableInfo;
use Bloom\Store;

/**
 * Filter::health(): judges the values that info() shows. The rules and texts are those of src/php/report/health.c.
 *
 * @internal
 */
final class Judging
{
    private const RATE_FACTOR = 1.5;
    private const FILLING_SHARE = 0.9;
    private const LAG_SHARE = 0.75;
    private const DAMAGE_SECONDS = 86400;
    private const FOREIGN_MAX = 100;
    private const FOREIGN_SHOWN = 3;

    private ?FilterInfo $info = null;
    private ?string $problem = null;
    private ?LoadedInfo $loaded = null;
    private ?float $buildAge = null;
    private ?int $reloadBytes = null;
    private ?int $freeBytes = null;
    /** @var list<string> */
    private array $foreignFiles = [];
    /** What the store says: "same", "one behind", "behind", "ahead", "elsewhere", "lacking" or "failed"; null: not asked */
    private ?string $comparison = null;
    /** With "elsewhere": what this host should serve. */
    private ?Override $override = null;
    private float $publishedAt = 0.0;
    /** Whether the journal has keys that the served version does not get. */
    private bool $isUnfollowed = false;
    private string $storeProblem = '';
    private float $now;

    private function __construct(
        private readonly string $name,
        private readonly ?float $maxBuildAge,
        private readonly ?float $maxSyncAge,
        private readonly ?float $maxRate,
        private readonly int $maxFailures
    ) {
        $this->now = Clock::milliseconds() / 1000;
    }

    public static function of(string $name, ?float $maxBuildAge, ?float $maxSyncAge, ?float $maxRate, int $maxFailures, ?Store $store): Health
    {
        $judging = new self($name, $maxBuildAge, $maxSyncAge, $maxRate, $maxFailures);
        try {
            $judging->measure(Filter::open($name)->info());
        } catch (BloomException $error) {
            $judging->problem = $error->getMessage();
        }
        if ($store !== null && $judging->loaded !== null) {
            $judging->ask(new Shop($store), $judging->loaded);
        }
        return $judging->result();
    }

    // ---- figures ----

    private function measure(FilterInfo $info): void
    {
        $this->info = $info;
        $this->loaded = $info instanceof LoadedInfo ? $info : null;
        $this->buildAge = $this->loaded === null ? null : max(0.0, $this->now - $this->loaded->builtAt);
        $this->reloadBytes = match (true) {
            $info instanceof OnDemandInfo => $info->memory,
            $info instanceof LoadedInfo => $info->bytes + ($info->journal->bytes ?? 0),
            $info instanceof ScalableInfo => $info->bytes,
            default => null,
        };
        $this->freeBytes = Segment::free();
        $foreign = Segment::place($this->name)->foreign();
        $this->foreignFiles = array_map(
            static fn (string $file): string => addcslashes($file, "\0..\37\177..\377"),
            array_slice($foreign, 0, self::FOREIGN_MAX)
        );
    }

    private function ask(Shop $shop, LoadedInfo $served): void
    {
        try {
            $this->comparison = $this->compare($shop, $served);
            $this->isUnfollowed = $shop->hasJournalKeys($this->name); // no version that is served here has a mark
        } catch (BloomException $error) {
            $this->comparison = 'failed';
            $this->storeProblem = $error->getMessage();
        }
    }

    private function compare(Shop $shop, LoadedInfo $served): string
    {
        [$head, $override] = Override::published($shop, $this->name);
        if ($head === null) {
            return 'lacking';
        }
        [$override] = Override::choose($override, $head, $this->name, Synced::read(Segment::place($this->name)->syncFile)['overrideFromMs']);
        $head = $override->head ?? $head;
        $this->publishedAt = $head->builtMs / 1000;
        if ($head->checksum() === $served->checksum) {
            return 'same';
        }
        $this->override = $override;
        if ($override !== null) {
            return 'elsewhere';
        }
        if ($this->publishedAt < $served->builtAt) {
            return 'ahead';
        }
        $isPrevious = Collecting::validHead($shop, "$this->name:previous")?->checksum() === $served->checksum;
        return $isPrevious ? 'one behind' : 'behind';
    }

    // ---- the rules, the worst first ----

    private function result(): Health
    {
        $reasons = [
            'critical' => [$this->problem, ...($this->info === null ? [] : $this->failures($this->info))],
            'warning' => $this->info === null ? [] : $this->warnings($this->info),
            'unknown' => [$this->comparison === 'failed' ? "the store's version is unknown: $this->storeProblem" : null],
        ];
        $reasons = array_filter(array_map(
            static fn (array $some): array => array_values(array_filter($some, static fn (?string $one): bool => $one !== null)),
            $reasons
        ));
        return Infos::make(Health::class, [
            'name' => $this->name,
            'status' => HealthStatus::from(array_key_first($reasons) ?? 'ok'),
            'reasons' => array_merge(...array_values($reasons)),
            'notes' => $this->notes(),
            'isReady' => $this->info !== null,
            'info' => $this->info,
            'buildAge' => $this->buildAge,
            'syncAge' => $this->loaded?->syncedSecondsAgo,
            'behind' => ['same' => 0, 'one behind' => 1][$this->comparison ?? ''] ?? null,
            'reloadBytes' => $this->reloadBytes,
            'freeBytes' => $this->freeBytes,
            'foreignFiles' => $this->foreignFiles,
        ]);
    }

    /** @return list<string> what an operator has to know although it is no reason to worry */
    private function notes(): array
    {
        $loaded = $this->loaded;
        return match (true) {
            $loaded === null => [],
            $loaded->pinnedSince !== null => ["pinned to version $loaded->checksum since " . self::time($loaded->pinnedSince)],
            $loaded->rolledBackAt !== null => ["rolled back to version $loaded->checksum at " . self::time($loaded->rolledBackAt)],
            default => [],
        };
    }

    /** @return list<string|null> */
    private function failures(FilterInfo $info): array
    {
        $loaded = $this->loaded;
        $isTrusted = $loaded?->journal->isComplete ?? true;
        $rate = $loaded->lookupFalsePositiveRate ?? $info->measuredFalsePositiveRate;
        $failures = $loaded->syncFailuresInRow ?? 0;
        return [
            $failures > $this->maxFailures ? self::times($failures, 'sync') . ' failed in a row: ' . ($loaded->lastError ?? '') : null,
            match (true) {
                $this->maxSyncAge === null || $loaded === null => null,
                $loaded->syncedSecondsAgo === null => 'never synced',
                $loaded->syncedSecondsAgo > $this->maxSyncAge => self::tooOld('last synced', $loaded->syncedSecondsAgo, $this->maxSyncAge),
                default => null,
            },
            $isTrusted ? null : sprintf('the journal was last read to its end %s ago (at most %s), so every lookup answers "maybe"',
                self::duration($loaded->journal->lag ?? 0.0), self::duration($loaded->journal->maxLag ?? 0.0)),
            $this->isUnfollowed ? "keys are added to the filter's journal, but the served version does not follow it, so lookups miss "
                . 'them (publish a version that was built with a new mark)' : null,
            match (true) {
                $this->maxRate === null => self::excessive('the', $info),
                $rate > $this->maxRate && $isTrusted => sprintf('the false-positive rate of a lookup is %s %% (at most %s %%)',
                    self::percent($rate), self::percent($this->maxRate)),
                default => null,
            },
            $this->maxRate === null ? self::excessive("the journal keys'", $loaded?->journal) : null,
            self::refusesKeys($info) ? "full: it has $info->keys keys and refuses new ones" : null,
            $this->maxBuildAge !== null && $this->buildAge > $this->maxBuildAge
                ? self::tooOld('built', (float) $this->buildAge, $this->maxBuildAge) : null,
            $this->fetchFailures($this->maxFailures, PHP_INT_MAX),
            $this->comparison === 'behind' ? $this->newer() . 'neither its current nor its previous one' : null,
        ];
    }

    /** @return list<string|null> */
    private function warnings(FilterInfo $info): array
    {
        $damages = $this->loaded->damages ?? 0;
        $damageAge = max(0.0, $this->now - ($this->loaded->damagedAt ?? 0.0));
        $foreign = count($this->foreignFiles);
        return [
            $this->comparison === 'one behind' ? $this->newer() . 'its previous one' : null,
            $this->comparison === 'ahead' ? sprintf("the store's version was built %s before the served one, so syncs refuse it",
                self::duration(($this->loaded->builtAt ?? 0.0) - $this->publishedAt)) : null,
            $this->override === null ? null : sprintf(
                $this->override->kind === Override::PIN
                    ? 'hosts are pinned to version %s since %s, and this host does not serve it yet'
                    : 'hosts were rolled back to version %s at %s, and this host does not serve it yet',
                $this->override->head->checksum(),
                self::time($this->override->sinceMs / 1000)
            ),
            $this->comparison === 'lacking' ? 'the store does not have the filter' : null,
            $this->fetchFailures(0, $this->maxFailures),
            self::lag($this->loaded?->journal),
            self::filling($info),
            $info instanceof ScalableInfo && $info->growthFailures > 0 && $info->estimatedKeys > $info->capacity
                ? 'no layer could be added (' . self::times($info->growthFailures, 'attempt') . ' failed)' : null,
            $this->reloadBytes !== null && $this->freeBytes !== null && $this->reloadBytes > $this->freeBytes
                ? sprintf('the next %s needs %d bytes, but only %d are free', $info instanceof ScalableInfo ? 'layer' : 'reload', $this->reloadBytes, $this->freeBytes)
                : null,
            $damages > 0 && $damageAge < self::DAMAGE_SECONDS
                ? 'damage was found and replaced ' . self::times($damages, 'time') . ', last ' . self::duration($damageAge) . ' ago' : null,
            $foreign > 0 ? self::times($foreign, 'foreign file') . ' in its directory: '
                . implode(', ', array_slice($this->foreignFiles, 0, self::FOREIGN_SHOWN)) : null,
        ];
    }

    /** Returns a reason if the measured rate is too high. */
    private static function excessive(string $whose, FilterInfo|JournalInfo|null $part): ?string
    {
        $limit = $part === null ? 0.0 : max($part->falsePositiveRate * self::RATE_FACTOR, Infos::byChance($part));
        if ($part === null || $part->measuredFalsePositiveRate <= $limit) {
            return null;
        }
        return sprintf('%s false-positive rate is %s %% (at most %s %%, requested %s %%)', $whose, self::percent($part->measuredFalsePositiveRate),
            self::percent($limit), self::percent($part->falsePositiveRate));
    }

    private static function refusesKeys(FilterInfo $info): bool
    {
        return $info instanceof LiveInfo && $info->bounded && $info->keys >= $info->capacity;
    }

    private function fetchFailures(int $from, int $to): ?string
    {
        $failures = $this->info instanceof OnDemandInfo ? $this->info->fetchFailuresInRow : 0;
        return $failures > $from && $failures <= $to
            ? $failures . ($failures === 1 ? ' fetch' : ' fetches') . ' failed in a row: ' . ($this->loaded->lastError ?? '') : null;
    }

    private static function lag(?JournalInfo $journal): ?string
    {
        return $journal !== null && $journal->isComplete && $journal->maxLag > 0 && $journal->lag > $journal->maxLag * self::LAG_SHARE
            ? sprintf('the journal was last read to its end %s ago; after %s every lookup answers "maybe"',
                self::duration($journal->lag), self::duration($journal->maxLag))
            : null;
    }

    /** A value of a reverse index counts as one key per level. A scalable filter grows. */
    private static function filling(FilterInfo $info): ?string
    {
        if (!$info instanceof LiveInfo || $info instanceof ScalableInfo || self::refusesKeys($info)) {
            return null;
        }
        $held = $info->estimatedKeys / ($info instanceof \Bloom\LiveIndexInfo ? $info->levels : 1);
        return $held >= $info->capacity * self::FILLING_SHARE ? sprintf('about %.0f keys, capacity %d', $held, $info->capacity) : null;
    }

    // ---- texts ----

    private function newer(): string
    {
        return sprintf('the store has a newer version, built %s ago; the served one is ', self::duration(max(0.0, $this->now - $this->publishedAt)));
    }

    private static function time(float $seconds): string
    {
        return gmdate('Y-m-d H:i:s \U\T\C', (int) $seconds);
    }

    private static function tooOld(string $what, float $age, float $limit): string
    {
        return sprintf('%s %s ago (at most %s)', $what, self::duration($age), self::duration($limit));
    }

    private static function times(int $number, string $noun): string
    {
        return "$number $noun" . ($number === 1 ? '' : 's');
    }

    private static function percent(float $rate): string
    {
        return Filling::short(100 * $rate);
    }

    /** Writes a duration, such as "1 h 5 min", in at most two units. */
    private static function duration(float $seconds): string
    {
        $whole = (int) $seconds;
        foreach ([[172800, 86400, 3600, 'd', 'h'], [3600, 3600, 60, 'h', 'min'], [60, 60, 1, 'min', 's']] as [$from, $one, $smaller, $unit, $rest]) {
            if ($whole >= $from) {
                $more = intdiv($whole % $one, $smaller);
                return intdiv($whole, $one) . " $unit" . ($more > 0 ? " $more $rest" : '');
            }
        }
        return Filling::short($seconds) . ' s';
    }
}
