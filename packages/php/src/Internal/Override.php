<?php

namespace Bloom\Internal;

use Bloom\FormatException;
use Bloom\SecretException;
use Bloom\SignatureException;
use Bloom\Status;
use Bloom\StoreException;

/**
 * A pin or a rollback: section 6.2 of docs/format.md.
 *
 * @internal
 */
final class Override
{
    public const PIN = 1;
    public const ROLLBACK = 2;

    private const HEAD_AT = 80;
    private const MAGIC = "\x89BLOVR\r\n";

    private function __construct(
        public readonly string $bytes,
        public readonly int $kind,
        public readonly int $sinceMs,
        private readonly string $replaces,
        private readonly int $signedBy,
        public readonly Head $head
    ) {
    }

    /** @param Head|null $replaces the published head that a rollback replaces; null: a pin */
    public static function make(Head $head, int $sinceMs, ?Head $replaces, string $name): self
    {
        $fixed = self::MAGIC . pack('VVPP', 1, $replaces === null ? self::PIN : self::ROLLBACK, self::HEAD_AT + 8 + strlen($head->bytes), $sinceMs)
            . ($replaces === null ? str_repeat("\0", 8) : strrev((string) hex2bin($replaces->checksum())));
        $signature = str_repeat("\0", 32);
        $key = Ring::signers()->isConfigured ? Ring::current(Status::NoSigningKey) : null;
        $fixed .= pack('P', $key === null ? 0 : $key->fingerprint);
        if ($key !== null) {
            $signature = self::sign($fixed, $head->bytes, $name, $key);
        }
        $bytes = $fixed . $signature . $head->bytes;
        return self::parse($bytes . strrev(hash('xxh3', $bytes, true)), $name);
    }

    private static function sign(string $fixed, string $head, string $name, Secret $key): string
    {
        return $key->sign('bloom override  ', [pack('P', strlen($name)), $name, $fixed, str_repeat("\0", 32), $head]);
    }

    /** Reads and checks an override, except for its signature. */
    public static function parse(string $bytes, string $name): self
    {
        $covered = substr($bytes, 0, -8);
        if (strlen($bytes) < self::HEAD_AT + 8 || !str_starts_with($bytes, self::MAGIC)
            || substr($bytes, 16, 8) !== pack('P', strlen($bytes)) || strrev(hash('xxh3', $covered, true)) !== substr($bytes, -8)) {
            throw Failure::of(Status::Override, "$name:override");
        }
        $kind = Unpack::word(substr($bytes, 8, 8)) >> 32;
        [1 => $since, 2 => $replaces, 3 => $signer] = Unpack::words(substr($bytes, 24, 24));
        if (substr($bytes, 8, 4) !== pack('V', 1) || !($kind === self::ROLLBACK || ($kind === self::PIN && $replaces === 0))) {
            throw Failure::of(Status::Override, "$name:override: unknown version or kind");
        }
        try {
            $head = Head::parseExactly(substr($covered, self::HEAD_AT));
        } catch (FormatException $error) {
            throw Failure::of(Status::Override, "$name:override: " . Sentences::ALL[$error->getCode()][1]);
        }
        return new self($bytes, $kind, $since, sprintf('%016x', $replaces), $signer, $head);
    }

    /** Checks the signature, if signing keys are configured. */
    public function check(string $name): void
    {
        $ring = Ring::signers();
        if (!$ring->isConfigured) {
            return;
        }
        if ($this->signedBy === 0) {
            throw Failure::of(Status::OverrideUnsigned, "$name:override");
        }
        $key = $ring->find($this->signedBy) ?? throw Failure::of(Status::OverrideSigner, sprintf('fingerprint %016x', $this->signedBy));
        if (!hash_equals(self::sign(substr($this->bytes, 0, 48), $this->head->bytes, $name, $key), substr($this->bytes, 48, 32))) {
            throw Failure::of(Status::OverrideSignature, "$name:override");
        }
    }

    /** Returns whether hosts serve this version while a head is published. */
    public function applies(?Head $published): bool
    {
        return $this->kind === self::PIN || $this->replaces === $published?->checksum();
    }

    /** Returns whether check() does not throw. */
    public function isSigned(string $name): bool
    {
        try {
            $this->check($name);
        } catch (SignatureException | SecretException) {
            return false;
        }
        return true;
    }

    /** Returns whether hosts with this host's signing keys serve this version while a head is published. */
    public function isInForce(string $name, ?Head $published): bool
    {
        return $published !== null && $this->applies($published) && $this->isSigned($name);
    }

    /** Returns the override in a store. One that cannot be read counts as missing. */
    public static function find(Shop $shop, string $name): ?self
    {
        try {
            $bytes = $shop->getOne("$name:override");
            return $bytes === null ? null : self::parse($bytes, $name);
        } catch (FormatException) {
            return null;
        } catch (StoreException $error) {
            return $error->getCode() === Status::StoreSize->value ? null : throw $error;
        }
    }

    /** @return array{?Head, ?self} the published head, and the override if there are both */
    public static function published(Shop $shop, string $name): array
    {
        // In this order, because a store may read one key after the other (src/php/protocol/effective.c).
        $values = $shop->get(["$name:override", $name]);
        $head = isset($values[$name]) ? Head::parseExactly($values[$name]) : null;
        $override = $head === null ? null : $values["$name:override"] ?? null;
        return [$head, $override === null ? null : self::parse($override, $name)];
    }

    /** @return array{Head, ?self} */
    public static function require(Shop $shop, string $name): array
    {
        [$head, $override] = self::published($shop, $name);
        return [$head ?? throw Failure::of(Status::StoreMissing, $name), $override];
    }

    /**
     * Returns the override that a host obeys.
     *
     * @param int $fromMs overrides before this time are refused if signing keys are configured
     *
     * @return array{?self, ?\Throwable} the second value: why it was refused
     */
    public static function choose(?self $override, Head $published, string $name, int $fromMs, bool $force = false): array
    {
        if ($override === null || !$override->applies($published)) {
            return [null, null];
        }
        try {
            $override->check($name);
        } catch (SignatureException | SecretException $error) {
            return [null, $error];
        }
        // Hosts remember times of at most a day ahead.
        $limit = Clock::milliseconds() + Head::AHEAD_MS_MAX;
        if (Ring::signers()->isConfigured && ($override->sinceMs > $limit || $override->sinceMs < 0) && !$force) {
            return [null, Failure::of(Status::BuiltAhead, sprintf('%s:override: time %u ms since 1970, at most %d allowed', $name, $override->sinceMs, $limit))];
        }
        return Ring::signers()->isConfigured && $override->sinceMs < $fromMs && !$force
            ? [null, Failure::of(Status::OverrideReplay, "$name:override")] : [$override, null];
    }
}
