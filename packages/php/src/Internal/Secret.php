<?php

namespace Bloom\Internal;

use Bloom\Status;

/** A secret of 32 bytes, which keys digests or signs heads: sections 4 and 6.1 of docs/format.md. */
final class Secret
{
    public readonly int $fingerprint;

    public function __construct(#[\SensitiveParameter] private readonly string $bytes)
    {
        self::require('secret');
        $this->fingerprint = Unpack::word(self::blake($bytes, 'bloom fingerprnt', [], 16)) ?: 1;
    }

    public static function require(string $what): void
    {
        if (!extension_loaded('sodium')) {
            throw Failure::of(Status::Sodium, $what);
        }
    }

    /** Returns the 16 bytes that key the digests of a filter. */
    public function digestKey(int $seed): string
    {
        return self::blake($this->bytes, 'bloom digest key', [pack('P', $seed)], 16);
    }

    /** @param list<string> $pieces */
    public function sign(string $person, array $pieces): string
    {
        return self::blake($this->bytes, $person, $pieces, 32);
    }

    /**
     * Returns keyed BLAKE2b with a personalization.
     *
     * PHP's functions take no personalization. BLAKE2b adds it to words 6 and 7 of its initial state (RFC 7693,
     * section 2.8 of the BLAKE2 specification), and libsodium's state begins with these words.
     *
     * @param list<string> $pieces
     */
    private static function blake(string $key, string $person, array $pieces, int $bytes): string
    {
        $state = sodium_crypto_generichash_init($key, $bytes);
        for ($i = 0; $i < 16; $i++) {
            $state[48 + $i] = $state[48 + $i] ^ $person[$i];
        }
        foreach ($pieces as $piece) {
            sodium_crypto_generichash_update($state, $piece);
        }
        return sodium_crypto_generichash_final($state, $bytes);
    }

    public function __debugInfo(): array
    {
        return ['fingerprint' => sprintf('%016x', $this->fingerprint)];
    }
}
