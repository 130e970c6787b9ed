<?php

namespace Bloom\Internal;

use Bloom\Status;

/** A secret of 32 bytes, which keys digests or signs heads: sections 4 and 6.1 of docs/format.md. */
final class Secret
{
    private const FILE_BYTES_MAX = 16384;

    public readonly int $fingerprint;

    public function __construct(#[\SensitiveParameter] private readonly string $bytes)
    {
        self::require('secret');
        $this->fingerprint = Unpack::word($this->blake('bloom fingerprnt', [], 16)) ?: 1;
    }

    public static function require(string $what): void
    {
        if (!extension_loaded('sodium')) {
            throw Failure::of(Status::Sodium, $what);
        }
    }

    // ---- files ----

    /** @return array<int, self> the secrets of `bloom.secret_file` by fingerprint, the current one first */
    public static function all(): array
    {
        return self::read(System::setting('secret_file')) ?? [];
    }

    /** @return array<int, self>|null those of `bloom.signing_key_file`; null: signatures are not required */
    public static function signers(): ?array
    {
        return self::read(System::setting('signing_key_file'));
    }

    /** @param Status::NoSecret|Status::NoSigningKey $missing */
    public static function current(Status $missing): self
    {
        $secrets = $missing === Status::NoSecret ? self::all() : self::signers() ?? [];
        return reset($secrets) ?: throw Failure::of($missing);
    }

    /** @return array<int, self>|null */
    private static function read(string $path): ?array
    {
        /** @var array<string, array<int, self>> $known */
        static $known = [];
        return $path === '' ? null : $known[$path] ??= self::parse($path);
    }

    /** @return array<int, self> */
    private static function parse(string $path): array
    {
        self::require($path);
        $mode = System::isAbsolute($path, System::isWindows()) ? @fileperms($path) : false;
        $isFile = $mode !== false && ($mode & 0170000) === 0100000 && filesize($path) <= self::FILE_BYTES_MAX;
        $isOwn = $isFile && in_array(fileowner($path), [0, System::user() ?? fileowner($path)], true);
        if ($isFile && !System::isWindows() && (!$isOwn || ($mode & 027) !== 0)) {
            throw Failure::of(Status::SecretMode, $path);
        }
        $text = $isFile ? @file_get_contents($path) : false;
        if ($text === false) {
            throw Failure::of(Status::SecretFile, $path);
        }
        $lines = explode("\n", str_replace("\r\n", "\n", rtrim($text, "\r\n")));
        $isValid = count($lines) <= 8 && count(array_unique(array_map(strtolower(...), $lines))) === count($lines)
            && preg_grep('/\A[0-9A-Fa-f]{64}\z/', $lines, PREG_GREP_INVERT) === [];
        if (!$isValid) {
            throw Failure::of(Status::SecretText, $path);
        }
        $secrets = array_map(fn (string $line): self => new self((string) hex2bin($line)), $lines);
        return array_combine(array_column($secrets, 'fingerprint'), $secrets);
    }

    // ---- uses ----

    /** Returns the 16 bytes that key the digests of a filter. */
    public function digestKey(int $seed): string
    {
        return $this->blake('bloom digest key', [pack('P', $seed)], 16);
    }

    /** @param list<string> $pieces */
    public function sign(string $person, array $pieces): string
    {
        return $this->blake($person, $pieces, 32);
    }

    /**
     * Returns keyed BLAKE2b with a personalization.
     *
     * PHP's functions take no personalization. BLAKE2b adds it to words 6 and 7 of its initial state (RFC 7693,
     * section 2.8 of the BLAKE2 specification), and libsodium's state begins with these words.
     *
     * @param list<string> $pieces
     */
    private function blake(string $person, array $pieces, int $bytes): string
    {
        $state = sodium_crypto_generichash_init($this->bytes, $bytes);
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
