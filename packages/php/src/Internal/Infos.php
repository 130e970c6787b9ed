<?php

namespace Bloom\Internal;

use Bloom\BlobInfo;
use Bloom\BuilderInfo;
use Bloom\Info;
use Bloom\Scheme;

/**
 * Makes the objects that info() returns.
 *
 * @internal
 */
final class Infos
{
    /** @var \WeakMap<Info, float>|null */
    private static ?\WeakMap $byChance = null;

    /**
     * @template T of Info
     *
     * @param class-string<T> $class
     * @param array<string, mixed> $values by property; the missing ones are null
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
            $declared->setValue($info, $values[$property->name] ?? null);
        }
        self::$byChance ??= new \WeakMap();
        $rate = $values['byChance'] ?? null;
        self::$byChance[$info] = is_float($rate) ? $rate : 0.0;
        return $info;
    }

    /** Returns the highest measured rate that chance explains in a filter at capacity; 0: unknown. */
    public static function byChance(Info $info): float
    {
        return self::$byChance[$info] ?? 0.0;
    }

    public static function ofBlob(Head $head): BlobInfo
    {
        return self::make(BlobInfo::class, self::head($head));
    }

    /** @return array<string, mixed> */
    public static function head(Head $head): array
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
    public static function geometry(Geometry $geometry, float $rate): array
    {
        $isIndex = $geometry->groups !== 0;
        return [
            'scheme' => match (true) {
                $isIndex => Scheme::Reverse,
                $geometry->stripes !== 0 => Scheme::Ribbon,
                default => Scheme::Bloom,
            },
            'stripes' => $geometry->stripes ?: null,
            'shards' => $geometry->shards,
            'shardBytes' => $geometry->shardBytes,
            'blockBytes' => $geometry->blockBytes,
            'probes' => $geometry->probes,
            'seed' => $geometry->seed,
            'digest' => $geometry->fingerprint !== 0 ? 'SipHash-2-4' : 'XXH3-64',
            'keyedBy' => self::fingerprint($geometry->fingerprint),
            'groups' => $isIndex ? $geometry->groups : null,
            'fanOut' => $isIndex ? $geometry->fanOut : null,
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
