<?php

namespace Bloom\Cli;

use Bloom\Builder;

/**
 * A builder for the next version of a blob. Shards stay byte-identical only when every key's bits are
 * where they were: same seed, same layout, same number of shards.
 */
final class Likeness
{
    /** Options that ask for another size or layout than the blob's. */
    private const LAYOUT = [
        'capacity', 'falsePositiveRate', 'shardBytes', 'blockBytes', 'probes', 'bitsPerKey', 'scheme',
    ];

    /**
     * @param array $info Blob::info()
     * @param array<string, int|float|string> $given arguments of Builder that come before the blob's
     */
    public static function builder(array $info, array $given): Builder
    {
        if (isset($info['groups'])) {
            throw Failure::usage('--like: the blob is a reverse index, which only ReverseIndexBuilder of PHP builds');
        }
        $arguments = $given + [
            'capacity' => $info['capacity'],
            'falsePositiveRate' => max(1e-9, min(0.5, $info['falsePositiveRate'])),
            'seed' => $info['seed'],
            'chunkBytes' => $info['chunkBytes'],
            'source' => $info['source'],
            'keyed' => $info['keyedBy'] !== null,
        ];
        $isRibbon = $info['scheme'] === 'ribbon';
        $arguments += ['scheme' => $isRibbon ? 'ribbon' : 'bloom'];
        if (array_intersect(self::LAYOUT, array_keys($given)) !== []) {
            return new Builder(...$arguments);
        }
        $arguments += ['shardBytes' => $info['shardBytes']]
            + ($isRibbon ? [] : ['blockBytes' => $info['blockBytes'], 'probes' => $info['probes']]);
        $builder = new Builder(...$arguments);
        $size = ['shards' => 0, 'stripes' => 0];
        if (array_intersect_key($builder->info(), $size) != array_intersect_key($info, $size)) {
            // It was sized by bits per key, or by other code: ask for its very number of shards, from the
            // middle of the range that is rounded up to it.
            $bits = ($info['shards'] - 0.5) * $info['shardBytes'] * 8 / $info['capacity'];
            $builder = new Builder(...$arguments, bitsPerKey: max(1.0, min(1024.0, $bits)));
        }
        return $builder;
    }
}
