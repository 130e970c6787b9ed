<?php

namespace Bloom\Internal;

/** Objects that cannot be serialized or extended by properties, as those of the extension. */
trait Unserializable
{
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

    public function __set(string $name, mixed $value): void
    {
        throw new \Error('Cannot create dynamic property ' . static::class . "::\$$name");
    }
}
