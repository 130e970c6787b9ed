<?php

namespace Bloom\Cli;

/**
 * SIGINT, SIGTERM and SIGHUP as something to ask for, in place of something that interrupts: they are blocked,
 * for the rest of the process, and wait until they are taken. So none is lost between a look and a wait, and
 * process 1 of a container gets them as well.
 */
final class SignalQueue
{
    private const NAMES = [SIGINT => 'SIGINT', SIGTERM => 'SIGTERM', SIGHUP => 'SIGHUP'];

    private ?int $stop = null;
    private bool $wake = false;

    public function __construct()
    {
        if (!function_exists('pcntl_sigtimedwait')) {
            throw new Failure(ExitCode::Unavailable, '--every needs the PHP extension pcntl');
        }
        pcntl_sigprocmask(SIG_BLOCK, array_keys(self::NAMES));
    }

    /** Waits so long, or until a signal comes, is there, or was there when stop() was asked last. */
    public function wait(float $seconds): void
    {
        $end = microtime(true) + $seconds;
        while ($this->stop === null && !$this->wake && ($left = $end - microtime(true)) > 0) {
            $this->take($left);
        }
        $this->wake = false;
    }

    /** The name of the signal that asks for an end; null: none has. */
    public function stop(): ?string
    {
        do {
            $taken = $this->take(0.0);
        } while ($taken && $this->stop === null);
        return $this->stop === null ? null : self::NAMES[$this->stop];
    }

    private function take(float $seconds): bool
    {
        // A wait that something else interrupts gives a warning, and -1 or false. PHP 8.4 and later refuse one of no time.
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
