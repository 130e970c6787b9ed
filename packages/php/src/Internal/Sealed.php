<?php

namespace Bloom\Internal;

/** Objects that also cannot be copied, and that do not show what they have. */
trait Sealed
{
    use Unserializable;

    public function __clone()
    {
        throw new \Error('Trying to clone an uncloneable object of class ' . static::class);
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return [];
    }
}
