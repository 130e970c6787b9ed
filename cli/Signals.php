<?php

namespace Bloom\Cli;

/**
 * Defers SIGINT, SIGTERM and SIGHUP while a temporary file is written, because a process terminated by a signal would leave
 * the file behind. At all other times, a signal terminates the process immediately.
 */
final class Signals
{
    /**
     * Runs `$work` with signals blocked. `$work` receives a function that delivers pending signals, and calls it at points
     * where no temporary file exists.
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
