<?php

namespace Bloom\Internal;

use Bloom\FormatException;

/** A pin or a rollback that the extension has stored: section 6.2 of docs/format.md. */
final class Override
{
    private const MAGIC = "\x89BLOVR\r\n";
    private const PIN = 1;
    private const ROLLBACK = 2;
    private const HEAD_AT = 80;

    private function __construct(public readonly string $bytes, public readonly bool $isPin, public readonly Head $head)
    {
    }

    /**
     * Returns null if there is none, or if it is damaged, so that no host obeys it. Throws if its version can only be read
     * with sodium.
     */
    public static function find(CheckedStore $store, string $name): ?self
    {
        $bytes = $store->readable("$name:override") ?? '';
        /** @var array{magic: string, version: int, kind: int, bytes: int} $fields */
        $fields = unpack('a8magic/Vversion/Vkind/Pbytes', str_pad($bytes, self::HEAD_AT, "\0"));
        $isValid = $fields['magic'] === self::MAGIC && $fields['version'] === 1 && $fields['bytes'] === strlen($bytes)
            && in_array($fields['kind'], [self::PIN, self::ROLLBACK], true)
            && strrev(hash('xxh3', substr($bytes, 0, -8), true)) === substr($bytes, -8);
        try {
            return $isValid ? new self($bytes, $fields['kind'] === self::PIN, Head::parseExactly(substr($bytes, self::HEAD_AT, -8))) : null;
        } catch (FormatException) {
            return null;
        }
    }

    /** Returns whether it makes hosts serve its version instead of this one. */
    public function appliesTo(Head $published): bool
    {
        return $this->isPin || substr($this->bytes, 32, 8) === substr($published->bytes, -8);
    }

    /** Returns whether hosts with this host's signing keys obey it. */
    public function isSigned(string $name): bool
    {
        $signers = Secret::signers();
        $key = $signers[Unpack::word($this->bytes, 40)] ?? null;
        return $signers === null || ($key !== null && hash_equals($key->sign('bloom override  ', [pack('P', strlen($name)), $name,
            substr($this->bytes, 0, 48), str_repeat("\0", 32), substr($this->bytes, self::HEAD_AT, -8)]), substr($this->bytes, 48, 32)));
    }
}
