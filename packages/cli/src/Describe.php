<?php

namespace Bloom\Cli;

use Bloom\BlobInfo;
use Bloom\FilterInfo;
use Bloom\ForeignFormat;
use Bloom\JournalInfo;
use Bloom\Kind;
use Bloom\LiveInfo;
use Bloom\LoadedInfo;
use Bloom\OnDemandInfo;

/** Formats the result of info() for display. */
final class Describe
{
    /** @return list<string> */
    public static function blob(BlobInfo|LoadedInfo $info): array
    {
        return Text::labelled([
            'source' => $info->source === '' ? null : Text::line($info->source),
            // The blob may have been imported or built: its bytes do not tell.
            'filter' => self::isImported($info) ? 'in the format of ' . self::system($info->format) . ', ' . Text::counted($info->layers, 'layer')
                . ", hashed with {$info->digest}" : null,
            'built' => Text::time($info->builtAt),
            'scheme' => isset($info->valueBits) ? 'map, with values of ' . self::range($info->valueBits) : null,
            ...self::content($info),
            'size' => Text::exactSize($info->bytes) . ($info->keys === 0
                ? ''
                : ', ' . number_format($info->bitsPerKey, 2) . ' bits per key'),
            ...self::geometry($info),
            'chunks' => Text::count($info->chunks) . ' of ' . Text::size($info->chunkBytes),
            'seed' => self::isImported($info) ? null : (string) $info->seed,
            ...self::secrets($info),
            'mark' => $info->mark,
            'format' => "version {$info->formatVersion}, checksum {$info->checksum}",
        ]);
    }

    /** @return list<string> */
    public static function filter(FilterInfo $info): array
    {
        return $info instanceof LiveInfo ? self::live($info) : self::loaded($info);
    }

    /** Returns the kind and, for a loaded filter, whether it is a reverse index or has a journal. */
    public static function kind(FilterInfo $info): string
    {
        $also = match (true) {
            $info->kind !== Kind::Loaded => '',
            isset($info->groups) => ', reverse',
            default => isset($info->journal) ? ', journal' : '',
        };
        return $info->kind->value . $also;
    }

    /** @return list<string> */
    private static function loaded(LoadedInfo $info): array
    {
        return [...Text::labelled([
            'name' => $info->name . ' (' . self::kind($info) . ')',
            'warning' => $info->warning ?? null,
            'generation' => Text::count($info->generation) . ', loaded ' . Text::time($info->loadedAt) . ', '
                . Text::counted($info->loads, 'load') . ' in all',
            'pinned' => $info->pinnedSince === null ? null : 'to this version since ' . Text::time($info->pinnedSince),
            'rolled back' => $info->rolledBackAt === null ? null : 'to this version at ' . Text::time($info->rolledBackAt),
            'segment' => self::segment($info),
            'syncs' => Text::count($info->syncs) . ' done, ' . Text::count($info->syncFailures) . ' failed'
                . ($info->syncedSecondsAgo === null
                    ? ''
                    : ', last one ' . Text::duration($info->syncedSecondsAgo) . ' ago'),
            'last error' => $info->lastError === null
                ? null
                : Text::time($info->lastErrorAt ?? 0.0) . ': ' . Text::line($info->lastError),
            'load error' => $info->loadError === null
                ? null
                : Text::time($info->loadErrorAt ?? 0.0) . ': ' . Text::line($info->loadError) . ', '
                    . Text::counted($info->loadFailuresInRow, 'failure') . ' in a row, ' . Text::count($info->loadFailures) . ' in all',
            'verified' => Text::time($info->verifiedAt) . ', ' . Text::percent($info->verifyProgress)
                . ' of the next pass' . ($info->damages === 0 ? '' : '; ' . self::damages($info->damages, $info->damagedAt)),
            'journal' => isset($info->journal) ? self::journal($info->journal) : null,
            'memory' => $info instanceof OnDemandInfo ? self::held($info) : null,
            'fetching' => $info instanceof OnDemandInfo ? self::fetching($info) : null,
        ]), ...self::blob($info)];
    }

    /** @return list<string> */
    private static function live(LiveInfo $info): array
    {
        $lines = Text::labelled([
            'name' => "{$info->name} ({$info->kind->value})",
            'warning' => $info->warning,
            'created' => Text::time($info->created),
            'segment' => self::segment($info),
            ...self::content($info),
            'size' => Text::exactSize($info->bytes) . ', ' . number_format($info->bitsPerKey, 2)
                . ' bits per key at capacity',
            ...self::geometry($info),
            'window' => isset($info->window)
                ? self::seconds($info->window) . ', next half begins ' . Text::time($info->rotatesAt)
                    . ' with ' . Text::percent($info->nextFill) . ' of the bits set'
                : null,
            'growth' => isset($info->growth)
                ? "each layer has {$info->growth} times the capacity and {$info->tightening} of the rate of the previous one, "
                    . Text::counted($info->growthFailures, 'failure')
                : null,
            'seed' => (string) $info->seed,
            ...self::secrets($info),
        ]);
        foreach ($info->layers as $number => $layer) {
            $lines[] = sprintf('%-16s %s', 'layer ' . $number, Text::count($layer['keys']) . ' of '
                . Text::counted($layer['capacity'], 'key') . ', ' . Text::percent($layer['measuredFalsePositiveRate'])
                . ' measured, ' . Text::percent($layer['falsePositiveRate']) . ' allowed');
        }
        return $lines;
    }

    /** 8 → "8 bits: 0 to 255" */
    private static function range(int $bits): string
    {
        return Text::counted($bits, 'bit') . match (true) {
            $bits === 64 => ': any int',
            $bits > 62 => ': any int from 0',
            default => ': 0 to ' . Text::count((1 << $bits) - 1),
        };
    }

    /** @return array<string, string> */
    private static function content(BlobInfo|FilterInfo $info): array
    {
        $each = isset($info->groups) ? ', one per value and level' : '';
        // Guava stores neither the capacity nor the rate for which a filter was made.
        $isEstimated = self::isImported($info) && $info->format === ForeignFormat::Guava;
        return [
            'keys' => self::keys($info) . "$each, capacity " . Text::count($info->capacity) . ($each === '' ? '' : ' values')
                . ($isEstimated ? ' (estimated)' : ''),
            'false positives' => Text::percent($info->measuredFalsePositiveRate) . ' measured, '
                . (self::isImported($info) ? '' : Text::percent($info->predictedFalsePositiveRate) . ' predicted, ')
                . Text::percent($info->falsePositiveRate) . ($isEstimated ? ' at its capacity (estimated)' : ' requested'),
            'fill' => Text::percent($info->fill)
                . (isset($info->stripes) ? ' of the slots hold a key' : ' of the bits are set'),
        ];
    }

    /** Gives the estimate first. Keys whose bits were all set already when they were added are not counted. */
    private static function keys(BlobInfo|FilterInfo $info): string
    {
        return self::estimate($info, 'distinct key') . ($info->keys >= $info->estimatedKeys
            ? ''
            : ' (' . Text::count($info->keys) . ' were definitely new when they were added)');
    }

    /** If the number of definitely new keys equals the estimate, both are probably exact. */
    private static function estimate(BlobInfo|FilterInfo $info, string $noun): string
    {
        return ($info->keys === $info->estimatedKeys ? '' : 'about ') . Text::counted(self::likelyKeys($info), $noun);
    }

    /** Counting and sliding filters lose keys, so their number of added keys is not a lower limit. */
    public static function likelyKeys(BlobInfo|FilterInfo $info): int
    {
        $losesKeys = $info instanceof FilterInfo && in_array($info->kind, [Kind::Counting, Kind::Sliding], true);
        return $losesKeys ? $info->estimatedKeys : max($info->keys, $info->estimatedKeys);
    }

    /** @return array<string, string|null> */
    private static function geometry(BlobInfo|FilterInfo $info): array
    {
        return [
            'layout' => Text::counted($info->shards, 'shard') . ' of ' . Text::size($info->shardBytes)
                . (self::isImported($info) ? ', up to ' . Text::counted($info->probes, 'probe') . ' per layer'
                    : self::inShards($info->stripes ?? null, $info->blockBytes, $info->probes, $info->valueBits ?? null)),
            'reverse index' => isset($info->groups)
                ? Text::counted($info->groups, 'group') . ", {$info->fanOut} children per node, "
                    . Text::counted($info->levels, 'level') . ', '
                    . sprintf('%.2h', $info->expectedWrongGroups) . ' wrong groups per answer'
                : null,
        ];
    }

    private static function isImported(BlobInfo|FilterInfo $info): bool
    {
        return isset($info->format);
    }

    private static function system(ForeignFormat $format): string
    {
        return match ($format) {
            ForeignFormat::RedisBloom => 'RedisBloom',
            ForeignFormat::Guava => 'Guava',
            default => $format->value,
        };
    }

    /** Describes the layout within the shards of a builder or blob. */
    public static function inShards(?int $stripes, int $blockBytes, int $probes, ?int $valueBits = null): string
    {
        return $stripes !== null
            ? ', each with ' . Text::counted($stripes, 'ribbon stripe') . ' of ' . ($valueBits === null ? '' : "$valueBits + ")
                . $probes . ' or ' . Text::counted($probes + 1, 'bit') . ' per key'
            : ', blocks of ' . Text::size($blockBytes) . ', ' . Text::counted($probes, 'probe');
    }

    /** @return array<string, string|null> */
    private static function secrets(BlobInfo|FilterInfo $info): array
    {
        return [
            'keyed' => $info->keyedBy === null ? null : "{$info->digest}, with secret {$info->keyedBy}",
            'signed' => isset($info->signedBy) ? "by {$info->signedBy} (not verified here)" : null,
        ];
    }

    private static function journal(JournalInfo $journal): string
    {
        return Text::counted($journal->keys, 'key') . ' from ' . Text::counted($journal->records, 'record')
            . ', complete ' . self::ago($journal->lag) . ' (at most ' . self::limit($journal->maxLag) . '), '
            . Text::percent($journal->measuredFalsePositiveRate) . ' false positives, ' . Text::size($journal->bytes);
    }

    private static function ago(float $seconds): string
    {
        return ($seconds < 60 ? sprintf('%.1F s', $seconds) : Text::duration($seconds)) . ' ago';
    }

    private static function limit(float $maxLag): string
    {
        return $maxLag > 0 ? self::seconds($maxLag) : 'any age';
    }

    /** Describes the damage that syncs have found in the served file. */
    public static function damages(int $damages, ?float $last): string
    {
        return 'damage found ' . Text::counted($damages, 'time') . ', last ' . Text::time($last ?? 0.0);
    }

    /** Describes the resident chunks of an on-demand filter. */
    private static function held(OnDemandInfo $info): string
    {
        return Text::count($info->chunksHere) . ' of ' . Text::counted($info->chunks, 'chunk') . ', room for '
            . Text::count($info->chunksRoom) . ' in ' . Text::size($info->memory) . '; '
            . Text::counted($info->misses, 'lookup') . ' missed, ' . Text::count($info->untold)
            . ' of them answered "maybe"';
    }

    private static function fetching(OnDemandInfo $info): string
    {
        return Text::counted($info->fetched, 'chunk') . ' fetched, ' . Text::count($info->evicted) . ' evicted; '
            . Text::counted($info->fetchFailures, 'failure')
            . ($info->fetchPause > 0 ? ', the store is paused for ' . self::seconds($info->fetchPause) : '');
    }

    private static function segment(FilterInfo $info): string
    {
        $limit = $info->memoryLimit > 0 ? ', limit ' . Text::size($info->memoryLimit) : '';
        return Text::line($info->segment) . ', ' . Text::size($info->segmentBytes) . $limit;
    }

    private static function seconds(float $seconds): string
    {
        return $seconds < 60 ? "$seconds s" : Text::duration($seconds);
    }

    /** Summarizes a blob in one line. */
    public static function briefly(BlobInfo|FilterInfo $info): string
    {
        return (self::isImported($info) ? "a {$info->format->value} filter, " : '') . (isset($info->valueBits) ? "a map of {$info->valueBits}-bit values, " : '') . (isset($info->groups) ? 'a reverse index of ' . Text::counted($info->groups, 'group') . ', ' : '')
            . self::estimate($info, 'key') . ', ' . Text::size($info->bytes) . ', '
            . Text::percent($info->measuredFalsePositiveRate) . ' false positives';
    }
}
