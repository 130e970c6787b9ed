<?php

namespace Bloom\Cli;

/**
 * Defers SIGINT, SIGTERM and SIGHUP while a temporary file is written, because a process terminated by a signal would leave
 * the file behind. At all other times, a signal terminates the process immediately. On Windows, defers Ctrl+C and Ctrl+Break.
 */
final class Signals
{
    /** The exit code of a shell for SIGINT. */
    private const INTERRUPTED = 130;

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
            return self::deferredInConsole($work);
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

    /**
     * @template T
     * @param callable(callable(): void): T $work
     * @return T
     */
    private static function deferredInConsole(callable $work): mixed
    {
        $isPending = false;
        $deliver = static function () use (&$isPending): void {
            if ($isPending) {
                exit(self::INTERRUPTED);
            }
        };
        if (!function_exists('sapi_windows_set_ctrl_handler')) {
            return $work($deliver);
        }
        $handler = static function () use (&$isPending): void {
            $isPending = true;
        };
        sapi_windows_set_ctrl_handler($handler);
        try {
            return $work($deliver);
        } finally {
            sapi_windows_set_ctrl_handler($handler, false);
            $deliver();
        }
    }
}
