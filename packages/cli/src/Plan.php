<?php

namespace Bloom\Cli;

use Bloom\Builder;
use Bloom\BuilderInfo;
use Bloom\MapBuilder;
use Bloom\Scheme;

/** Predicts what a filter will need without building it. The extension computes all sizes of blobs. */
final class Plan
{
    private const SIZES = [16384, 65536, 262144, 1048576];
    private const PAGE_BYTES = 4096;

    public readonly BuilderInfo $info;
    /** The arguments for further builders, which keep the scheme. */
    private array $arguments;
    /** @var array<int, int> size of the head, by chunk size */
    private array $headBytes = [];

    /**
     * @param array<string, mixed> $given the arguments of the builder's constructor
     * @param class-string<Builder|MapBuilder> $class
     *
     * @throws \ValueError
     */
    public function __construct(private array $given, private string $class = Builder::class)
    {
        $this->info = (new $class(...$given))->info();
        $this->arguments = ($class === Builder::class ? ['scheme' => $this->info->scheme] : []) + $given;
    }

    /**
     * Returns Builder::info() of the ribbon filter with the same arguments, or null if the plan is for one or for a map, or if
     * no ribbon filter has chunks of the requested size.
     */
    public function ribbon(): ?BuilderInfo
    {
        if ($this->info->scheme !== Scheme::Bloom) {
            return null;
        }
        try {
            return (new Builder(...['scheme' => Scheme::Ribbon] + $this->given))->info();
        } catch (\ValueError) {
            return null;
        }
    }

    /**
     * Returns the plan of the same ribbon filter or map in shards and chunks of this size, or null if the plan is for a Bloom
     * filter, or if its shards are not larger or were requested.
     */
    public function inSmallerShards(int $bytes): ?self
    {
        if ($this->info->stripes === null || $this->info->shardBytes <= $bytes || $this->given['layout']->shardBytes !== null) {
            return null;
        }
        try {
            return new self(['layout' => new \Bloom\Layout($bytes, chunkBytes: $bytes)] + $this->arguments, $this->class);
        } catch (\ValueError) {
            return null;
        }
    }

    /** Creates a builder, which is cheap: builders allocate memory only when keys are added. */
    private function builder(int $chunkBytes): Builder|MapBuilder
    {
        return new $this->class(...['layout' => new \Bloom\Layout($this->info->shardBytes, chunkBytes: $chunkBytes)] + $this->arguments);
    }

    /** Returns the total size of all shards in bytes. */
    public function bodyBytes(): int
    {
        return $this->info->shards * $this->info->shardBytes;
    }

    public function chunks(int $chunkBytes): int
    {
        return intdiv($this->bodyBytes() + $chunkBytes - 1, $chunkBytes);
    }

    public function headBytes(int $chunkBytes): int
    {
        return $this->headBytes[$chunkBytes] ??= $this->builder($chunkBytes)->info()->bytes - $this->bodyBytes();
    }

    /** @return list<int> chunk sizes worth comparing: one shard, the usual sizes, and the requested one */
    public function chunkSizes(): array
    {
        $sizes = [$this->info->shardBytes, $this->info->chunkBytes, ...self::SIZES];
        $sizes = array_unique(array_filter($sizes, fn (int $bytes): bool => $bytes >= $this->info->shardBytes
            && ($bytes <= $this->info->chunkBytes || $bytes < $this->bodyBytes())));
        sort($sizes);
        return $sizes;
    }

    /**
     * Computes the expected size of an update after $keys keys have been added or removed. Each key's bits are in one chunk, so
     * C · (1 − (1 − 1/C)^keys) of C equal chunks change. The last chunk may be shorter.
     *
     * @return array{chunkBytes: int, chunks: int, headBytes: int, changedChunks: float, travelBytes: int}
     */
    public function change(int $chunkBytes, int $keys): array
    {
        $chunks = $this->chunks($chunkBytes);
        $last = $this->bodyBytes() - ($chunks - 1) * $chunkBytes;
        $touched = fn (int $bytes): float => -expm1($keys * log1p(-min($bytes / $this->bodyBytes(), 1 - 1e-16)));
        $full = ($chunks - 1) * $touched($chunkBytes);
        $headBytes = $this->headBytes($chunkBytes);
        return [
            'chunkBytes' => $chunkBytes,
            'chunks' => $chunks,
            'headBytes' => $headBytes,
            'changedChunks' => $full + $touched($last),
            'travelBytes' => $headBytes + (int) round($full * $chunkBytes + $touched($last) * $last),
        ];
    }

    /**
     * Computes the memory of an on-demand filter: a page, the blob's head, 8 bytes for each chunk, 9 bytes for each slot,
     * rounded to whole pages, and the slots (src/kinds/ondemand.c).
     *
     * @param int $memory limit in bytes
     *
     * @return array{leastMemory: int, mostMemory: int, chunksRoom: int} the bytes needed for one chunk, the bytes needed for
     *         all chunks, and the number of chunks that fit into $memory
     */
    public function onDemand(int $chunkBytes, int $memory): array
    {
        $chunks = $this->chunks($chunkBytes);
        $fixed = self::PAGE_BYTES + $this->headBytes($chunkBytes) + 8 * $chunks;
        $bytes = fn (int $slots): int
            => self::PAGE_BYTES * (int) ceil(($fixed + 9 * $slots) / self::PAGE_BYTES) + $slots * $chunkBytes;
        $room = min($chunks, intdiv(max(0, $memory - $fixed), 9 + $chunkBytes));
        while ($room > 0 && $bytes($room) > $memory) {
            $room--;
        }
        return ['leastMemory' => $bytes(1), 'mostMemory' => $bytes($chunks), 'chunksRoom' => $room];
    }

    /** Returns how many distinct random keys touch $room of $chunks chunks, or null if all chunks fit. */
    public static function keysHeld(int $room, int $chunks): ?int
    {
        return $room >= $chunks ? null : (int) (log1p(-$room / $chunks) / log1p(-1 / $chunks));
    }
}
