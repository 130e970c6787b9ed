<?php

namespace Bloom\Internal;

/**
 * A layer of a live file: a region that begins at an offset.
 *
 * @internal
 */
final class Part implements Region
{
    public function __construct(private LiveFile $file, private int $offset)
    {
    }

    public function read(int $at, int $bytes): string
    {
        return $this->file->read($this->offset + $at, $bytes);
    }

    public function set(int $at, string $byte): void
    {
        $this->file->set($this->offset + $at, $byte);
    }
}
