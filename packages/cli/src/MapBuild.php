<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\Kit\Fold;
use Bloom\Layout;
use Bloom\MapBuilder;
use Bloom\Scheme;
use Bloom\Status;
use Symfony\Component\Console\Input\InputInterface;

/** What build does with --map. */
final class MapBuild
{
    /** Options of a filter, with the reason why a map has none. */
    private const OF_FILTERS = [
        'scheme' => 'a map has a scheme of its own',
        'bits-per-key' => 'the size of a map follows from --value-bits and --rate',
        'block-bytes' => 'a map has no blocks',
        'probes' => 'a map has no probes',
        'max-rate' => 'the rate of a map does not depend on the number of its keys',
        'mark' => 'a map follows no journal, because it is replaced as a whole',
        'field' => 'each line of a map is a key, a tab and a value',
        'delimiter' => 'each line of a map is a key, a tab and a value',
    ];
    private const OF_MAPS = ['value-bits', 'on-duplicate'];

    /** Fails if an option does not belong to what is built. */
    public static function check(InputInterface $input): void
    {
        if (!$input->getOption('map')) {
            foreach (self::OF_MAPS as $option) {
                if ($input->getOption($option) !== null) {
                    throw Failure::usage("--$option is an option of maps: add --map, whose lines are a key, a tab and a value");
                }
            }
            return;
        }
        foreach (self::OF_FILTERS as $option => $why) {
            if ($input->getOption($option) !== null) {
                throw Failure::usage("--$option: $why, so leave it out with --map");
            }
        }
        if ($input->getOption('value-bits') === null && $input->getOption('like') === null) {
            throw Failure::usage('--value-bits is missing: --map needs the number of bits of the largest value, such as --value-bits=20 for values up to 1048575');
        }
        Values::choice($input, 'on-duplicate', ['refuse', 'last']);
    }

    /** @param Blob|null $previous that of --like */
    public static function builder(InputInterface $input, ?Blob $previous, ?int $capacity, ?Fold $fold, ?string $source): MapBuilder
    {
        $given = array_filter([
            'capacity' => Values::count($input, 'capacity') ?? $capacity,
            'valueBits' => Values::integer($input, 'value-bits'),
            'falsePositiveRate' => Values::rate($input, 'rate'),
            'seed' => Values::integer($input, 'seed') ?? ($input->getOption('digests') ? 0 : null),
            'layout' => new Layout(Values::bytes($input, 'shard-bytes'), chunkBytes: Values::bytes($input, 'chunk-bytes')),
            'source' => $fold?->mark($source ?? '') ?? $source,
            'keyed' => $input->getOption('keyed') ?: null,
            'onDuplicate' => Values::text($input, 'on-duplicate'),
            'jobs' => Values::integer($input, 'jobs'),
        ], static fn (mixed $value): bool => $value !== null);
        return $previous === null ? new MapBuilder(...$given) : MapBuilder::like($previous, ...$given);
    }

    /** Fails if a blob cannot be the one of --like. */
    public static function checkLike(InputInterface $input, Blob $previous, string $like): void
    {
        $isMap = $previous->info()->scheme === Scheme::Map;
        if ($isMap !== $input->getOption('map')) {
            throw Failure::usage($isMap
                ? "--like: $like is a map: add --map, whose lines are a key, a tab and a value"
                : "--like: $like is not a map: leave out --map, or give the --capacity and --value-bits of a new map");
        }
    }

    public static function finish(MapBuilder $builder, ?float $builtAt, KeyFiles $keys, ?Fold $fold, Progress $progress): Blob
    {
        try {
            return $builder->build($builtAt);
        } catch (BloomException $thrown) {
            throw match ($thrown->getCode()) {
                Status::MapDuplicate->value
                    => MapDuplicate::located(new Failure(ExitCode::Data, $thrown->getMessage(), $thrown), $builder, $keys, $fold, $progress),
                Status::MapPlaces->value => new Failure(ExitCode::TooManyKeys, $thrown->getMessage(), $thrown),
                default => $thrown,
            };
        }
    }
}
