<?php

namespace Bloom\Internal;

use Bloom\Status;

final class Lock
{
    private const PAUSE_US_MAX = 20_000;

    /**
     * Takes the lock of a file, which ends when the file is closed.
     *
     * @param resource $file
     * @param 1|2 $kind LOCK_SH or LOCK_EX
     */
    public static function take($file, int $kind, string $name = ''): void
    {
        $deadline = hrtime(true) + (int) (Settings::lockTimeout() * 1e9);
        for ($pause = 100; !flock($file, $kind | LOCK_NB); $pause = min(2 * $pause, self::PAUSE_US_MAX)) {
            if (hrtime(true) >= $deadline) {
                throw Failure::of(Status::Busy, ($name === '' ? '' : "$name: ") . 'locking');
            }
            usleep($pause);
        }
    }
}
