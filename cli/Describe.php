<?php

namespace Bloom\Cli;

/** What info() says, as lines for people. */
final class Describe
{
    /**
     * @param array $info Blob::info() or Filter::info()
     * @return list<string>
     */
    public static function blob(array $info): array
    {
        return self::labelled([
            'source' => $info['source'] === '' ? null : Text::line($info['source']),
            'built' => Text::time($info['builtAt']),
            'keys' => Text::count($info['keys']) . ' (' . Text::count($info['estimatedKeys'])
                . ' estimated), capacity ' . Text::count($info['capacity']),
            'false positives' => Text::percent($info['measuredFalsePositiveRate']) . ' measured, '
                . Text::percent($info['predictedFalsePositiveRate']) . ' predicted, '
                . Text::percent($info['falsePositiveRate']) . ' asked for',
            'fill' => Text::percent($info['fill']) . ' of the bits are set',
            'size' => Text::exactSize($info['bytes']) . ($info['keys'] === 0
                ? ''
                : ', ' . number_format($info['bitsPerKey'], 2) . ' bits per key'),
            'layout' => Text::counted($info['shards'], 'shard') . ' of ' . Text::size($info['shardBytes'])
                . ', blocks of ' . Text::size($info['blockBytes']) . ', '
                . Text::counted($info['probes'], 'probe'),
            'chunks' => Text::count($info['chunks']) . ' of ' . Text::size($info['chunkBytes']),
            'seed' => (string) $info['seed'],
            'format' => "version {$info['formatVersion']}, checksum {$info['checksum']}",
        ]);
    }

    /**
     * @param array $info Filter::info()
     * @return list<string>
     */
    public static function filter(array $info): array
    {
        $limit = $info['memoryLimit'] > 0 ? ', limit ' . Text::size($info['memoryLimit']) : '';
        return [...self::labelled([
            'name' => $info['name'] . " ({$info['kind']})",
            'generation' => Text::count($info['generation']) . ', loaded ' . Text::time($info['loadedAt']) . ', '
                . Text::counted($info['loads'], 'load') . ' in all',
            'segment' => Text::line($info['segment']) . ', ' . Text::size($info['segmentBytes']) . $limit,
            'syncs' => Text::count($info['syncs']) . ' done, ' . Text::count($info['syncFailures']) . ' failed'
                . ($info['syncedSecondsAgo'] === null
                    ? ''
                    : ', the last one ' . Text::duration($info['syncedSecondsAgo']) . ' ago'),
            'last error' => $info['lastError'] === null
                ? null
                : Text::time($info['lastErrorAt'] ?? 0.0) . ': ' . Text::line($info['lastError']),
        ]), ...self::blob($info)];
    }

    /** One line about what is in a blob. */
    public static function briefly(array $info): string
    {
        return Text::counted($info['keys'], 'key') . ', ' . Text::size($info['bytes']) . ', '
            . Text::percent($info['measuredFalsePositiveRate']) . ' false positives';
    }

    /**
     * @param array<string, string|null> $values null ones are left out
     * @return list<string>
     */
    private static function labelled(array $values): array
    {
        $lines = [];
        foreach ($values as $label => $value) {
            if ($value !== null) {
                $lines[] = sprintf('%-16s %s', $label, $value);
            }
        }
        return $lines;
    }
}
