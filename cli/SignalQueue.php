<?php

namespace Bloom\Cli;

/**
 * Polls SIGINT, SIGTERM and SIGHUP. The signals remain blocked until the process exits, and each one is pending until it is
 * taken. So no signal is lost between a sync and the next wait, and process 1 of a container also receives signals.
 */
final class SignalQueue
{
    private const NAMES = [SIGINT => 'SIGINT', SIGTERM => 'SIGTERM', SIGHUP => 'SIGHUP'];

    private ?int $stop = null;
    private bool $wake = false;

    public function __construct()
    {
        if (!function_exists('pcntl_sigtimedwait')) {
            throw new Failure(ExitCode::Unavailable, '--every needs the pcntl PHP extension');
        }
        pcntl_sigprocmask(SIG_BLOCK, array_keys(self::NAMES));
    }

    /** Waits. Returns immediately if a signal is pending or was taken by the last stop(). */
    public function wait(float $seconds): void
    {
        $end = microtime(true) + $seconds;
        while ($this->stop === null && !$this->wake && ($left = $end - microtime(true)) > 0) {
            $this->take($left);
        }
        $this->wake = false;
    }

    /** Returns the name of the signal that stops the loop, or null if no such signal has arrived. */
    public function stop(): ?string
    {
        do {
            $taken = $this->take(0.0);
        } while ($taken && $this->stop === null);
        return $this->stop === null ? null : self::NAMES[$this->stop];
    }

    private function take(float $seconds): bool
    {
        // An interrupted wait causes a warning and returns -1 or false. PHP 8.4 and later reject a timeout of zero.
        $whole = (int) $seconds;
        $signal = @pcntl_sigtimedwait(array_keys(self::NAMES), $info, $whole, max(1, (int) (($seconds - $whole) * 1e9)));
        if ($signal === SIGHUP) {
            $this->wake = true;
        } elseif (is_int($signal) && $signal > 0) {
            $this->stop = $signal;
        }
        return is_int($signal) && $signal > 0;
    }
}
