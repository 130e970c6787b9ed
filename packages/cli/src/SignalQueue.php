<?php

namespace Bloom\Cli;

/**
 * Polls SIGINT, SIGTERM and SIGHUP. The signals remain blocked until the process exits, and each one is pending until it is
 * taken. So no signal is lost between a sync and the next wait, and process 1 of a container also receives signals.
 *
 * On Windows, Ctrl+C and Ctrl+Break stop the loop. PHP does not call the handler during a wait, so each wait is short.
 *
 * Elsewhere, a PHP without pcntl cannot handle signals, so they kill the process at once. No command that loops minds.
 */
final class SignalQueue
{
    private const CONSOLE_EVENTS = [0 => 'Ctrl+C', 1 => 'Ctrl+Break'];
    private const WAIT_SECONDS = 0.1;

    private readonly bool $hasSignals;
    private ?string $stop = null;
    private bool $wake = false;

    public function __construct()
    {
        $this->hasSignals = function_exists('pcntl_sigtimedwait');
        if ($this->hasSignals) {
            pcntl_sigprocmask(SIG_BLOCK, array_keys(self::names()));
        } elseif (function_exists('sapi_windows_set_ctrl_handler')) {
            sapi_windows_set_ctrl_handler(function (int $event): void {
                $this->stop ??= self::CONSOLE_EVENTS[$event] ?? "console event $event";
            });
        }
    }

    /** Waits. Returns immediately if a signal is pending or was taken by the last stop(). Returns whether it was SIGHUP. */
    public function wait(float $seconds): bool
    {
        $end = microtime(true) + $seconds;
        while ($this->stop === null && !$this->wake && ($left = $end - microtime(true)) > 0) {
            $this->take($left);
        }
        [$isWoken, $this->wake] = [$this->wake, false];
        return $isWoken;
    }

    /** Returns the name of the signal that stops the loop, or null if no such signal has arrived. */
    public function stop(): ?string
    {
        do {
            $taken = $this->take(0.0);
        } while ($taken && $this->stop === null);
        return $this->stop;
    }

    private function take(float $seconds): bool
    {
        if (!$this->hasSignals) {
            usleep((int) (min($seconds, self::WAIT_SECONDS) * 1e6));
            return false;
        }
        // An interrupted wait causes a warning and returns -1 or false. PHP 8.4 and later reject a timeout of zero.
        $whole = (int) $seconds;
        $signal = @pcntl_sigtimedwait(array_keys(self::names()), $info, $whole, max(1, (int) (($seconds - $whole) * 1e9)));
        if ($signal === SIGHUP) {
            $this->wake = true;
        } elseif (is_int($signal) && $signal > 0) {
            $this->stop = self::names()[$signal];
        }
        return is_int($signal) && $signal > 0;
    }

    /** @return array<int, string> not a constant, because PHP on Windows does not have these signals */
    private static function names(): array
    {
        return [SIGINT => 'SIGINT', SIGTERM => 'SIGTERM', SIGHUP => 'SIGHUP'];
    }
}
