<?php

namespace Bloom\Internal;

use Bloom\Status;

/** Bytes that are changed in place. */
final class Memory
{
    public function __construct(public string $bytes)
    {
    }

    /** Refuses a filter that is larger than the memory that memory_limit leaves. */
    public static function check(int $bytes, int $copies = 2): void
    {
        $limit = ini_parse_quantity(ini_get('memory_limit') ?: '-1');
        $left = $limit <= 0 ? 1 << 40 : max(0, $limit - memory_get_usage());
        // Most callers copy the bytes once, for example when they put pieces together.
        if ($bytes < 0 || $bytes > intdiv($left, $copies)) {
            throw Failure::of(Status::Memory,
                sprintf('the filter needs %u bytes, but memory_limit leaves only %d (raise memory_limit)', $bytes, $left));
        }
    }

    public function read(int $at, int $bytes): string
    {
        return substr($this->bytes, $at, $bytes);
    }

    public function set(int $at, string $byte): void
    {
        $this->bytes[$at] = $byte;
    }
}
