<?php

namespace Bloom\Internal;

use Bloom\BlobInfo;
use Bloom\BuilderInfo;
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
    /**
     * @template T of Info
     *
     * @param class-string<T> $class
     * @param array<string, mixed> $values
     *
     * @return T
     */
    private static function make(string $class, array $values): Info
    {
        $info = (new \ReflectionClass($class))->newInstanceWithoutConstructor();
        foreach ($values as $name => $value) {
            $info->$name = $value; // @phpstan-ignore property.dynamicName
        }
        return $info;
    }

    /** @param Current $current */
    public static function ofFilter(FilterDirectory $directory, array $current): FilterInfo
    {
        $kind = Kind::from($current['kind']);
        $class = match ($kind) {
            Kind::Loaded, Kind::Map => LoadedInfo::class,
            Kind::OnDemand => OnDemandInfo::class,
            default => LiveInfo::class,
        };
        return self::make($class, [
            'name' => $directory->name,
            'kind' => $kind,
            'generation' => $current['generation'],
            'loadedAt' => $current['loadedMs'] / 1000,
            'segment' => Segment::path(),
            'warning' => null,
        ] + ($current['file'] === null ? self::live($directory, $current) : self::loaded($directory, $current)));
    }

    /**
     * @param Current $current
     *
     * @return array<string, mixed>
     */
    private static function live(FilterDirectory $directory, array $current): array
    {
        $set = KeySet::read($directory->file((string) $current['keys']))
            ?? throw Failure::of(Status::Unmapped, $directory->name);
        $params = $current['params'] ?? throw new \LogicException('only live filters have parameters');
        $keys = $current['kind'] === Kind::Counting->value ? $set->total() : count($set->keys($params['windowMs']));
        return [
            'keys' => $keys,
            'estimatedKeys' => $keys,
            'capacity' => $params['capacity'],
            'falsePositiveRate' => $params['rate'],
            'measuredFalsePositiveRate' => 0.0,
            'fill' => $keys / $params['capacity'],
            'bytes' => $set->fileBytes(),
            'seed' => $params['seed'],
            'created' => $current['loadedMs'] / 1000,
            'expiresAt' => $current['expiresMs'] === null ? null : $current['expiresMs'] / 1000,
            'bounded' => $params['bounded'],
        ];
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
        $maxLag = $current['maxLagMs'] ?? KeySet::LAG_MS_MAX;
        return self::head($head) + Sync::info($directory) + ['journal' => $set === null ? null
            : self::make(JournalInfo::class, [
            'position' => JournalReader::withoutLink($set->position),
            'lag' => $set->lag() / 1000,
            'maxLag' => $maxLag === PHP_INT_MAX ? 0.0 : $maxLag / 1000,
            'isComplete' => !$set->lacksKeys && $set->lag() <= $maxLag,
            'recordsLost' => $set->lacksKeys,
            'mayLackKeys' => $set->lacksKeys,
            'keys' => count($set->keys()),
            'bytes' => $set->fileBytes(),
        ])];
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
        return self::scheme($geometry) + [
            'format' => null,
            'layers' => null,
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
        ] + self::geometry($geometry, $head->measuredRate()) + [
            'chunks' => $head->chunks(),
            'chunkBytes' => $head->chunkBytes,
            'source' => $head->source,
            'builtAt' => $head->builtMs / 1000,
            'formatVersion' => Head::VERSION,
            'checksum' => $head->checksum(),
            'signedBy' => self::fingerprint($head->signedBy),
            'mark' => $head->mark === '' ? null : $head->mark,
        ];
    }

    /** @return array<string, mixed> */
    private static function scheme(Geometry $geometry): array
    {
        return [
            'scheme' => match (true) {
                $geometry->valueBits !== 0 => Scheme::Map,
                $geometry->stripes !== 0 => Scheme::Ribbon,
                default => $geometry->groups !== 0 ? Scheme::Reverse : Scheme::Bloom,
            },
            'stripes' => $geometry->stripes ?: null,
            'valueBits' => $geometry->valueBits ?: null,
        ];
    }

    /** @return array<string, mixed> */
    private static function geometry(Geometry $geometry, float $rate): array
    {
        $isIndex = $geometry->groups !== 0;
        return [
            'shards' => $geometry->shards,
            'shardBytes' => $geometry->shardBytes,
            'blockBytes' => $geometry->blockBytes,
            'probes' => $geometry->probes,
            'seed' => $geometry->seed,
            'digest' => $geometry->fingerprint !== 0 ? 'SipHash-2-4' : 'XXH3-64',
            'keyedBy' => self::fingerprint($geometry->fingerprint),
            'groups' => $geometry->groups ?: null,
            'fanOut' => $geometry->fanOut ?: null,
            'levels' => $isIndex ? $geometry->levels() : null,
            'expectedWrongGroups' => $isIndex ? Sizing::wrongGroups($geometry, $rate, 1) : null,
        ];
    }

    public static function ofBuilder(Geometry $geometry, Meta $meta, int $keys, int $added): BuilderInfo
    {
        $predicted = Sizing::rate($geometry, $meta->capacity * $geometry->levels());
        $bytes = Head::bytesFor($geometry, $meta->chunkBytes) + $geometry->bytes();
        return self::make(BuilderInfo::class, self::scheme($geometry) + [
            'format' => null,
            'capacity' => $meta->capacity,
            'falsePositiveRate' => $meta->askedRate,
            'predictedFalsePositiveRate' => $predicted,
            'keys' => $keys,
            'added' => $added,
            'bytes' => $bytes,
            'bitsPerKey' => $bytes * 8 / $meta->capacity,
        ] + self::geometry($geometry, $predicted) + ['chunkBytes' => $meta->chunkBytes, 'source' => $meta->source]);
    }

    private static function fingerprint(int $fingerprint): ?string
    {
        return $fingerprint === 0 ? null : sprintf('%016x', $fingerprint);
    }
}
