<?php

namespace Bloom\Internal;

/** Writes a blob: sections 1 to 3 of docs/format.md. */
final class Writer
{
    /**
     * Returns the head of an unsigned blob.
     *
     * @param array<int, int> $keys of each shard; a missing one has none
     * @param list<int>|null $attempts of each shard of a ribbon filter; null: the set bits are counted
     */
    public static function head(
        Geometry $geometry,
        Meta $meta,
        string $body,
        array $keys,
        ?array $attempts = null
    ): string {
        $rows = $chunkRows = '';
        $total = 0;
        for ($shard = 0; $shard < $geometry->shards; $shard++) {
            $bytes = substr($body, $shard * $geometry->shardBytes, $geometry->shardBytes);
            $setBits = $attempts[$shard] ?? Bits::count($bytes);
            $total += $setBits;
            $rows .= pack('VV', $keys[$shard] ?? 0, $setBits) . strrev(hash('xxh3', $bytes, true));
        }
        for ($at = 0; $at < strlen($body); $at += $meta->chunkBytes) {
            $chunkRows .= Head::digestOfChunk(substr($body, $at, $meta->chunkBytes), 1);
        }
        $tables = Head::FIXED_BYTES + strlen($rows) + strlen($chunkRows);
        $headBytes = intdiv($tables + 8 + 4095, 4096) * 4096;
        $isIndex = $geometry->groups !== 0;
        $scheme = $isIndex ? Head::SCHEME_REVERSE : ($geometry->stripes !== 0 ? Head::SCHEME_RIBBON : Head::SCHEME_BLOOM);
        $more = $isIndex ? pack('PV', $geometry->groups, $geometry->fanOut) : pack('V', $geometry->stripes);
        $head = Head::MAGIC . pack('VVPPPVVVVVVPPPPPPPVVa128', 1, 0, $headBytes, $headBytes + strlen($body), $geometry->shards,
            $geometry->shardBytes, $geometry->blockBytes, $geometry->probes, $scheme,
            $geometry->fingerprint !== 0 ? Head::DIGEST_SIPHASH : Head::DIGEST_XXH3, 1, $geometry->seed, array_sum($keys), $total,
            $meta->capacity, self::units($meta->askedRate), self::units(Measure::rate($geometry, $body)), $meta->builtMs,
            $meta->chunkBytes, strlen($meta->source), $meta->source)
            . str_pad($more, 16, "\0") . pack('PP', $geometry->fingerprint, 0) . str_repeat("\0", 32) . $meta->mark;
        $head = str_pad(str_pad($head, Head::FIXED_BYTES, "\0") . $rows . $chunkRows, $headBytes - 8, "\0");
        return $head . strrev(hash('xxh3', $head, true));
    }

    /** Rounds a rate to units of 10^-15; halves are rounded up. */
    public static function units(float $rate): int
    {
        return (int) floor($rate * Head::RATE_UNIT + 0.5);
    }
}
