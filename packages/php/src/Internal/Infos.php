<?php

namespace Bloom\Internal;

use Bloom\BlobInfo;
use Bloom\BuilderInfo;
use Bloom\CountersInfo;
use Bloom\FilterInfo;
use Bloom\Info;
use Bloom\JournalInfo;
use Bloom\Kind;
use Bloom\LiveInfo;
use Bloom\LoadedInfo;
use Bloom\OnDemandInfo;
use Bloom\Scheme;
use Bloom\Status;

/**
 * Makes the objects that info() returns.
 *
 * @phpstan-import-type Current from FilterDirectory
 */
final class Infos
{
    private const NONE = ['int' => 0, 'float' => 0.0, 'array' => [], 'string' => '', 'bool' => false];

    /**
     * @template T of Info
     *
     * @param class-string<T> $class
     * @param array<string, mixed> $values by property; what only the extension knows is missing, and becomes null, 0 or empty
     *
     * @return T
     */
    public static function make(string $class, array $values): Info
    {
        $reflected = new \ReflectionClass($class);
        $info = $reflected->newInstanceWithoutConstructor();
        foreach ($reflected->getProperties() as $property) {
            // Only the class that declares a readonly property may initialize it.
            $declared = new \ReflectionProperty($property->class, $property->name);
            $type = (string) $property->getType();
            $declared->setValue($info, $values[$property->name] ?? self::NONE[$type] ?? null);
        }
        return $info;
    }

    /** @param Current $current */
    public static function ofFilter(FilterDirectory $directory, array $current): FilterInfo
    {
        $kind = Kind::from($current['kind']);
        return self::make(match ($kind) {
            Kind::Loaded => LoadedInfo::class,
            Kind::OnDemand => OnDemandInfo::class,
            default => LiveInfo::class,
        }, ($current['file'] === null ? self::live($directory, $current) : self::loaded($directory, $current)) + [
            'name' => $directory->name,
            'kind' => $kind,
            'generation' => $current['generation'],
            'loadedAt' => $current['loadedMs'] / 1000,
            'loads' => $current['generation'],
            'segment' => Segment::path(),
            'counters' => self::make(CountersInfo::class, ['since' => $current['loadedMs'] / 1000]),
        ]);
    }

    /**
     * @param Current $current
     *
     * @return array<string, mixed>
     */
    private static function live(FilterDirectory $directory, array $current): array
    {
        $set = KeySet::read($directory->file((string) $current['keys'])) ?? throw Failure::of(Status::Unmapped, $directory->name);
        $params = $current['params'] ?? throw new \LogicException('only live filters have parameters');
        $keys = $current['kind'] === Kind::Counting->value ? $set->total() : count($set->keys($params['windowMs']));
        $created = $current['loadedMs'] / 1000;
        return ['keys' => $keys, 'estimatedKeys' => $keys, 'falsePositiveRate' => $params['rate'], 'fill' => $keys / $params['capacity'],
            'bytes' => $set->fileBytes(), 'bitsPerKey' => 8 * $set->fileBytes() / $params['capacity'], 'digest' => 'none', 'created' => $created,
            'window' => $params['windowMs'] / 1000, 'rotatesAt' => $created,
            'expiresAt' => $current['expiresMs'] === null ? null : $current['expiresMs'] / 1000] + $params;
    }

    /**
     * @param Current $current
     *
     * @return array<string, mixed>
     */
    private static function loaded(FilterDirectory $directory, array $current): array
    {
        $head = $directory->answers($current)->head ?? throw Failure::of(Status::Unmapped, $directory->name);
        $set = $current['keys'] === null ? null : KeySet::read($directory->file($current['keys']));
        $maxLag = $current['maxLagMs'] ?: KeySet::LAG_MS_MAX;
        return ['memory' => $head->fileBytes, 'memoryAsked' => $current['memory'], 'chunksHere' => $head->chunks(),
            'chunksRoom' => $head->chunks(), 'lookupFalsePositiveRate' => $head->measuredRate(), 'verifiedAt' => $current['loadedMs'] / 1000,
            'journal' => $set === null ? null : self::make(JournalInfo::class, ['position' => JournalReader::split($set->position)[0],
                'lag' => $set->lag() / 1000, 'maxLag' => $maxLag === PHP_INT_MAX ? 0.0 : $maxLag / 1000,
                'isComplete' => !$set->lacksKeys && $set->lag() <= $maxLag, 'recordsLost' => $set->lacksKeys, 'mayLackKeys' => $set->lacksKeys,
                'keys' => count($set->keys()), 'bytes' => $set->fileBytes()]),
        ] + self::head($head) + Sync::info($directory);
    }

    public static function ofBlob(Head $head): BlobInfo
    {
        return self::make(BlobInfo::class, self::head($head));
    }

    /** @return array<string, mixed> */
    private static function head(Head $head): array
    {
        $geometry = $head->geometry;
        $isRibbon = $geometry->stripes !== 0;
        $estimated = $isRibbon ? $head->keys : (int) round(Measure::estimatedKeys($geometry, $head->setBits));
        return [
            'keys' => $head->keys,
            'estimatedKeys' => $estimated,
            'capacity' => $head->capacity,
            'falsePositiveRate' => $head->askedRate(),
            'measuredFalsePositiveRate' => $head->measuredRate(),
            'predictedFalsePositiveRate' => Sizing::rate($geometry, $estimated),
            'fill' => $isRibbon ? $head->keys / (64 * $geometry->stripes * $geometry->shards)
                : $head->setBits / ($geometry->bytes() * 8),
            'setBits' => $isRibbon ? null : $head->setBits,
            'bytes' => $head->fileBytes,
            'bitsPerKey' => $head->fileBytes * 8 / max(1, $head->keys),
            'chunks' => $head->chunks(),
            'chunkBytes' => $head->chunkBytes,
            'source' => $head->source,
            'builtAt' => $head->builtMs / 1000,
            'formatVersion' => 1,
            'checksum' => $head->checksum(),
            'signedBy' => self::fingerprint($head->signedBy),
            'mark' => $head->mark === '' ? null : $head->mark,
        ] + self::geometry($geometry, $head->measuredRate());
    }

    /** @return array<string, mixed> */
    private static function geometry(Geometry $geometry, float $rate): array
    {
        $isIndex = $geometry->groups !== 0;
        /** @var array<string, mixed> 0 becomes null */
        return array_filter(get_object_vars($geometry)) + [
            'scheme' => $isIndex ? Scheme::Reverse : ($geometry->stripes !== 0 ? Scheme::Ribbon : Scheme::Bloom),
            'seed' => 0,
            'digest' => $geometry->fingerprint !== 0 ? 'SipHash-2-4' : 'XXH3-64',
            'keyedBy' => self::fingerprint($geometry->fingerprint),
            'levels' => $isIndex ? $geometry->levels() : null,
            'expectedWrongGroups' => $isIndex ? Sizing::wrongGroups($geometry, $rate, 1) : null,
        ];
    }

    public static function ofBuilder(Geometry $geometry, Meta $meta, int $keys, int $added): BuilderInfo
    {
        $predicted = Sizing::rate($geometry, $meta->capacity * $geometry->levels());
        $bytes = Head::bytesFor($geometry, $meta->chunkBytes) + $geometry->bytes();
        return self::make(BuilderInfo::class, [
            'capacity' => $meta->capacity,
            'falsePositiveRate' => $meta->askedRate,
            'predictedFalsePositiveRate' => $predicted,
            'keys' => $keys,
            'added' => $added,
            'bytes' => $bytes,
            'bitsPerKey' => $bytes * 8 / $meta->capacity,
            'chunkBytes' => $meta->chunkBytes,
            'source' => $meta->source,
        ] + self::geometry($geometry, $predicted));
    }

    private static function fingerprint(int $fingerprint): ?string
    {
        return $fingerprint === 0 ? null : sprintf('%016x', $fingerprint);
    }
}
