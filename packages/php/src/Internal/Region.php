<?php

namespace Bloom\Internal;

/**
 * The bits of a filter, in memory or in a file.
 *
 * @internal
 */
interface Region
{
    public function read(int $at, int $bytes): string;

    /** @param string $byte a single byte */
    public function set(int $at, string $byte): void;
}
