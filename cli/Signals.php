<?php

namespace Bloom\Cli;

/**
 * Keeps SIGINT, SIGTERM and SIGHUP waiting while a file is written beside its place: a process killed
 * there would leave the unfinished one behind. Elsewhere signals end the process at once, as they should.
 */
final class Signals
{
    /**
     * Runs `$work`, which may call the function it gets wherever ending would leave nothing behind.
     *
     * @template T
     * @param callable(callable(): void): T $work
     * @return T
     */
    public static function deferred(callable $work): mixed
    {
        if (!function_exists('pcntl_sigprocmask')) {
            return $work(static function (): void {
            });
        }
        $signals = [SIGINT, SIGTERM, SIGHUP];
        pcntl_sigprocmask(SIG_BLOCK, $signals, $before);
        try {
            return $work(static function () use ($signals, $before): void {
                pcntl_sigprocmask(SIG_SETMASK, $before);
                pcntl_sigprocmask(SIG_BLOCK, $signals);
            });
        } finally {
            pcntl_sigprocmask(SIG_SETMASK, $before);
        }
    }
}
