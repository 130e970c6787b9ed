<?php

declare(strict_types=1);

namespace Bloom\Kit;

/** The seconds between two syncs of a filter on a host. */
final class Interval
{
    /** What applies until somebody asks for another time. */
    private const MAX_LAG = 60.0;

    public static function default(bool $hasJournal): float
    {
        return $hasJournal ? 1.0 : 60.0;
    }

    /** Returns what is wrong with the interval of a filter that follows a journal, or null. */
    public static function problem(float $interval, ?float $maxLag): ?string
    {
        $maxLag ??= self::MAX_LAG;
        return $maxLag <= 0 || $interval < $maxLag ? null : "$interval s is too long: it must be less than max_lag ($maxLag s),"
            . ' because lookups answer "maybe" if the journal was not read for that long';
    }
}
