<?php

namespace Bloom\Internal;

/** Objects that cannot be copied or serialized, and that do not show what they have, which may be a secret. */
trait Sealed
{
    private function __clone()
    {
    }

    /** @return array<mixed> */
    public function __serialize(): array
    {
        throw new \Exception("Serialization of '" . static::class . "' is not allowed");
    }

    /** @param array<mixed> $data */
    public function __unserialize(array $data): void
    {
        throw new \Exception("Unserialization of '" . static::class . "' is not allowed");
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return [];
    }
}
