<?php

namespace Bloom\Internal;

final class Clock
{
    /** Returns the milliseconds since 1970. */
    public static function milliseconds(): int
    {
        return (int) floor(microtime(true) * 1000);
    }

    /** Returns milliseconds that changes of the host's clock do not affect. They start again at a reboot. */
    public static function monotonic(): int
    {
        return intdiv(hrtime(true), 1_000_000);
    }
}
