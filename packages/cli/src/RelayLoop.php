<?php

namespace Bloom\Cli;

/** Relays at an interval until a signal arrives, and reports failures once. */
final class RelayLoop
{
    /** The database, among the names of filters. */
    private const DATABASE = '';

    /** @var array<string, string> the reasons that were reported, by the name of the filter */
    private array $reasons = [];

    public function __construct(
        private readonly Relay $relay,
        private readonly float $seconds,
        private readonly Report $report,
        private readonly SignalQueue $signals
    ) {
    }

    /** Relays until SIGINT or SIGTERM arrives. SIGHUP ends a wait. */
    public function run(): void
    {
        while ($this->signals->stop() === null) {
            try {
                $failures = $this->relay->run(fn (): bool => $this->signals->stop() !== null)[1];
            } catch (Failure $failure) {
                if ($failure->exitCode === ExitCode::Unavailable || $failure->exitCode === ExitCode::Usage) {
                    throw $failure;
                }
                $failures = [self::DATABASE => $failure];
            }
            $this->compare($failures);
            $this->signals->wait($this->seconds);
        }
    }

    /**
     * Reports what has failed for a new reason, and what has recovered. Numbers in the reasons are not compared.
     *
     * @param array<string, Failure> $failures
     */
    private function compare(array $failures): void
    {
        foreach ($failures as $name => $failure) {
            $reason = preg_replace('/\d+/', '', $failure->getMessage());
            if (($this->reasons[$name] ?? null) !== $reason) {
                $this->report->failure(SyncLoop::time(STDERR) . "bloom: {$failure->getMessage()}");
            }
            $this->reasons[$name] = $reason;
        }
        // While the database fails, nothing is known about the filters.
        foreach (isset($failures[self::DATABASE]) ? [] : array_diff_key($this->reasons, $failures) as $name => $reason) {
            unset($this->reasons[$name]);
            $this->report->result(
                ['event' => 'recovered', 'filter' => $name === self::DATABASE ? null : (string) $name],
                static fn (): array => [SyncLoop::time(STDOUT) . ($name === self::DATABASE ? 'the database' : $name) . ': recovered']
            );
        }
        $this->report->flush();
    }
}
