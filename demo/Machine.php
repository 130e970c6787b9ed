<?php

/** Tells whether other work on this machine has disturbed the measured times. */

namespace Demo;

final class Machine
{
    /** Half of the processors must be free, and a worker may wait this share of its time for a processor. */
    private const BUSY_PER_PROCESSOR = 0.5;
    private const WAITED = 0.1;

    private ?float $waited = null;

    /**
     * @param float $load processes that ran or waited for a processor before the demo began, as an average of a minute
     */
    public function __construct(public readonly float $load, public readonly int $processors)
    {
    }

    /** Records which share of the time a worker that always had work waited for a processor. */
    public function waited(float $share): void
    {
        $this->waited = max(0, $share);
    }

    public function isBusy(): bool
    {
        return $this->load > self::BUSY_PER_PROCESSOR * $this->processors || $this->waited > self::WAITED;
    }

    public function describe(): string
    {
        return sprintf('%d processor%s; load %.1f before the demo began', $this->processors, $this->processors === 1 ? '' : 's', $this->load)
            . ($this->waited === null ? '' : sprintf('; while lookups were timed, the worker waited for a processor %s of the time',
                percent($this->waited, 0)));
    }

    /** Says which figures cannot be trusted. */
    public function warning(): string
    {
        return sprintf(
            'This machine was busy with other work, so you cannot trust its times, its pages per second and what follows from '
                . 'them. Counts, such as false negatives, are not affected. Run the demo again at a load below %.1f.',
            self::BUSY_PER_PROCESSOR * $this->processors
        );
    }
}
