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
     * Returns the published blob; null: nothing is published.
     *
     * @param (callable(int, int): mixed)|null $progress
     * @param bool $isServed refuse a filter that hosts are to serve in another version
     */
    public static function published(CheckedStore $store, string $name, ?callable $progress, bool $isServed = true): ?Answers
    {
        for ($round = 1;; $round++) {
            $head = $isServed ? $store->published($name) : $store->head($name);
            if ($head === null) {
                return null;
            }
            // The head contains the digests of the chunks, so its signature is checked before they are fetched.
            $head->checkSignature($name);
            try {
                return new Answers($head, self::body($store, $name, $head, $progress));
            } catch (StoreException $error) {
                // A publisher may have deleted the chunk, because it has published a newer version.
                if ($error->getCode() !== Status::StoreMissing->value || $round === self::ROUNDS_MAX) {
                    throw $error;
                }
            }
        }
    }

    /**
     * Returns the body of a version, verified.
     *
     * @param (callable(int, int): mixed)|null $progress
     */
    public static function body(CheckedStore $store, string $name, Head $head, ?callable $progress): string
    {
        Memory::check($head->fileBytes);
        $body = '';
        $values = [];
        $batch = max(1, min(CheckedStore::KEYS_MAX, intdiv(self::BATCH_BYTES, $head->chunkBytes)));
        foreach (array_chunk($head->chunkKeys($name), $batch, true) as $keys) {
            // Equal chunks are fetched once: two small values could describe a version that takes hours to transfer.
            $wanted = array_keys(array_diff_key(array_flip($keys), $values));
            $values = array_intersect_key($values, array_flip($keys)) + ($wanted === [] ? [] : $store->get($wanted));
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
