<?php

namespace Bloom\Internal;

use Bloom\CountersInfo;
use Bloom\Status;

/**
 * What is counted for a filter. The loads are in `current`, so all processes see them. Each process counts only its own
 * lookups and failures.
 *
 * @internal
 *
 * @phpstan-import-type Current from Place
 * @phpstan-type Load array{generation: int, loadedAt: float, builtAt: float|null, keys: int, bytes: int, seconds: float,
 *         switchSeconds: float, bytesFetched: int}
 * @phpstan-type Loads array{sinceMs: int, bytesFetched: int, bytesSaved: int, loadSeconds: float, switchSeconds: float, history: list<Load>}
 * @phpstan-type Tally array{lookups: int, absent: int, confirmed: int, found: int, failures: array<string, int>,
 *         minutes: array<int, array{int, int}>}
 */
final class Counters
{
    private const HISTORY_MAX = 12;
    private const MINUTES = 60;
    private const NONE = ['lookups' => 0, 'absent' => 0, 'confirmed' => 0, 'found' => 0, 'failures' => [], 'minutes' => []];

    /** @var array<string, Tally> by path */
    private static array $tallies = [];

    /**
     * Returns the loads of a filter after one more.
     *
     * @param Loads|null $before
     * @param Load $load
     *
     * @return Loads
     */
    public static function withLoad(?array $before, array $load, int $saved): array
    {
        return [
            'sinceMs' => $before['sinceMs'] ?? Clock::milliseconds(),
            'bytesFetched' => ($before['bytesFetched'] ?? 0) + $load['bytesFetched'],
            'bytesSaved' => ($before['bytesSaved'] ?? 0) + $saved,
            'loadSeconds' => ($before['loadSeconds'] ?? 0.0) + $load['seconds'],
            'switchSeconds' => ($before['switchSeconds'] ?? 0.0) + $load['switchSeconds'],
            'history' => array_slice([$load, ...($before['history'] ?? [])], 0, self::HISTORY_MAX),
        ];
    }

    public static function count(string $path, int $lookups, int $maybes): void
    {
        $tally = self::$tallies[$path] ?? self::NONE;
        $tally['lookups'] += $lookups;
        $tally['absent'] += $lookups - $maybes;
        $minute = intdiv(Clock::milliseconds(), 60_000);
        [$before, $absent] = $tally['minutes'][$minute] ?? [0, 0];
        $tally['minutes'][$minute] = [$before + $lookups, $absent + $lookups - $maybes];
        if (count($tally['minutes']) > self::MINUTES) {
            ksort($tally['minutes']);
            $tally['minutes'] = array_slice($tally['minutes'], 1, null, true);
        }
        self::$tallies[$path] = $tally;
    }

    public static function confirm(string $path, int $looked, int $found): void
    {
        $tally = self::$tallies[$path] ?? self::NONE;
        $tally['confirmed'] += $looked;
        $tally['found'] += $found;
        self::$tallies[$path] = $tally;
    }

    public static function failed(string $path, \Throwable $error): void
    {
        $status = Status::tryFrom((int) $error->getCode()) ?? Status::Store;
        $tally = self::$tallies[$path] ?? self::NONE;
        $tally['failures'][$status->name] = ($tally['failures'][$status->name] ?? 0) + 1;
        self::$tallies[$path] = $tally;
    }

    /** Forgets what belongs to a filter that was dropped. */
    public static function forget(string $path): void
    {
        unset(self::$tallies[$path]);
    }

    /** @param Loads $loads */
    public static function info(string $path, array $loads): CountersInfo
    {
        $tally = self::$tallies[$path] ?? self::NONE;
        $last = $loads['history'][0] ?? null;
        $maybes = $tally['lookups'] - $tally['absent'];
        return Infos::make(CountersInfo::class, [
            'maybes' => $maybes,
            'observedFalsePositiveRate' => self::observedRate($tally, $maybes),
            'lastLoadSeconds' => $last['seconds'] ?? null,
            'lastSwitchSeconds' => $last['switchSeconds'] ?? null,
            'since' => $loads['sinceMs'] / 1000,
        ] + $tally + $loads);
    }

    /** @param Tally $tally */
    private static function observedRate(array $tally, int $maybes): ?float
    {
        if ($tally['confirmed'] === 0) {
            return null;
        }
        $wrong = $maybes * ($tally['confirmed'] - $tally['found']) / $tally['confirmed'];
        return $wrong + $tally['absent'] > 0 ? $wrong / ($wrong + $tally['absent']) : 0.0;
    }

    /** @return list<array{at: int, lookups: int, absent: int}> */
    public static function activity(string $path): array
    {
        $first = intdiv(Clock::milliseconds(), 60_000) - self::MINUTES;
        $rows = [];
        foreach (self::$tallies[$path]['minutes'] ?? [] as $minute => [$lookups, $absent]) {
            if ($minute > $first) {
                $rows[] = ['at' => 60 * $minute, 'lookups' => $lookups, 'absent' => $absent];
            }
        }
        return $rows;
    }
}
