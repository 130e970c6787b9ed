<?php

/**
 * The next night: publishes two more versions, one after the other, while pages are requested without a pause.
 * Records when each worker switches to the new generation, and how much memory is in use.
 */

namespace Demo;

use Bloom\Status\Chart;
use FastCgiClient;

final class Switchover
{
    private const LIMIT_SECONDS = 20;

    /** What the host fetched, for the summary. */
    public string $fetched = '';
    private string $segment;
    private int $requests = 0;
    private int $failed = 0;
    private string $problem = '';
    private int $lateOld = 0;
    private int $peak = 0;
    private float $firstSeenAt = 0;
    private float $allSeenAt = 0;
    private float $publishedAt = 0;
    private int $awaited = 0;
    /** @var array<int, true> workers seen, and those seen with the awaited generation */
    private array $pids = [], $switched = [];
    /** @var list<array{float, bool}> the time of each answer, and whether it is from the awaited version */
    private array $answers = [];
    private TwoNights $pages;

    public function __construct(
        private Report $report,
        private FastCgiClient $client,
        private Words $words,
        private int $workers
    ) {
        $this->segment = getenv('BLOOM_DEMO_SEGMENT');
    }

    public function show(): void
    {
        $files = segment_files($this->segment);
        $mapped = $this->mapped();
        echo "\n";
        $this->report->step('next night: 1 % of the articles removed, 1 % added, while pages are requested');
        $night = $this->nextVersion('/articles-2', syncByWorkers: true);
        $this->report->step('looking up every article of the new night');
        $answers = new Answers(set_of([...$this->words->kept, ...$this->words->added]));
        $this->client->send(pages([...$this->words->kept, ...$this->words->added]), $answers->take(...));
        $this->report->title('How the switch went');
        $this->showSwitch($answers);
        $fetches = $this->showFetch($night);
        $this->showMemory($files, $mapped, $fetches);
        $this->showSmallChange();
    }

    /** Publishes a version and requests pages until every worker has answered from it. */
    private function nextVersion(string $articles, bool $syncByWorkers): array
    {
        $this->awaited = $this->client->ask('info')['generation'] + 1;
        $this->switched = [];
        $this->answers = [];
        $this->failed = 0;
        $this->pages = new TwoNights($this->words);
        $this->firstSeenAt = $this->allSeenAt = $this->publishedAt = 0;
        $start = microtime(true);
        /* The steps run one after the other while pages are requested: the nightly job, then a sync like cron's
         * unless the workers sync. */
        $steps = [fn () => start_part('nightly.php', [home() . $articles])];
        if (!$syncByWorkers) {
            $steps[] = fn () => start_part('sync.php', [], getenv('BLOOM_DEMO_USER'));
        }
        $running = null;
        $told = [];
        $tick = function () use (&$steps, &$running, &$told, $start): void {
            $this->peak = max($this->peak, array_sum(segment_files($this->segment)));
            if ($running !== null && !proc_get_status($running['process'])['running']) {
                $told[] = end_part($running);
                $running = null;
                $this->publishedAt = $this->publishedAt ?: microtime(true);
            }
            if ($running === null && $steps !== [] && microtime(true) - $start > 0.3) {
                $running = array_shift($steps)();
            }
        };
        $this->client->send(
            $this->requests($syncByWorkers ? 'page, sync' : 'page', $start + self::LIMIT_SECONDS),
            $this->take(...),
            $tick
        );
        if ($running !== null) {
            $told[] = end_part($running);
        }
        return ['sync' => $told[1] ?? null] + $told[0];
    }

    /** Requests pages until shortly after every worker has switched, or until the time limit. */
    private function requests(string $action, float $until): iterable
    {
        for ($i = 0; ; $i++) {
            $now = microtime(true);
            if ($now > $until || $this->allSeenAt > 0 && $now > $this->allSeenAt + 0.3) {
                return;
            }
            yield ['action' => $action, 'body' => implode("\n", $this->pages->tags($i))];
        }
    }

    private function take(array $request, ?array $answer, string $problem, float $sentAt): void
    {
        $this->requests++;
        if ($answer === null) {
            $this->failed++;
            $this->problem = $problem;
            return;
        }
        $now = microtime(true);
        $this->pids[$answer['pid']] = true;
        $this->answers[] = [$now, $answer['after'] >= $this->awaited];
        if ($answer['after'] >= $this->awaited) {
            $this->firstSeenAt = $this->firstSeenAt ?: $now;
            $this->switched[$answer['pid']] = true;
            if (count($this->switched) >= $this->workers) {
                $this->allSeenAt = $this->allSeenAt ?: $now;
            }
        } elseif ($this->firstSeenAt > 0 && $sentAt > $this->firstSeenAt) {
            $this->lateOld++;
        }
        $this->pages->compare($answer);
    }

    private function showSwitch(Answers $answers): void
    {
        $report = $this->report;
        $report->chart($this->chart());
        $report->row('workers switched', count($this->switched) . " of $this->workers",
            sprintf('first answer %.0f ms, last worker %.0f ms after publishing',
                1000 * max(0, $this->firstSeenAt - $this->publishedAt),
                1000 * max(0, $this->allSeenAt - $this->publishedAt)),
            count($this->switched) === $this->workers && count($this->pids) === $this->workers);
        $report->row('answers from the old version', (string) $this->lateOld,
            'to requests sent after the first new answer', $this->lateOld === 0);
        $report->row('requests failed', (string) ($this->failed + $answers->failed), trim('of ' .
            count_of($this->requests + $answers->pages) . ' ' . $this->problem . $answers->problem),
            $this->failed + $answers->failed === 0);
        $report->row('false negatives', (string) ($this->pages->missed + $answers->falseNegatives),
            sprintf('of %s during the switch, %s after it', count_of($this->pages->mustBeMaybe),
                count_of($answers->present)),
            $this->pages->missed + $answers->falseNegatives === 0);
        $report->row('removed articles: "no"', percent($this->pages->shareOfNo('removed', 2)),
            sprintf('after the switch; added ones before it: %s', percent($this->pages->shareOfNo('added', 1))));
    }

    /** Draws the answers from 300 ms before until 300 ms after the first answer from the new version. */
    private function chart(): Chart
    {
        $step = 0.01;
        $columns = array_fill(0, 60, [0, 0]);
        foreach ($this->answers as [$at, $isNew]) {
            $column = (int) floor(($at - $this->firstSeenAt) / $step) + 30;
            if (isset($columns[$column])) {
                $columns[$column][$isNew ? 1 : 0]++;
            }
        }
        return Chart::columns('Pages around the switch, by the version that answered', $columns, ['old version' => 'soft', 'new version' => 'accent'],
            'in 10 ms', '300 ms before', '300 ms after', [[30, 'switch']]);
    }

    /** @return list<array> the workers' syncs that fetched chunks; exactly one is expected */
    private function showFetch(array $night): array
    {
        $log = home() . '/run/syncs';
        $syncs = array_map(
            fn (string $line): array => json_decode($line, true),
            is_file($log) ? read_lines($log) : []
        );
        $fetches = array_values(array_filter($syncs, fn (array $sync): bool => $sync['chunks'] > 0));
        $errors = array_filter(array_column($syncs, 'error'));
        $one = $fetches[0] ?? ['chunks' => 0, 'bytes' => 0, 'ms' => 0, 'switched' => false];
        $this->report->row('workers that fetched', (string) count($fetches), trim(sprintf(
            'after a response, in %.1f ms: %d of %d chunks, %s bytes. The hash spreads %s changed articles over all chunks, so each '
                . 'chunk has changed %s', $one['ms'], $one['chunks'], $night['info']['chunks'], count_of($one['bytes']),
            count_of(count($this->words->removed) + count($this->words->added)), reset($errors) ?: '')),
            count($fetches) === 1 && $one['switched'] && $errors === []);
        $this->fetched = sprintf('This host fetched the chunks that had changed: after %s changes, %d of %d',
            count_of(count($this->words->removed) + count($this->words->added)), $one['chunks'], $night['info']['chunks']);
        return $fetches;
    }

    /** Reports the memory. The old version's memory is freed once its file is unlinked and no worker maps it. */
    private function showMemory(array $filesBefore, array $mappedBefore, array $fetches): void
    {
        $files = segment_files($this->segment);
        $served = array_values(preg_grep('/\.bloom$/', array_keys($files)));
        $mapped = $this->mapped();
        $onlyNew = count(array_filter($mapped, fn (array $paths): bool => $paths === $served));
        $hadOld = !in_array($served, $mappedBefore, true) && count($mappedBefore) === $this->workers;
        $this->report->row('shared memory, bytes', count_of(array_sum($files)),
            sprintf('in %d files; before: %s in %d; peak %s', count($files),
                count_of(array_sum($filesBefore)), count($filesBefore),
                count_of(max([$this->peak, ...array_column($fetches, 'peak')]))),
            array_sum($files) <= array_sum($filesBefore) && count($files) === count($filesBefore));
        $this->report->row('old file still mapped by', (string) (count($mapped) - $onlyNew),
            "workers; $onlyNew of $this->workers map only the new file",
            $hadOld && count($served) === 1 && $onlyNew === $this->workers);
    }

    private function showSmallChange(): void
    {
        $extra = $this->words->extra;
        $wasAbsent = $this->client->ask('page', $extra)['maybe'] === [];
        $night = $this->nextVersion('/articles-3', syncByWorkers: false);
        $sync = $night['sync'] ?? ['chunks' => 0, 'bytes' => 0];
        $switched = count($this->switched);
        $isThere = $this->client->ask('page', $extra)['maybe'] === [0];
        $this->report->row('one more article: chunks',
            $sync['chunks'] . ' of ' . $night['info']['chunks'],
            sprintf('fetched, %s bytes with the list of chunks; %d of %d workers switched', count_of($sync['bytes']),
                $switched, $this->workers),
            $wasAbsent && $isThere && $sync['chunks'] === 1 && $switched === $this->workers
                && $this->failed + $this->pages->missed === 0);
        $this->fetched .= sprintf(', and after one more article %d of %d.', $sync['chunks'], $night['info']['chunks']);
    }

    /** Returns the files of the segment that each worker maps. @return array<int, list<string>> */
    private function mapped(): array
    {
        $files = [];
        $until = microtime(true) + self::LIMIT_SECONDS;
        while (count($files) < $this->workers && microtime(true) < $until) {
            $this->client->send(
                array_fill(0, CONNECTIONS, ['action' => 'mappings', 'body' => '']),
                function (array $request, ?array $answer) use (&$files): void {
                    if ($answer !== null) {
                        $files[$answer['pid']] = $answer['files'];
                    }
                }
            );
        }
        return $files;
    }
}
