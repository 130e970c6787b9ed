<?php

namespace Bloom\Cli;

/** Lists the filters in a store. Only directories and Redis can list their keys; the interface Store has no such method. */
final class StoreNames
{
    /** @return list<string> */
    public static function ofDirectory(string $directory, ?bool $isWindows = null): array
    {
        $entries = is_dir($directory) ? @scandir($directory) : false;
        if ($entries === false) {
            throw new Failure(ExitCode::TryAgain, "the store $directory is missing or not a directory");
        }
        $files = array_filter($entries, static fn (string $entry): bool => is_file("$directory/$entry"));
        if (($isWindows ?? System::isWindows()) || in_array('.portable', $entries, true)) {
            $files = array_filter(array_map([System::class, 'nameOfPortable'], $files), is_string(...));
        }
        return self::sorted($files);
    }

    /**
     * Lists the keys of a Redis server or cluster, in steps, so that the server is not blocked.
     *
     * @return list<string>
     */
    public static function ofRedis(object $client, string $prefix, string $shown): array
    {
        $failed = "the store $shown cannot list its filters (name them, as in bloom list tags users STORE)";
        $match = addcslashes($prefix, '\\*?[]') . '*';
        $ask = match (true) {
            $client instanceof \RedisCluster => null,
            $client instanceof \Redis => static fn (string $cursor): mixed
                => $client->rawCommand('SCAN', $cursor, 'MATCH', $match, 'COUNT', '1000'),
            default => static fn (string $cursor): mixed => $client->executeRaw(['SCAN', $cursor, 'MATCH', $match, 'COUNT', '1000']),
        };
        try {
            $keys = [];
            foreach ($ask === null ? $client->_masters() : [null] as $server) {
                $keys = [...$keys, ...self::scan($ask ?? static fn (string $cursor): mixed
                    => $client->rawCommand($server, 'SCAN', $cursor, 'MATCH', $match, 'COUNT', '1000'), $failed)];
            }
        } catch (\RedisException | \RedisClusterException | \Predis\PredisException $thrown) {
            throw new Failure(ExitCode::TryAgain, "$failed: {$thrown->getMessage()}", $thrown);
        }
        return self::sorted(array_map(static fn (string $key): string => substr($key, strlen($prefix)), $keys));
    }

    /**
     * @param callable(string): mixed $ask
     *
     * @return list<string>
     */
    private static function scan(callable $ask, string $failed): array
    {
        $keys = [];
        $cursor = '0';
        do {
            $answer = $ask($cursor);
            if (!is_array($answer) || !is_array($answer[1] ?? null)) {
                throw new Failure(ExitCode::TryAgain, "$failed: SCAN answered "
                    . Text::line(is_string($answer) ? $answer : get_debug_type($answer)));
            }
            $cursor = (string) $answer[0];
            $keys = [...$keys, ...array_filter($answer[1], static fn (string $key): bool => !preg_match('/:[0-9a-f]{32}$/', $key))];
        } while ($cursor !== '0');
        return $keys;
    }

    /** @return list<string> */
    private static function sorted(array $names): array
    {
        $names = array_unique(preg_grep(Names::PATTERN, $names));
        sort($names, SORT_STRING);
        return $names;
    }
}
