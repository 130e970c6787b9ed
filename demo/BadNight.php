<?php

/**
 * A night in which all goes wrong at the store: masters of the cluster are killed and come back, before, while
 * and after a new version is published, and every host goes on answering pages meanwhile.
 */

namespace Demo;

final class BadNight
{
    private const PAGES_A_SECOND = 400;
    private const CONNECTIONS = 32;
    private const LIMIT_SECONDS = 30; /* for any one thing to come about */
    private const JOB_SECONDS = 60;

    private FastCgiClient $client;
    private TwoNights $pages;
    private \Generator $events;
    /** @var array<int, array> what each host's newest answer said of it, and `saw`: that a sync had failed */
    private array $hosts = [];
    /** @var array<int, string> what hosts said why syncs failed */
    private array $reasons = [];
    private int $requests = 0;
    private int $failed = 0;
    private int $whileDown = 0;
    private string $problem = '';
    private float $slowest = 0;
    private int $down = 0;
    private int $kills = 0;
    private ?array $job = null;
    private array $told = [];
    private float $publishedAt = 0;

    public function __construct(
        private Report $report,
        private Masters $masters,
        Words $words,
        private int $number
    ) {
        $this->client = new FastCgiClient('', __DIR__ . '/page.php', self::CONNECTIONS);
        $this->pages = new TwoNights($words);
    }

    public function show(): void
    {
        $this->firstNight();
        $this->events = $this->events();
        $this->events->current();
        $this->client->send($this->requests(), $this->take(...), fn () => $this->events->next());
        $this->showHosts();
        $this->showAll();
    }

    /** Published in peace, and loaded by every host. */
    private function firstNight(): void
    {
        $night = part('nightly.php', [home() . '/articles-1']);
        $this->report->step(sprintf('first night: %d chunks, %s bytes, on %s keys of the masters',
            $night['published']['chunksWritten'], count_of($night['published']['bytesWritten']),
            implode(' + ', array_map($this->masters->keys(...), range(0, Masters::NUMBER - 1)))));
        $until = microtime(true) + self::LIMIT_SECONDS;
        while (!$this->all(fn (array $host): bool => $host['after'] === 1)) {
            if (microtime(true) > $until) {
                throw new \RuntimeException('not every host loads the first night\'s filter');
            }
            $requests = array_map($this->request(...), range(0, $this->number - 1));
            $this->client->send($requests, $this->take(...), fn () => usleep(1000));
        }
        $this->report->step("loaded by $this->number hosts, each with a segment and workers of its own");
        $this->pages->asked = $this->pages->saved = $this->pages->mustBeMaybe = $this->requests = 0;
    }

    /** What happens while pages are requested; goes on a little with each next(). */
    private function events(): \Generator
    {
        $head = $this->masters->keeping('bloom:' . FILTER);
        [$second, $third] = [($head + 1) % Masters::NUMBER, ($head + 2) % Masters::NUMBER];
        $this->report->step(sprintf('%d pages a second from now on, and the hosts ask the store every 0.5 to 1.9 s',
            self::PAGES_A_SECOND));
        $this->report->step('no page may fail or miss an article now, whatever becomes of the store');
        yield from self::seconds(1);

        $this->kill($head, ', which keeps the head');
        yield from $this->until('a failed sync on every host', $this->everyHostFails(...));
        $this->report->step('a sync has failed on every host, and info() says so; the nightly job starts');
        $this->job = start_part('nightly.php', [home() . '/articles-2', (string) self::JOB_SECONDS]);
        yield from self::seconds(2);
        $this->restart($head);
        yield from $this->until('the first chunks', fn (): bool => self::isThere('/run/publishing'));
        yield from self::seconds(0.3);
        $this->kill($second, ', in the middle of publishing');
        yield from self::seconds(2);
        $this->restart($second);
        yield from $this->until('the nightly job\'s end', $this->jobHasEnded(...), self::JOB_SECONDS);
        yield from self::seconds(0.3);
        $this->kill($third, ', with a third of the chunks: hosts that lack them must wait');
        yield from self::seconds(2);
        $this->restart($third);
        yield from $this->until('the new version on every host',
            fn (): bool => $this->all(fn (array $host): bool => $host['after'] === 2));
        $this->report->step('the new version is served by every host');

        $this->kill($head, ' once more');
        $this->kill($second, ' with it: the cluster as a whole is down');
        yield from $this->until('failed syncs on every host', $this->everyHostFails(...));
        $this->restart($head);
        $this->restart($second);
        yield from $this->until('a sync that succeeds on every host',
            fn (): bool => $this->all(fn (array $host): bool => $host['failuresInRow'] === 0));
        $this->report->step('a sync has succeeded on every host');
        yield from self::seconds(0.5);
    }

    private static function seconds(float $seconds): \Generator
    {
        for ($until = microtime(true) + $seconds; microtime(true) < $until;) {
            yield;
        }
    }

    private function until(string $what, callable $isSo, int $seconds = self::LIMIT_SECONDS): \Generator
    {
        for ($until = microtime(true) + $seconds; !$isSo();) {
            if (microtime(true) > $until) {
                throw new \RuntimeException("waited $seconds s in vain for $what; hosts say: "
                    . json_encode(array_values(array_unique(array_filter(array_column($this->hosts, 'lastError'))))));
            }
            yield;
        }
    }

    private static function isThere(string $file): bool
    {
        clearstatcache();
        return is_file(home() . $file);
    }

    private function all(callable $isSo): bool
    {
        return count($this->hosts) === $this->number && count(array_filter($this->hosts, $isSo)) === $this->number;
    }

    private function everyHostFails(): bool
    {
        return $this->all(fn (array $host): bool => $host['failuresInRow'] > 0);
    }

    private function jobHasEnded(): bool
    {
        if (proc_get_status($this->job['process'])['running']) {
            return false;
        }
        $this->publishedAt = microtime(true);
        $this->told = end_part($this->job);
        $this->report->step('the nightly job has published, at try ' . count($this->told['failures']) + 1);
        return true;
    }

    private function kill(int $which, string $remark): void
    {
        $this->masters->kill($which);
        $this->report->step('killed master ' . $which + 1 . $remark);
        $this->down++;
        $this->kills++;
    }

    private function restart(int $which): void
    {
        $this->masters->restart($which);
        $this->report->step('restarted master ' . $which + 1 . ', with the keys that it had');
        $this->down--;
    }

    /** Pages of the hosts in turns, evenly in time, as long as something happens. */
    private function requests(): iterable
    {
        $due = microtime(true);
        for ($page = 0; $this->events->valid(); $page++) {
            $due += 1 / self::PAGES_A_SECOND;
            usleep((int) max(0, 1e6 * ($due - microtime(true))));
            yield $this->request($page);
        }
    }

    private function request(int $page): array
    {
        $host = $page % $this->number;
        return [
            'action' => 'page of a host',
            'socket' => home() . '/run/host' . $host + 1 . '.sock',
            'body' => implode("\n", $this->pages->tags($page)),
            'host' => $host,
        ];
    }

    private function take(array $request, ?array $answer, string $problem, float $sentAt): void
    {
        $this->requests++;
        $this->whileDown += $this->down > 0 ? 1 : 0;
        $this->slowest = max($this->slowest, microtime(true) - $sentAt);
        if ($answer === null) {
            $this->failed++;
            $this->problem = $problem;
            return;
        }
        $this->pages->compare($answer);
        $before = $this->hosts[$request['host']] ?? null;
        if ($answer['failures'] < ($before['failures'] ?? 0) || $answer['after'] < ($before['after'] ?? 0)) {
            return; /* overtaken by another page's answer */
        }
        $answer['saw'] = ($before['saw'] ?? false) || $answer['failuresInRow'] > 0;
        $this->hosts[$request['host']] = $answer;
        if ($answer['failuresInRow'] > 0) {
            $this->reasons[$answer['lastError']] = true;
        }
    }

    private function showHosts(): void
    {
        ksort($this->hosts);
        $this->report->title('When the hosts served the new version: seconds after it was published');
        foreach ($this->hosts as $host => $said) {
            $this->report->row('host ' . $host + 1, sprintf('%.1f s', $this->switchedAfter($said)),
                sprintf('%d syncs failed, %s', $said['failures'],
                    $said['failuresInRow'] === 0 ? 'the last one succeeded' : 'also the last one'),
                $said['after'] === 2 && self::isHealed($said));
        }
    }

    private function switchedAfter(array $said): float
    {
        return max(0, $said['loadedAt'] - $this->publishedAt);
    }

    private static function isHealed(array $said): bool
    {
        return $said['saw'] && $said['failures'] > 0 && $said['lastError'] !== null && $said['failuresInRow'] === 0;
    }

    private function showAll(): void
    {
        $report = $this->report;
        $new = array_filter($this->hosts, fn (array $said): bool => $said['after'] === 2);
        $seconds = array_map($this->switchedAfter(...), $new);
        $healed = count(array_filter($this->hosts, self::isHealed(...)));
        $report->title('The whole night');
        $report->row('masters killed', (string) $this->kills, 'times, and each started again');
        $report->row('nightly job published at try', (string) (count($this->told['failures']) + 1),
            $this->told['failures'] === [] ? '' : 'the one before: ' . end($this->told['failures']));
        $report->row('hosts switched', count($new) . " of $this->number",
            sprintf('the first after %.1f s, the last after %.1f s', min($seconds), max($seconds)),
            count($new) === $this->number);
        $report->row('syncs failed', (string) array_sum(array_column($this->hosts, 'failures')),
            'each told by info(), with the reasons below');
        $report->row('  hosts that told and healed', "$healed of $this->number", '', $healed === $this->number);
        $report->row('requests failed', (string) $this->failed, trim(sprintf(
            'of %s, %s of them while masters were down; slowest answer %.0f ms %s', count_of($this->requests),
            count_of($this->whileDown), 1000 * $this->slowest, $this->problem)),
            $this->failed === 0 && $this->whileDown > 0);
        $report->row('lookups saved', count_of($this->pages->saved),
            'of ' . count_of($this->pages->asked) . ', ' . percent($this->pages->saved / $this->pages->asked));
        $report->row('false negatives', (string) $this->pages->missed,
            'of ' . count_of($this->pages->mustBeMaybe) . ' times an article was asked for',
            $this->pages->missed === 0);
        $report->title('What info() told of failed syncs');
        foreach (array_keys($this->reasons) as $reason) {
            echo '  "', $reason, "\"\n";
        }
    }
}
