<?php

namespace Bloom\Internal;

use Bloom\Status;
use Bloom\StoreException;

/** Fetches a published version from a store: the head, then all chunks. */
final class Fetch
{
    private const BATCH_BYTES = 4 << 20;
    private const ROUNDS_MAX = 3;

    /**
     * Returns the bytes of the blob; null: nothing is published.
     *
     * @param (callable(int, int): mixed)|null $progress
     */
    public static function blob(CheckedStore $store, string $name, ?callable $progress): ?string
    {
        for ($round = 1;; $round++) {
            $head = $store->head($name);
            if ($head === null) {
                return null;
            }
            // The head contains the digests of the chunks, so its signature is checked before they are fetched.
            Signature::check($head, $name);
            Memory::check($head->fileBytes);
            try {
                return $head->bytes . self::body($store, $name, $head, '', null, $progress);
            } catch (StoreException $error) {
                // A publisher may have deleted the chunk, because it has published a newer version.
                $isReplaced = $error->getCode() === Status::StoreMissing->value && $round < self::ROUNDS_MAX;
                if (!$isReplaced) {
                    throw $error;
                }
            }
        }
    }

    /**
     * Returns the body of a version. Chunks that are in the body of another head are not fetched.
     *
     * @param (callable(int, int): mixed)|null $progress
     * @param int $fetched the bytes of fetched chunks are added to it
     */
    public static function body(
        CheckedStore $store,
        string $name,
        Head $head,
        string $served,
        ?Head $servedHead,
        ?callable $progress,
        int &$fetched = 0
    ): string {
        $here = self::here($head, $servedHead);
        $body = '';
        $values = [];
        foreach (self::batches($name, $head, $here) as [$chunks, $keys]) {
            // Equal chunks are fetched once: two small values could describe a version that takes hours to transfer.
            $wanted = array_diff_key($keys, $values);
            $new = $wanted === [] ? [] : $store->get(array_keys($wanted));
            $fetched += array_sum(array_map(strlen(...), $new));
            $values = array_intersect_key($values, $keys) + $new;
            foreach ($chunks as $chunk) {
                $at = $here[$head->chunkDigestOf($chunk)] ?? null;
                $body .= $at !== null ? substr($served, $at, $head->chunkBytes) : self::chunk($head, $name, $chunk, $values);
            }
            if ($progress !== null) {
                $progress($head->headBytes + strlen($body), $head->fileBytes);
            }
        }
        return $body;
    }

    /** @return array<string, int> the places of the chunks in the served body, by digest */
    private static function here(Head $head, ?Head $servedHead): array
    {
        $here = [];
        for ($chunk = 0; $servedHead !== null && $chunk < $servedHead->chunks(); $chunk++) {
            if ($servedHead->chunkDigest === $head->chunkDigest && $servedHead->chunkBytes === $head->chunkBytes) {
                $here[$servedHead->chunkDigestOf($chunk)] = $chunk * $head->chunkBytes;
            }
        }
        return $here;
    }

    /**
     * Returns the chunks in batches, and for each batch the keys to fetch, each with one of its chunks.
     *
     * @param array<string, int> $here
     *
     * @return iterable<array{non-empty-list<int>, array<string, int>}>
     */
    private static function batches(string $name, Head $head, array $here): iterable
    {
        $batch = max(1, intdiv(self::BATCH_BYTES, $head->chunkBytes));
        foreach (array_chunk(range(0, $head->chunks() - 1), min(CheckedStore::KEYS_MAX, $batch)) as $chunks) {
            $keys = [];
            foreach ($chunks as $chunk) {
                if (!isset($here[$head->chunkDigestOf($chunk)])) {
                    $keys[$head->chunkKey($name, $chunk)] = $chunk;
                }
            }
            yield [$chunks, $keys];
        }
    }

    private static function lengthOf(Head $head, int $chunk): int
    {
        return min($head->chunkBytes, $head->geometry->bytes() - $chunk * $head->chunkBytes);
    }

    /** @param array<string, string> $values */
    private static function chunk(Head $head, string $name, int $chunk, array $values): string
    {
        $key = $head->chunkKey($name, $chunk);
        $bytes = $values[$key] ?? throw Failure::of(Status::StoreMissing, 'a chunk');
        if (strlen($bytes) !== self::lengthOf($head, $chunk) || Head::digestOfChunk($bytes, $head->chunkDigest) !== $head->chunkDigestOf($chunk)) {
            throw Failure::of(Status::ChunkDigest, $key);
        }
        return $bytes;
    }
}
