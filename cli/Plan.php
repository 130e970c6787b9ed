<?php

namespace Bloom\Cli;

/**
 * What a filter of some size will need, without building it. Sizes follow from docs/format.md; what an
 * on-demand filter takes, from src/kinds/ondemand.h.
 */
final class Plan
{
    private const PAGE_BYTES = 4096;
    private const HEAD_FIXED_BYTES = 512;
    private const ROW_BYTES = 16;
    private const CHECKSUM_BYTES = 8;
    /** Of an on-demand filter's tables: of each chunk, and of each one that there is room for. */
    private const ENTRY_BYTES = 8;
    private const SLOT_BYTES = 9;
    private const SIZES = [16384, 65536, 262144, 1048576];

    /** @param array $info Builder::info() */
    public function __construct(public readonly array $info)
    {
    }

    /** Bytes of all shards. */
    public function bodyBytes(): int
    {
        return $this->info['shards'] * $this->info['shardBytes'];
    }

    public function chunks(int $chunkBytes): int
    {
        return intdiv($this->bodyBytes() + $chunkBytes - 1, $chunkBytes);
    }

    public function headBytes(int $chunkBytes): int
    {
        $rows = $this->info['shards'] + $this->chunks($chunkBytes);
        return self::wholePages(self::HEAD_FIXED_BYTES + $rows * self::ROW_BYTES + self::CHECKSUM_BYTES);
    }

    public function blobBytes(int $chunkBytes): int
    {
        return $this->headBytes($chunkBytes) + $this->bodyBytes();
    }

    /** @return list<int> sizes worth comparing: one shard, the usual ones, the one that was asked for */
    public function chunkSizes(): array
    {
        $sizes = [$this->info['shardBytes'], $this->info['chunkBytes'], ...self::SIZES];
        $sizes = array_unique(array_filter($sizes, fn (int $bytes): bool => $bytes >= $this->info['shardBytes']
            && ($bytes <= $this->info['chunkBytes'] || $bytes < $this->bodyBytes())));
        sort($sizes);
        return $sizes;
    }

    /**
     * How much of the next version is expected to be new when so many keys were added or removed: each
     * key's bits are in one chunk, so C · (1 − (1 − 1/C)^keys) of C equal chunks, of which the last may be shorter.
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

    /** Bytes that an on-demand filter takes with room for so many chunks: layout_of() in src/kinds/ondemand.c. */
    public function onDemandBytes(int $chunkBytes, int $room): int
    {
        return self::wholePages($this->onDemandTables($chunkBytes) + $room * self::SLOT_BYTES) + $room * $chunkBytes;
    }

    /** The least memory that an on-demand filter can be attached with. */
    public function onDemandLeast(int $chunkBytes): int
    {
        return $this->onDemandBytes($chunkBytes, 1);
    }

    /** How many chunks an on-demand filter has room for in so many bytes. */
    public function onDemandRoom(int $chunkBytes, int $memory): int
    {
        $room = max(0, intdiv($memory - $this->onDemandTables($chunkBytes), $chunkBytes + self::SLOT_BYTES));
        while ($room > 0 && $this->onDemandBytes($chunkBytes, $room) > $memory) {
            $room--;
        }
        return min($room, $this->chunks($chunkBytes));
    }

    /** What stands before the slots, whose tables may use the rest of its last page. */
    private function onDemandTables(int $chunkBytes): int
    {
        return self::PAGE_BYTES + $this->headBytes($chunkBytes) + $this->chunks($chunkBytes) * self::ENTRY_BYTES;
    }

    /** How many different keys need so many of the chunks: they lie in them at random. Null: all fit. */
    public static function keysHeld(int $room, int $chunks): ?int
    {
        return $room >= $chunks ? null : (int) (log1p(-$room / $chunks) / log1p(-1 / $chunks));
    }

    private static function wholePages(int $bytes): int
    {
        return intdiv($bytes + self::PAGE_BYTES - 1, self::PAGE_BYTES) * self::PAGE_BYTES;
    }
}
