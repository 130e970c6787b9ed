<?php

/** The cluster's demo: two nights, during which masters are killed, and what the hosts answered meanwhile. */

namespace Demo;

use Bloom\Status\Chart;
use RedisClusterServers;

final class Outage
{
    private const WORDS_PER_KIND = 1000;

    private RedisClusterServers $servers;
    private Hosts $hosts;
    /** @var list<float> the times of the kills */
    private array $kills = [];
    private float $secondsToSwitch = 0;
    private array $night = [];

    public function __construct(private Report $report)
    {
    }

    public function show(): int
    {
        $words = $this->prepare();
        /* A killed master must lose nothing that it has acknowledged, or the chunks of a published version would be missing. */
        $this->servers = new RedisClusterServers(
            settings: ['--cluster-require-full-coverage', 'no', '--appendonly', 'yes', '--appendfsync', 'always'],
            command: ['setpriv', '--pdeathsig', 'TERM', 'redis-server'],
            rate: 1
        );
        putenv('BLOOM_DEMO_CLUSTER=' . implode(' ', $this->servers->addresses()));
        $this->report->step('3 masters of a Redis Cluster started on the loopback, which share the keys of the store');
        $this->hosts = new Hosts(HOSTS);
        $this->report->step(sprintf('%d hosts started. Each has its own shared memory, a process that syncs, and a process that '
            . 'looks up pages of ten tags without a pause', HOSTS));
        $this->firstNight();
        $this->secondNight();
        $this->wholeOutage();
        $this->tables();
        $this->hosts->stop();
        $this->servers->stopAll();
        $this->report->write(getenv('BLOOM_DEMO_REPORT_FILE'), getenv('BLOOM_DEMO_REPORT'), sprintf(
            'scripts/demo --store cluster started a Redis Cluster of 3 masters and %d hosts. A nightly job published a filter of %s '
                . 'articles, and then that of the next night, while masters were killed and started again. All processes ran on this machine.',
            HOSTS, count_of(count($words->articles))), next_steps());
        return $this->report->end('while masters were killed, every host went on answering from its own shared memory, and no answer was '
            . 'wrong. The nightly job tried again until it had published. Hosts switched as soon as they could read all chunks, and '
            . 'synced again by themselves.', next_steps());
    }

    private function prepare(): Words
    {
        $words = new Words(home());
        foreach (['kept', 'added', 'removed', 'absent'] as $kind) {
            write_lines(home() . "/$kind", array_slice($words->$kind, 0, self::WORDS_PER_KIND));
        }
        $this->report->step(sprintf('%s articles: the entries of SKK-JISYO.L, a word list for typing Japanese',
            count_of(count($words->articles))));
        return $words;
    }

    private function firstNight(): void
    {
        $job = Hosts::start('job', 'cluster_night.php', [home() . '/articles-1']);
        $this->awaitPublish($job);
        $night = $this->finish($job);
        $this->hosts->await('serve the first night', fn (array $state): bool => $state['generation'] === 1);
        $this->report->step(sprintf('night 1: published %d chunks, %s bytes; all %d hosts serve the filter', $night['chunks'],
            count_of($night['bytesWritten']), HOSTS));
        $this->hosts->follow(1);
    }

    private function secondNight(): void
    {
        $head = $this->servers->of('bloom:' . FILTER);
        [$second, $third] = [($head + 1) % 3, ($head + 2) % 3];
        $this->kill($head, 'which has the list of chunks');
        $this->hosts->await('report failed syncs', fn (array $state): bool => $state['failuresInRow'] > 0);
        $this->report->step('every host reports failed syncs, and still answers pages');
        $job = Hosts::start('job', 'cluster_night.php', [home() . '/articles-2']);
        $this->hosts->follow(0.5);
        $this->report->step('night 2: the job has begun and cannot read the store, so it tries again');
        $this->servers->start($head);
        $this->awaitPublish($job);
        $this->kill($second, 'while the job publishes');
        fwrite($job['input'], "go on\n");
        $this->hosts->follow(1);
        $this->servers->start($second);
        $this->night = $this->finish($job);
        $publishedAt = microtime(true);
        $this->report->step(sprintf('the job has published at attempt %d', $this->night['attempts']));
        $this->kill($third, 'which may have chunks that hosts still need');
        $this->hosts->follow(1);
        $this->servers->start($third);
        $this->hosts->await('serve the second night', fn (array $state): bool => $state['generation'] >= 2);
        $this->secondsToSwitch = microtime(true) - $publishedAt;
        $this->report->step(sprintf('all %d hosts serve night 2', HOSTS));
        $this->hosts->follow(0.5);
    }

    private function wholeOutage(): void
    {
        $this->kill(0, 'and the cluster has lost a third of the keys');
        $this->kill(1, 'and the whole cluster is down');
        $this->hosts->await('report failed syncs', fn (array $state): bool => $state['failuresInRow'] > 0);
        $this->report->step('every host reports failed syncs, and still answers pages');
        $this->servers->start(0);
        $this->servers->start(1);
        $start = microtime(true);
        $this->hosts->await('sync again', fn (array $state): bool => $state['failuresInRow'] === 0 && $state['syncFailures'] > 0);
        $this->report->step(sprintf('the masters run again, and %.1f s later every host syncs again', microtime(true) - $start));
        $this->hosts->follow(0.5);
    }

    private function kill(int $master, string $why): void
    {
        $this->servers->stop($master);
        $this->kills[] = microtime(true);
        $this->report->step(sprintf('kill %d: master %d, %s', count($this->kills), $master + 1, $why));
    }

    private function tables(): void
    {
        $report = $this->report;
        $hosts = $this->hosts;
        $report->title('What the hosts answered while masters were killed', 'An answer is wrong if the filter says "definitely not" for an '
            . 'article of the night that it serves. That must never happen. The numbers in the chart are the kills.');
        $report->chart($this->chart());
        $switched = count(array_filter($hosts->states, fn (array $state): bool => $state['generation'] >= 2));
        $report->row('wrong answers', count_of($hosts->sum('missed')), 'of ' . count_of($hosts->sum('articles')) . ' lookups of articles',
            $hosts->sum('missed') === 0 && $hosts->sum('articles') > 0);
        $report->row('pages failed', count_of($hosts->sum('failed')), trim('of ' . count_of($hosts->pages()) . ' '
            . implode(' ', array_unique(array_column($hosts->states, 'problem')))), $hosts->sum('failed') === 0);
        $report->row('hosts switched', "$switched of " . HOSTS, sprintf('to night 2; the last one %.1f s after the job had published. '
            . 'Kill 3 came in between, and hosts waited for the chunks of that master', $this->secondsToSwitch), $switched === HOSTS);
        $report->row('masters killed', (string) count($this->kills), 'with SIGKILL; each was started again');
        $report->row('attempts of the job', (string) $this->night['attempts'], sprintf('until night 2 was published; the last one wrote %d of %d chunks',
            $this->night['chunksWritten'], $this->night['chunks']));
        $failures = array_column($hosts->states, 'syncFailures');
        $report->row('failed syncs', count_of(array_sum($failures)), sprintf('%d to %d on each host, which kept what it served; all are counted '
            . 'in info(), health() and the metrics', min($failures), max($failures)), min($failures) > 0);
        $recovered = count(array_filter($hosts->states, fn (array $state): bool => $state['failuresInRow'] === 0));
        $report->row('hosts that sync again', "$recovered of " . HOSTS, 'by themselves, after the masters were started', $recovered === HOSTS);
        $report->row('load before the demo', sprintf('%.1f', $report->machine->load), "of {$report->machine->processors} processors");
    }

    /** Draws the pages of all hosts, by the version that answered, and when masters were killed. */
    private function chart(): Chart
    {
        $from = $this->hosts->samples[0][0];
        $seconds = end($this->hosts->samples)[0] - $from;
        $count = 80;
        $columns = array_fill(0, $count, [0, 0]);
        foreach ($this->hosts->samples as [$at, $old, $new]) {
            $column = min($count - 1, (int) ($count * ($at - $from) / $seconds));
            $columns[$column][0] += $old;
            $columns[$column][1] += $new;
        }
        return Chart::columns('Pages of all hosts over time, by the version that answered', $columns, ['night 1' => 'soft', 'night 2' => 'accent'],
            sprintf('in %.1f s', $seconds / $count), '0 s', sprintf('%.0f s', $seconds),
            $this->marks($from, $count / $seconds));
    }

    /** @return list<array{float, string}> the number of columns left of each kill, and the label. Kills in one column share a line */
    private function marks(float $from, float $columnsPerSecond): array
    {
        $marks = [];
        foreach ($this->kills as $number => $at) {
            $column = $columnsPerSecond * ($at - $from);
            $last = array_key_last($marks);
            if ($last !== null && $column - $marks[$last][0] < 4) {
                $marks[$last][1] .= ', ' . $number + 1;
            } else {
                $marks[] = [$column, (string) ($number + 1)];
            }
        }
        return $marks;
    }

    /** Follows the hosts until the job has written chunks and waits. */
    private function awaitPublish(array $job): void
    {
        $line = $this->hosts->awaitLine($job);
        if ($line !== "publishing\n") {
            throw new \RuntimeException("the nightly job has failed: $line" . stream_get_contents($job['output']));
        }
    }

    /** Lets the job go on, and returns what it tells at its end. */
    private function finish(array $job): array
    {
        fwrite($job['input'], "go on\n");
        $output = $this->hosts->awaitLine($job);
        $status = proc_close($job['process']);
        return json_decode($output, true) ?? throw new \RuntimeException("the nightly job failed with status $status: $output");
    }
}
