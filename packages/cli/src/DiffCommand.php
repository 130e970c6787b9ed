<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Bloom\LoadedInfo;
use Bloom\OnDemandInfo;
use Bloom\Store;
use Bloom\Version;
use Symfony\Component\Console\Input\InputInterface;

/** Compares what this host serves with the version in a store that hosts are to serve. */
final class DiffCommand extends Command
{
    /** The properties in JSON. */
    private const PROPERTIES = ['checksum', 'builtAt', 'keys', 'bytes', 'falsePositiveRate', 'seed', 'shards', 'shardBytes', 'keyedBy',
        'chunks', 'chunkBytes', 'signedBy', 'pinnedSince', 'rolledBackAt'];
    /** If one of these differs, all chunks do. */
    private const LAYOUT = ['seed' => 'seed', 'keyedBy' => 'secret', 'shards' => 'number of shards', 'shardBytes' => 'shard size',
        'chunkBytes' => 'chunk size'];
    private const LABEL_WIDTH = 16; // as in Text::labelled()
    private const AHEAD_SECONDS = 86400;

    protected function configure(): void
    {
        $this->setName('diff')
            ->setDescription('Shows what a sync of this host would change')
            ->addName()
            ->addStore()
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                This shows what the next sync would change on this host. It compares the version that the host serves with
                the one that the store says it should serve, which is the current version unless the filter is pinned or
                rolled back. The command changes nothing and fetches only heads:

                  bloom diff booth_tags redis://cache.example:6379
                  bloom diff --format=json booth_tags /srv/bloom | jq .fetchBytes

                The last lines say which version hosts should serve and why, how many versions this host is behind, and how
                much a sync would fetch. If no chunk can be reused, they say whether the seed, the secret or the layout
                differs.

                With `--format=json`, the fields are `name`, `isSame` (null if unknown), `here` and `store` (the properties
                of both versions), `fetchChunks` and `fetchBytes` (null if unknown or if the filter is on demand),
                `isRefused` (a sync without `--force` would refuse the version, because it is older than the served one),
                and `behind` and `error` as for `bloom info`.
                HELP,
                [
                    0 => 'this host serves that version',
                    1 => 'the versions differ, or the served file is damaged',
                    65 => 'the store\'s head is damaged',
                    66 => 'no filter of that name is loaded on this host',
                    73 => 'the filter is live, so no sync replaces it',
                ]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$name, $url] = Arguments::nameAndStore($input, $this, onlyReads: true);
        $url = StoreUrl::parse($url);
        $here = self::here($name);
        $store = $url->open(Timeout::of($input));
        $stored = Stored::find($store, $url->shown, $name);
        $there = $stored->served();
        $isSame = $there === null ? null : $there->checksum === $here->checksum && ($there->fetchChunks ?? 0) === 0;
        $report->result([
            'name' => $name,
            'isSame' => $isSame,
            'here' => self::properties($here),
            'store' => $there === null ? null : self::properties($there),
            'fetchChunks' => $there?->fetchChunks,
            'fetchBytes' => $there?->fetchBytes,
            'isRefused' => $there !== null && self::isRefused($here, $there),
            'behind' => $stored->behind(),
            'error' => $stored->error,
        ], static fn (): array => match ($isSame) {
            null => [],
            true => ["$name: this host serves the store's version, $here->checksum, built " . Text::time($here->builtAt) . ' ('
                . $stored->state() . ')'],
            false => self::lines($here, $there, $stored, self::isOfOtherKind($store, $here, $there)),
        });
        if ($stored->error !== null) {
            $report->failure("bloom: $name: " . Text::line($stored->error));
        }
        return $stored->code ?? ($isSame === true ? ExitCode::Ok : ExitCode::No);
    }

    private static function here(string $name): LoadedInfo
    {
        $info = Filter::open($name)->info();
        return $info instanceof LoadedInfo
            ? $info
            : throw new Failure(ExitCode::CannotCreate, "$name is a {$info->kind->value} filter, which processes fill on this host: no "
                . 'sync replaces it');
    }

    /** @return array<string, mixed> */
    private static function properties(LoadedInfo|Version $one): array
    {
        $order = array_flip(self::PROPERTIES);
        return array_replace($order, array_intersect_key($one->jsonSerialize(), $order));
    }

    /** Returns whether a sync refuses the version, because the served one is newer, but not from the future. */
    private static function isRefused(LoadedInfo $here, Version $there): bool
    {
        return $there->pinnedSince === null && $there->rolledBackAt === null && $there->builtAt < $here->builtAt
            && $here->builtAt <= microtime(true) + self::AHEAD_SECONDS;
    }

    /** Returns whether a map would have to replace a filter or the other way round, which no sync does. */
    private static function isOfOtherKind(Store $store, LoadedInfo $here, Version $there): bool
    {
        return $there->label === 'current' && Published::of($store, $here->name)->isMap() === !MapValues::isMap($here);
    }

    /** @return list<string> */
    private static function lines(LoadedInfo $here, Version $there, Stored $stored, bool $isOfOtherKind): array
    {
        return [
            ...Layout::table(self::rows($here, $there)),
            ...Text::labelled([
                'hosts serve' => $stored->state() === 'current' ? 'the current version' : $there->checksum . ', ' . $stored->state(),
                'this host' => $stored->host(),
                'a sync' => $isOfOtherKind
                    ? 'fails, because this host has a ' . (MapValues::isMap($here) ? 'map of this name, but the store a filter' : 'filter of '
                        . 'this name, but the store a map') . ": run bloom drop $here->name first, or publish under another name"
                    : self::sync($here, $there),
                'reused chunks' => self::reused($here, $there),
            ]),
        ];
    }

    /** @return non-empty-list<list<string>> */
    private static function rows(LoadedInfo $here, Version $there): array
    {
        $seconds = $there->builtAt - $here->builtAt;
        $layout = static fn (LoadedInfo|Version $one): string => Text::count($one->shards) . ' of ' . Text::size($one->shardBytes);
        $rows = [
            ['version', $here->checksum, $there->checksum, null],
            ['built', Text::time($here->builtAt), Text::time($there->builtAt),
                Text::age(abs($seconds)) . ($seconds < 0 ? ' earlier' : ' later')],
            ['keys', Text::count($here->keys), Text::count($there->keys), Text::change($there->keys - $here->keys)],
            ['size', Text::size($here->bytes), Text::size($there->bytes), Text::change($there->bytes - $here->bytes) . ' bytes'],
            ['requested rate', Text::percent($here->falsePositiveRate), Text::percent($there->falsePositiveRate), null],
            ['shards', $layout($here), $layout($there), null],
            ['chunks', Text::size($here->chunkBytes), Text::size($there->chunkBytes), null],
            ['seed', (string) $here->seed, (string) $there->seed, null],
            ['secret', $here->keyedBy ?? 'none', $there->keyedBy ?? 'none', null],
            ['signed by', $here->signedBy ?? 'nobody', $there->signedBy ?? 'nobody', null],
        ];
        $isEqual = [$here->checksum === $there->checksum, $here->builtAt === $there->builtAt, $here->keys === $there->keys,
            $here->bytes === $there->bytes];
        foreach ($rows as $i => [$label, $one, $other, $change]) {
            $label = str_pad($label, self::LABEL_WIDTH);
            $rows[$i] = ($isEqual[$i] ?? $one === $other) ? [$label, $one, '=', ''] : [$label, $one, $other, $change ?? 'changed'];
        }
        return [['', 'THIS HOST', 'STORE', 'CHANGE'], ...$rows];
    }

    private static function sync(LoadedInfo $here, Version $there): string
    {
        return match (true) {
            self::isRefused($here, $there) => 'refuses this version, because it is older than the served one; '
                . 'sync --force loads it, and fetches ' . self::fetched($there),
            $here instanceof OnDemandInfo => 'fetches only the head; lookups fetch the chunks that they need',
            $here->checksum === $there->checksum => 'with --force repairs the served file, and fetches ' . self::fetched($there),
            default => 'fetches ' . self::fetched($there),
        };
    }

    private static function fetched(Version $there): string
    {
        return $there->fetchChunks === null
            ? 'an unknown number of chunks'
            : Text::count($there->fetchChunks) . ' of ' . Text::counted($there->chunks, 'chunk') . ', '
                . Text::size($there->fetchBytes ?? 0) . ' of ' . Text::size($there->shards * $there->shardBytes);
    }

    /** Returns why no chunk is reused; null: some are. */
    private static function reused(LoadedInfo $here, Version $there): ?string
    {
        $changed = array_filter(self::LAYOUT, static fn (string $key): bool => $here->$key !== $there->$key, ARRAY_FILTER_USE_KEY);
        return $changed === [] || ($there->fetchChunks ?? 0) < $there->chunks
            ? null
            : 'none, because these differ: ' . implode(', ', $changed) . ' (build --like keeps them)';
    }
}
