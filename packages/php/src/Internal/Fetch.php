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
     * Returns a version, verified; null: it is not wanted.
     *
     * @param callable(): ?Head $wanted reads the head, and checks it
     * @param (callable(int, int): mixed)|null $progress
     */
    public static function version(CheckedStore $store, string $name, callable $wanted, ?callable $progress): ?Answers
    {
        Failure::refuseSigners();
        $error = $incomplete = null;
        for ($round = 1;; $round++) {
            $head = $wanted();
            if ($head === null) {
                return null;
            }
            if ($error !== null && $head->bytes === $incomplete) {
                throw $error; // It lacks a chunk, and it has not been replaced.
            }
            try {
                return new Answers($head, self::body($store, $name, $head, $progress));
            } catch (StoreException $error) {
                // A publisher may have deleted the chunk, because it has published a newer version.
                if ($error->getCode() !== Status::StoreMissing->value || $round === self::ROUNDS_MAX) {
                    throw $error;
                }
                $incomplete = $head->bytes;
            }
        }
    }

    /** @param (callable(int, int): mixed)|null $progress */
    private static function body(CheckedStore $store, string $name, Head $head, ?callable $progress): string
    {
        Memory::check($head->fileBytes);
        $body = '';
        $values = [];
        $batch = max(1, min(CheckedStore::KEYS_MAX, intdiv(self::BATCH_BYTES, $head->chunkBytes)));
        foreach (array_chunk($head->chunkKeys($name), $batch, true) as $keys) {
            // Equal chunks are fetched once: two small values could describe a version that takes hours to transfer.
            $values = array_intersect_key($values, array_flip($keys));
            $wanted = array_values(array_diff(array_unique($keys), array_keys($values)));
            $values += $wanted === [] ? [] : $store->get($wanted);
            foreach ($keys as $chunk => $key) {
                $bytes = $values[$key] ?? throw Failure::of(Status::StoreMissing, 'a chunk');
                $body .= $head->isChunk($bytes, $chunk) ? $bytes : throw Failure::of(Status::ChunkDigest, $key);
            }
            if ($progress !== null) {
                $progress($head->headBytes + strlen($body), $head->fileBytes);
            }
        }
        $head->verify($body);
        return $body;
    }
}
