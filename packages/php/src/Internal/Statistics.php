<?php

namespace Bloom\Internal;

use Bloom\FilterInfo;
use Bloom\Kind;
use Bloom\LiveIndexInfo;
use Bloom\LiveInfo;
use Bloom\LoadedIndexInfo;
use Bloom\LoadedInfo;
use Bloom\OnDemandInfo;
use Bloom\ScalableInfo;
use Bloom\SlidingInfo;
use Bloom\Status;

/**
 * What info() of a filter returns.
 *
 * @internal
 *
 * @phpstan-import-type Current from Place
 * @phpstan-import-type Measured from Live
 */
final class Statistics
{
    /** @param Current $current */
    public static function of(Place $place, array $current): FilterInfo
    {
        $values = ($current['isBlob'] ? self::loaded($place, $current) : self::live($place, $current)) + [
            'name' => $place->name,
            'kind' => Kind::from($current['kind']),
            'generation' => $current['generation'],
            'loadedAt' => $current['loadedMs'] / 1000,
            'loads' => $current['loads'],
            'segment' => Segment::path(),
            'segmentBytes' => Segment::bytes(),
            'memoryLimit' => Segment::limit(),
            'mapFailures' => 0,
            'counters' => Counters::info($place->syncFile, $current['counters']),
        ];
        return Infos::make(match (Kind::from($current['kind'])) {
            Kind::Loaded => $current['isIndex'] ? LoadedIndexInfo::class : LoadedInfo::class,
            Kind::OnDemand => OnDemandInfo::class,
            Kind::Scalable => ScalableInfo::class,
            Kind::Sliding => SlidingInfo::class,
            Kind::Reverse => LiveIndexInfo::class,
            default => LiveInfo::class,
        }, $values);
    }

    /**
     * @param Current $current
     *
     * @return array<string, mixed>
     */
    private static function live(Place $place, array $current): array
    {
        /** @var array<string, mixed> */
        return self::measure($place, $current['file']) + ['expiresAt' => $current['expiresMs'] !== null ? $current['expiresMs'] / 1000 : null];
    }

    /** @return Measured */
    private static function measure(Place $place, string $file): array
    {
        return $place->live($file, false, fn (Live $live): array => $live->info()) ?? throw Failure::of(Status::Unmapped, $place->name);
    }

    /**
     * @param Current $current
     *
     * @return array<string, mixed>
     */
    private static function loaded(Place $place, array $current): array
    {
        $head = $place->answers($current)->head ?? throw Failure::of(Status::Unmapped, $place->name);
        $byChance = Sizing::byChance($head->askedRate(), Sizing::variance($head->geometry, $head->capacity * $head->geometry->levels()));
        /** @psalm-suppress MixedArgumentTypeCoercion the type of info() names only some of the keys */
        return [
            'warning' => Live::warning('the', $head->measuredRate(), $head->askedRate(), $byChance),
            'lookupFalsePositiveRate' => $head->measuredRate(),
            'byChance' => $byChance,
            'verifiedAt' => $current['loadedMs'] / 1000,
            'verifyProgress' => 0.0,
            'damages' => 0,
        ] + self::onDemand($current, $head) + Infos::head($head) + Synced::info(Synced::read($place->syncFile), $current['generation']);
    }

    /**
     * @param Current $current
     *
     * @return array<string, mixed> an on-demand filter has all chunks here
     */
    private static function onDemand(array $current, Head $head): array
    {
        return ['memory' => $head->fileBytes, 'memoryAsked' => $current['memory'], 'chunksHere' => $head->chunks(),
            'chunksRoom' => $head->chunks(), 'misses' => 0, 'untold' => 0, 'fetched' => $head->chunks(), 'evicted' => 0,
            'fetchFailures' => 0, 'fetchFailuresInRow' => 0, 'fetchPause' => 0.0];
    }
}
