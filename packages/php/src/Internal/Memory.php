<?php

namespace Bloom\Internal;

use Bloom\Status;

final class Memory
{
    public function __construct(public string $bytes)
    {
    }

    /** Refuses a filter that is larger than this machine's memory, or than the memory that PHP may still use. */
    public static function check(int $bytes, int $copies = 2): void
    {
        $machine = self::machineBytes();
        if ($bytes < 0 || $bytes > $machine) {
            throw Failure::of(Status::Memory,
                sprintf('the filter needs %u bytes, but this machine has only %d', $bytes, $machine));
        }
        $left = self::left();
        // Most callers copy the bytes once, for example when they put pieces together.
        if ($bytes > intdiv($left, $copies)) {
            throw Failure::of(Status::Memory, sprintf('the filter needs %u bytes, but memory_limit leaves only %d (raise memory_limit)', $bytes, $left));
        }
    }

    /** Returns the memory that memory_limit leaves. */
    public static function left(): int
    {
        $limit = ini_parse_quantity(ini_get('memory_limit') ?: '-1');
        return $limit <= 0 ? self::machineBytes() : max(0, $limit - memory_get_usage());
    }

    private static function machineBytes(): int
    {
        /** @var int|null $bytes */
        static $bytes = null;
        if ($bytes === null) {
            $text = Process::proc('meminfo');
            $bytes = preg_match('/^MemTotal:\s*(\d+) kB/m', $text, $parts) === 1 ? 1024 * (int) $parts[1] : PHP_INT_MAX;
        }
        return $bytes;
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
