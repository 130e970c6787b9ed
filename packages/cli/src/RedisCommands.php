<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\ForeignFormat;

/** The commands that store a filter in a Redis or Valkey server, as the server's protocol, for redis-cli --pipe. */
final class RedisCommands
{
    /** The largest chunk of BF.SCANDUMP. */
    private const CHUNK_BYTES = 16 * 1024 * 1024;

    private const HEADER_BYTES = 20;
    private const LAYER_BYTES = 53;

    /** @return list<list<string>> */
    public static function of(Blob $blob, string $key): array
    {
        $bytes = $blob->export();
        $info = $blob->info();
        if ($info->format !== ForeignFormat::ValkeyProb) {
            return self::loadChunks($key, $bytes);
        }
        // A client of valkeyprob reads both keys. MSET sets them at once; the braces put them on the same node of a cluster.
        $key = self::inBraces($key);
        return [['MSET', $key, $bytes, "$key:c", (string) $info->keys]];
    }

    /** Returns the key of valkeyprob's bitmap, if it or the name of the filter is given: the clients add the braces. */
    public static function inBraces(string $key): string
    {
        return preg_match('/^\{.*\}$/Ds', $key) === 1 ? $key : "{{$key}}";
    }

    /** @return list<list<string>> */
    private static function loadChunks(string $key, string $bytes): array
    {
        $layers = unpack('V', $bytes, 8)[1];
        $at = self::HEADER_BYTES + $layers * self::LAYER_BYTES;
        $commands = [['BF.LOADCHUNK', $key, '1', substr($bytes, 0, $at)]];
        // The position after a chunk in the bits of all layers, counted from 1. A chunk never crosses the end of a layer.
        $position = 1;
        for ($layer = 0; $layer < $layers; $layer++) {
            $left = unpack('P', $bytes, self::HEADER_BYTES + $layer * self::LAYER_BYTES)[1];
            for (; $left > 0; $left -= $count) {
                $count = min($left, self::CHUNK_BYTES);
                $position += $count;
                $commands[] = ['BF.LOADCHUNK', $key, (string) $position, substr($bytes, $at, $count)];
                $at += $count;
            }
        }
        return $commands;
    }

    /**
     * @param list<string> $command
     *
     * @return iterable<string>
     */
    public static function protocol(array $command): iterable
    {
        yield '*' . count($command) . "\r\n";
        foreach ($command as $word) {
            yield '$' . strlen($word) . "\r\n";
            yield $word;
            yield "\r\n";
        }
    }
}
