<?php

namespace Bloom\Internal;

use Bloom\Status;

/** Signatures of heads: section 6.1 of docs/format.md. */
final class Signature
{
    private const AT = 288;
    private const BYTES = 32;

    /** Returns the bytes of a blob, signed for a filter name. */
    public static function sign(Head $head, string $body, string $name, Secret $key): string
    {
        $rows = '';
        for ($chunk = 0; $chunk < $head->chunks(); $chunk++) {
            $rows .= Head::digestOfChunk(substr($body, $chunk * $head->chunkBytes, $head->chunkBytes), 2);
        }
        $bytes = substr_replace($head->bytes, pack('V', 2), 60, 4);
        $bytes = substr_replace($bytes, pack('P', $key->fingerprint), 280, 8);
        $bytes = substr_replace($bytes, $rows, Head::FIXED_BYTES + 16 * $head->geometry->shards, strlen($rows));
        $bytes = substr_replace($bytes, self::of($bytes, $name, $key), self::AT, self::BYTES);
        $bytes = substr($bytes, 0, -8);
        return $bytes . strrev(hash('xxh3', $bytes, true)) . $body;
    }

    private static function of(string $head, string $name, Secret $key): string
    {
        return $key->sign('bloom signature ', [
            pack('P', strlen($name)), $name, substr($head, 0, self::AT), str_repeat("\0", self::BYTES),
            substr($head, self::AT + self::BYTES, -8),
        ]);
    }

    /** Checks that a blob may be used under a name, if signing keys are configured. */
    public static function check(Head $head, string $name): void
    {
        $ring = Ring::signers();
        if (!$ring->isConfigured) {
            return;
        }
        if ($head->signedBy === 0) {
            throw Failure::of(Status::Unsigned, $name);
        }
        $key = $ring->find($head->signedBy) ?? throw Failure::of(Status::Signer, sprintf('fingerprint %016x', $head->signedBy));
        if (!hash_equals(self::of($head->bytes, $name, $key), substr($head->bytes, self::AT, self::BYTES))) {
            throw Failure::of(Status::Signature, $name);
        }
    }
}
