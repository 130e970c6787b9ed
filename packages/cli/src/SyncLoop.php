<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Bloom\SyncResult;

/** Syncs at an interval until a signal arrives, and reports changes. */
final class SyncLoop
{
    /** Each wait is randomly up to this share shorter or longer, so that hosts that started together drift apart. */
    private const JITTER = 0.1;

    /** @var array<string, array{generation: int|null, failures: int, reason: string}> */
    private array $states = [];

    /** @param list<string> $names */
    public function __construct(
        private readonly Syncer $syncer,
        private readonly array $names,
        private readonly float $seconds,
        private readonly Report $report,
        private readonly SignalQueue $signals
    ) {
    }

    /** Syncs until SIGINT or SIGTERM arrives. */
    public function run(): void
    {
        foreach ($this->names as $name) {
            $this->states[$name] = ['generation' => $this->generation($name), 'failures' => 0, 'reason' => ''];
        }
        while (true) {
            $this->syncer->beginRound();
            $due = $this->syncer->isAsked ? $this->names : $this->syncer->follow($this->names);
            foreach ($this->names as $name) {
                if ($this->signals->stop() !== null) {
                    return;
                }
                // A filter that failed is synced once more, which reports that it has recovered.
                if (in_array($name, $due, true) || $this->states[$name]['failures'] > 0) {
                    $this->sync($name);
                }
            }
            $this->syncer->beginRound();
            $this->syncer->isAsked = $this->signals->wait($this->seconds * (1 + self::JITTER * (2 * mt_rand() / mt_getrandmax() - 1)));
        }
    }

    private function sync(string $name): void
    {
        $state = &$this->states[$name];
        try {
            $synced = $this->syncer->sync($name);
        } catch (\Throwable $thrown) {
            if ($this->signals->stop() !== null) {
                return;
            }
            if (!Syncer::isOfItsName($thrown)) {
                throw $thrown;
            }
            $state['failures']++;
            $this->reportFailure($name, $state, Names::reason($name, $thrown));
            return;
        }
        if ($synced->result === SyncResult::Paused) {
            return; // neither a new failure nor a recovery
        }
        // A page or another command may have loaded the new version first.
        $generation = $synced->info->generation;
        $synced = new Synced($synced->isSwitched || $generation !== $state['generation'], $synced->result, $synced->info);
        if ($this->report->logsJson) {
            $this->logSuccess($synced, $state);
        } elseif ($synced->isSwitched || $state['failures'] > 0) {
            $this->reportSuccess($synced, $state['failures']);
        }
        $this->reportLoss($name);
        $state = ['generation' => $generation, 'failures' => 0, 'reason' => ''];
    }

    /** Reports that the store has lost journal records. Filter::sync() reports this once for each host. */
    private function reportLoss(string $name): void
    {
        $seen = $this->syncer->events['lost'] ?? null;
        if ($seen === null) {
            return;
        }
        if ($this->report->logsJson) {
            $this->report->event($seen['mayLackKeys'] ? 'critical' : 'error', 'lost', ['filter' => $name, 'mayLackKeys' => $seen['mayLackKeys']], true);
            return;
        }
        $this->report->failure(self::time(STDERR) . "bloom: $name: the store has lost journal records"
            . ($seen['mayLackKeys'] ? ' that this host may not have read, so every lookup answers "maybe"' : '') . ': build and publish a new version');
    }

    /** Reports a failure unless the previous failure had the same reason. Numbers in the reasons are not compared. */
    private function reportFailure(string $name, array &$state, string $reason): void
    {
        $kind = preg_replace('/\d+/', '', $reason);
        if ($kind === $state['reason']) {
            return;
        }
        $state['reason'] = $kind;
        if ($this->report->logsJson) {
            $seen = $this->syncer->events['failed'] ?? [];
            $this->report->event('error', 'failed', [
                'filter' => $name,
                'status' => $seen['status'] ?? null,
                'failures' => $seen['failures'] ?? $state['failures'],
                'error' => $reason,
            ], true);
            return;
        }
        $this->report->failure(self::time(STDERR) . "bloom: $reason");
    }

    /**
     * Logs events with the figures that Filter::sync() reports. They are null if a page or another command switched.
     *
     * @param array{generation: int|null, failures: int, reason: string} $state before the sync
     */
    private function logSuccess(Synced $synced, array $state): void
    {
        $filter = ['filter' => $synced->info->name, 'generation' => $synced->info->generation];
        if ($synced->isSwitched) {
            $seen = $this->syncer->events['switched'] ?? [];
            $this->report->event('info', 'switched', $filter + [
                'from' => $seen === [] ? $state['generation'] : $seen['from'],
                'keys' => $seen['keys'] ?? $synced->info->keys ?? null,
                'bytesFetched' => $seen['bytesFetched'] ?? null,
                'seconds' => $seen['seconds'] ?? null,
            ]);
        }
        if ($state['failures'] > 0) {
            $this->report->event('notice', 'recovered', $filter + ['failures' => $state['failures']]);
        }
        $this->report->flush();
    }

    private function reportSuccess(Synced $synced, int $failures): void
    {
        $after = $failures === 0 ? '' : ', after ' . Text::counted($failures, 'failure');
        $this->report->result($synced->fields(), static fn (): array => [
            self::time(STDOUT) . ($synced->isSwitched
                ? $synced->describe()
                : "{$synced->info->name}: recovered, generation " . Text::count($synced->info->generation)) . $after,
        ]);
        $this->report->flush();
    }

    private function generation(string $name): ?int
    {
        try {
            return Filter::find($name)?->info()->generation;
        } catch (\Bloom\BloomException) {
            return null;
        }
    }

    /**
     * Returns the prefix of a line: the time, or nothing if the stream goes to systemd's journal, which records the time.
     *
     * @param resource $stream
     */
    public static function time($stream): string
    {
        $status = is_resource($stream) ? fstat($stream) : false;
        $isJournal = $status !== false && getenv('JOURNAL_STREAM') === "{$status['dev']}:{$status['ino']}";
        return $isJournal ? '' : gmdate('Y-m-d\TH:i:s\Z ');
    }
}
