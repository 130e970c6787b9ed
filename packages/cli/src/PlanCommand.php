<?php

namespace Bloom\Cli;

use Bloom\MapBuilder;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Predicts the memory and network traffic of a filter. */
final class PlanCommand extends Command
{
    /** A different chunk size is recommended only if it reduces the transfer by at least this factor. */
    private const WORTH_WHILE = 1.25;
    /** If more than this share of the filter is transferred anyway, no different chunk size is recommended. */
    private const NEARLY_ALL = 0.8;
    /** The ribbon filter is shown if its size is at most this share of the planned size. */
    private const MUCH_SMALLER = 0.9;
    /** The smallest shards that are recommended. In smaller ones, a ribbon filter would need many more bits. */
    private const LEAST_SHARD = 1024;
    private const LEAST_RIBBON_SHARD = 8192;

    protected function configure(): void
    {
        $value = InputOption::VALUE_REQUIRED;
        $this->setName('plan')
            ->setDescription('Predicts what a filter will need')
            ->addOption('keys', null, $value, 'Number of keys')
            ->addOption('rate', null, $value, 'False-positive rate, 0.000000001 to 0.5; for a map also 1', '0.01')
            ->addOption('scheme', null, $value, 'bloom, ribbon, or auto for the smaller of the two (default: bloom)')
            ->addOption('map', null, InputOption::VALUE_NONE, 'Plan a map, which has a value for each key')
            ->addOption('value-bits', null, $value, 'With --map: the bits of a value, 1 to 64')
            ->addOption('shard-bytes', null, $value, 'Power of two, 1K to 64K (default: 8K, less for small filters; for '
                . 'ribbon, the size that needs the fewest bytes)')
            ->addOption('chunk-bytes', null, $value, 'Size of the pieces that are published (default: 64K)')
            ->addOption('changed', null, $value, 'Keys added or removed between versions (default: a thousandth of --keys)')
            ->addOption('bandwidth', null, $value, 'Bits per second from the store to a host; K, M and G are powers of 1,000', '100M')
            ->addOption('memory', null, $value, 'Bytes available for the filter on each host (K, M or G)')
            ->addFormat()
            ->setManual(
                <<<'HELP'
                This predicts how large a filter will be, how much memory and space it needs on a host and in the store, and
                how much travels to each host after keys have changed, for several chunk sizes. Nothing is built or loaded.

                  bloom plan --keys 1e7 --changed 1000 --bandwidth 1G --memory 64M
                  bloom plan --keys 1e7 --map --value-bits=20

                A host needs room for two versions while it switches. If they do not fit into `--memory`, the command
                recommends an [on-demand filter](docs/filters.md#ondemandfilter), which keeps only some chunks on the host.
                A map cannot be on demand.

                If a ribbon blob would be at least a tenth smaller, its size is printed as well. Ribbon filters usually have
                larger shards, so a changed key transfers more. When you plan one, the command therefore says whether shards
                of 8 KiB would reduce the transfer, and how many bits per key they cost.

                With `--format=json`, the fields are those of `Builder::info()`, `headBytes`, `chunks`, `reloadBytes`,
                `storeBytes`, `storeBytesMost`, `bandwidth`, `seconds` (of a full transfer), `changed`, `changes` (a list
                with `chunkBytes`, `chunks`, `headBytes`, `changedChunks`, `travelBytes` and `seconds`), `onDemand` (null
                for a map), `ribbon` (`bytes`, `bitsPerKey` and `shardBytes`, or null) and `advice`.
                HELP
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $plan = self::plan($input);
        $info = $plan->info;
        $changed = Values::count($input, 'changed') ?? max(1, intdiv($info->capacity, 1000));
        $memory = Values::bytes($input, 'memory');
        if ($changed < 0 || $memory !== null && $memory < 1) {
            throw Failure::usage($changed < 0 ? "--changed must be 0 or more, not $changed" : "--memory must be at least 1 byte, not $memory");
        }
        $bandwidth = Values::bits($input, 'bandwidth');
        $changes = array_map(static function (int $chunkBytes) use ($plan, $changed, $bandwidth): array {
            $change = $plan->change($chunkBytes, $changed);
            return $change + ['seconds' => $change['travelBytes'] * 8 / $bandwidth];
        }, $plan->chunkSizes());
        $chosen = self::ofSize($changes, $info->chunkBytes);
        $result = array_diff_key($info->jsonSerialize(), ['keys' => 0, 'added' => 0, 'seed' => 0, 'source' => 0]) + [
            'headBytes' => $chosen['headBytes'],
            'chunks' => $chosen['chunks'],
            'reloadBytes' => 2 * $info->bytes,
            'storeBytes' => $info->bytes + $chosen['travelBytes'],
            'storeBytesMost' => 2 * $info->bytes,
            'bandwidth' => $bandwidth,
            'seconds' => $info->bytes * 8 / $bandwidth,
            'changed' => $changed,
            'changes' => $changes,
            'onDemand' => $info->valueBits === null ? self::onDemand($plan, $memory, $bandwidth) : null,
            'ribbon' => self::ribbon($plan),
        ];
        $result['advice'] = self::advice($result, $memory, $plan);
        $report->result($result, static fn (): array => self::describe($result));
        return ExitCode::Ok;
    }

    private static function plan(InputInterface $input): Plan
    {
        $isMap = $input->getOption('map');
        $given = array_filter([
            'capacity' => Values::count($input, 'keys') ?? throw Failure::usage('--keys is missing: write bloom plan --keys=N, such as 80000, 80k or 50M'),
            'falsePositiveRate' => Values::rate($input, 'rate', $isMap ? 1.0 : 0.5),
            'layout' => new \Bloom\Layout(Values::bytes($input, 'shard-bytes'), chunkBytes: Values::bytes($input, 'chunk-bytes')),
        ], static fn (mixed $value): bool => $value !== null);
        $valueBits = Values::integer($input, 'value-bits');
        return match (true) {
            $isMap && $input->getOption('scheme') !== null => throw Failure::usage('--scheme: a map has a scheme of its own, so leave it out with --map'),
            $isMap => new Plan($given + ['valueBits' => $valueBits ?? throw Failure::usage('--value-bits is missing: --map needs the bits of a value, such as --value-bits=20')], MapBuilder::class),
            $valueBits !== null => throw Failure::usage('--value-bits is an option of maps: add --map'),
            default => new Plan($given + Values::ownScheme($input)),
        };
    }

    /**
     * Each chunk is a single shard, so that a lookup fetches as little as possible. Two versions exist during a switch, so
     * each version gets half of the memory.
     */
    private static function onDemand(Plan $plan, ?int $memory, float $bandwidth): array
    {
        $chunkBytes = $plan->info->shardBytes;
        $chunks = $plan->chunks($chunkBytes);
        $memory = $memory === null ? null : intdiv($memory, 2);
        ['leastMemory' => $least, 'mostMemory' => $most, 'chunksRoom' => $room] = $plan->onDemand($chunkBytes, $memory ?? 0);
        $room = $memory === null ? null : $room;
        return [
            'chunkBytes' => $chunkBytes,
            'chunks' => $chunks,
            'headBytes' => $plan->headBytes($chunkBytes),
            'leastMemory' => $least,
            'mostMemory' => $most,
            'memory' => $memory,
            'chunksRoom' => $room,
            'residentShare' => $room === null ? null : $room / $chunks,
            'keysHeld' => $room === null ? null : Plan::keysHeld($room, $chunks),
            'travelBytes' => $plan->headBytes($chunkBytes),
            'seconds' => $plan->headBytes($chunkBytes) * 8 / $bandwidth,
        ];
    }

    /** Returns the size of the ribbon filter for the same keys and rate, or null if it is not much smaller. */
    private static function ribbon(Plan $plan): ?array
    {
        $ribbon = $plan->ribbon();
        return $ribbon === null || $ribbon->bytes > self::MUCH_SMALLER * $plan->info->bytes
            ? null
            : ['bytes' => $ribbon->bytes, 'bitsPerKey' => $ribbon->bitsPerKey, 'shardBytes' => $ribbon->shardBytes];
    }

    private static function ofSize(array $changes, int $chunkBytes): array
    {
        return $changes[array_search($chunkBytes, array_column($changes, 'chunkBytes'), true)];
    }

    private static function advice(array $result, ?int $memory, Plan $plan): string
    {
        $onDemand = $result['onDemand'];
        if ($memory !== null && $memory < $result['reloadBytes']) {
            if ($onDemand === null) {
                return 'The map does not fit into the memory: allow a higher --rate or fewer --value-bits, or give at least '
                    . Text::size($result['reloadBytes']) . '.';
            }
            if ($onDemand['chunksRoom'] < 1) {
                return 'Neither form fits into the memory: allow a higher --rate, or give at least '
                    . Text::size(2 * $onDemand['leastMemory']) . '.';
            }
            return 'On demand, with --chunk-bytes=' . self::option($onDemand['chunkBytes']) . ' and attached with '
                . Text::size($onDemand['memory']) . ': the plain form needs '
                . Text::size($result['reloadBytes']) . ' to reload. ' . ($onDemand['keysHeld'] === null
                    ? 'The whole filter fits.'
                    : 'This is useful if most lookups repeat about ' . Text::counted($onDemand['keysHeld'], 'different key')
                        . '; each other key costs a request to the store.'
                        . ($onDemand['chunkBytes'] > self::leastShard($result)
                            ? ' --shard-bytes=' . self::option(self::leastShard($result)) . ' allows chunks of '
                                . Text::size(self::leastShard($result)) . ', so the same memory serves more keys.'
                            : ''));
        }
        $best = $result['changes'][0];
        foreach ($result['changes'] as $change) {
            $best = $change['travelBytes'] < $best['travelBytes'] ? $change : $best;
        }
        $chosen = self::ofSize($result['changes'], $result['chunkBytes']);
        $smaller = self::adviseSmallerShards($plan, $result, $best['travelBytes']);
        if ($smaller !== null) {
            return $smaller;
        }
        if ($best['travelBytes'] > self::NEARLY_ALL * $result['bytes']) {
            return 'The plain form, with chunks of ' . Text::size($chosen['chunkBytes'])
                . ': after so many changes nearly the whole filter is transferred, regardless of the chunk size.';
        }
        if ($chosen['travelBytes'] <= self::WORTH_WHILE * $best['travelBytes']) {
            return 'The plain form, with chunks of ' . Text::size($chosen['chunkBytes']) . '.';
        }
        return 'The plain form, with --chunk-bytes=' . self::option($best['chunkBytes']) . ': '
            . Text::size($best['travelBytes']) . ' are transferred instead of ' . Text::size($chosen['travelBytes']) . '.';
    }

    private static function leastShard(array $result): int
    {
        return $result['stripes'] !== null ? self::LEAST_RIBBON_SHARD : self::LEAST_SHARD;
    }

    /** Returns the advice to use smaller shards if they reduce the transfer enough. A changed key changes its whole shard. */
    private static function adviseSmallerShards(Plan $plan, array $result, int $travelBytes): ?string
    {
        $smaller = $plan->inSmallerShards(self::LEAST_RIBBON_SHARD);
        $change = $smaller?->change(self::LEAST_RIBBON_SHARD, $result['changed']);
        if ($change === null || self::WORTH_WHILE * $change['travelBytes'] >= $travelBytes) {
            return null;
        }
        $option = self::option(self::LEAST_RIBBON_SHARD);
        return "The plain form, with --shard-bytes=$option --chunk-bytes=$option: " . Text::size($change['travelBytes'])
            . ' are transferred instead of ' . Text::size($travelBytes) . ', but the filter needs '
            . number_format($smaller->info->bitsPerKey, 2) . ' instead of ' . number_format($result['bitsPerKey'], 2)
            . ' bits per key.';
    }

    /** 65536 → "64K" */
    private static function option(int $bytes): string
    {
        return $bytes % 1024 === 0 ? intdiv($bytes, 1024) . 'K' : (string) $bytes;
    }

    /** @return list<string> */
    private static function describe(array $result): array
    {
        $changed = Text::counted($result['changed'], 'key');
        $onDemand = $result['onDemand'];
        $lines = Text::labelled([
            'layout' => Text::counted($result['shards'], 'shard') . ' of ' . Text::size($result['shardBytes'])
                . Describe::inShards($result['stripes'], $result['blockBytes'], $result['probes'], $result['valueBits']),
            'false positives' => Text::percent($result['predictedFalsePositiveRate']) . ' predicted, '
                . Text::percent($result['falsePositiveRate']) . ' requested',
            'size' => Text::exactSize($result['bytes']) . ', ' . number_format($result['bitsPerKey'], 2)
                . ' bits per key, head ' . Text::size($result['headBytes']),
            'chunks' => Text::count($result['chunks']) . ' of ' . Text::size($result['chunkBytes']),
            'each host' => Text::size($result['bytes']) . ', during a reload ' . Text::size($result['reloadBytes']),
            'store' => Text::size($result['storeBytes']) . " for two versions that differ by $changed, at most "
                . Text::size($result['storeBytesMost']),
            'full transfer' => self::seconds($result['seconds']) . ' at ' . self::bits($result['bandwidth']),
            'ribbon' => self::describeRibbon($result),
        ]);
        $rows = [['CHUNK SIZE', 'CHUNKS', 'HEAD', 'CHANGED', 'TRANSFER', 'TIME']];
        foreach ($result['changes'] as $change) {
            $rows[] = [
                Text::size($change['chunkBytes']),
                Text::count($change['chunks']),
                Text::size($change['headBytes']),
                number_format($change['changedChunks'], $change['changedChunks'] < 100 ? 1 : 0),
                Text::size($change['travelBytes']),
                self::seconds($change['seconds']),
            ];
        }
        return [
            ...$lines,
            '',
            "Expected transfer to each host after $changed changed:",
            ...Layout::table($rows),
            '',
            ...($onDemand === null ? [] : [...self::describeOnDemand($onDemand), '']),
            ...Layout::wrap($result['advice'], Layout::resultWidth() ?? PHP_INT_MAX),
        ];
    }

    /** @return list<string> */
    private static function describeOnDemand(array $onDemand): array
    {
        return Text::labelled([
            'on demand' => Text::count($onDemand['chunks']) . ' chunks of ' . Text::size($onDemand['chunkBytes'])
                . '; a new version transfers its head, ' . Text::size($onDemand['travelBytes']) . ' in '
                . self::seconds($onDemand['seconds']),
            'memory' => 'from ' . Text::size($onDemand['leastMemory']) . ' to ' . Text::size($onDemand['mostMemory'])
                . ($onDemand['chunksRoom'] === null ? '' : '; half of --memory holds '
                    . Text::counted($onDemand['chunksRoom'], 'chunk') . ', '
                    . Text::percent($onDemand['residentShare']) . ' of the filter'),
        ]);
    }

    private static function describeRibbon(array $result): ?string
    {
        $ribbon = $result['ribbon'];
        return $ribbon === null ? null : Text::size($ribbon['bytes']) . ' with --scheme=ribbon, '
            . number_format($ribbon['bitsPerKey'], 2) . ' bits per key, '
            . round(100 * (1 - $ribbon['bytes'] / $result['bytes'])) . ' % less, in shards of ' . Text::size($ribbon['shardBytes'])
            . '; for filters that hosts only query';
    }

    private static function seconds(float $seconds): string
    {
        return match (true) {
            $seconds < 1 => number_format($seconds * 1000, $seconds < 0.01 ? 1 : 0) . ' ms',
            $seconds < 60 => number_format($seconds, 1) . ' s',
            default => Text::duration($seconds),
        };
    }

    private static function bits(float $bits): string
    {
        $units = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s'];
        for ($unit = 0; $bits >= 1000 && $unit < count($units) - 1; $unit++) {
            $bits /= 1000;
        }
        return round($bits, 2) . " $units[$unit]";
    }
}
