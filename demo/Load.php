<?php

/**
 * Requests pages from the workers of both hosts and compares every answer with the truth.
 *
 * A tag is a number. The first version of the filter has the articles 1 to ARTICLES. The second one has NEW_ARTICLES more.
 */

namespace Demo;

use Bloom\Status\Chart;
use FastCgiClient;

final class Load
{
    public const ARTICLES = 200_000;
    public const NEW_ARTICLES = 2_000;
    private const FIRST_ABSENT = 1_000_000;
    private const TAGS_PER_PAGE = 10;
    private const TAGS_PER_CHECK = 100;
    private const CONNECTIONS = 8;
    private const COLUMN_SECONDS = 0.1;
    private const COLUMNS = 80;
    private const LIMIT_SECONDS = 120;

    /** Pages that were requested, and those that failed. */
    public int $pages = 0, $failed = 0;
    /** All answers, those about tags with an article, and those of them that were "definitely not". */
    public int $answers = 0, $checked = 0, $missed = 0;
    /** Answers about tags without an article while the host followed the journal, and those that were "maybe". */
    public int $absent = 0, $falsePositives = 0;
    /** Pages that were answered from an older version than a page before. */
    public int $backwards = 0;
    /** Answers of "definitely not" to pages that were requested after this time. */
    public float $maybeFrom = INF;
    public int $tooSure = 0;
    /** @var array<string, int> the version that each host served last */
    public array $version = ['A' => 0, 'B' => 0];
    /** @var array<string, bool> whether each host's last page had complete answers */
    public array $isComplete = ['A' => true, 'B' => true];
    /** @var array<int, string> the host of each worker */
    public array $workers = [];
    /** @var list<int> how long the workers needed for the tags of a page */
    public array $times = [];
    public string $problem = '';
    /** @var array<string, float> when each host answered "maybe" for the watched tag, and was last asked before it denied it */
    public array $foundAt = [], $deniedAt = [];
    private ?int $watched = null;
    /** @var array<string, float> when a page was first answered from the newest version */
    private array $newest = ['A' => 0.0, 'B' => 0.0];
    private FastCgiClient $client;
    private int $next = 0;
    /** Seconds with load, until the current run began; and since when it runs. */
    private float $before = 0.0, $since = 0.0;
    /** @var array<int, array{int, int}> answers of "definitely not" and "maybe", for each tenth of a second with load */
    private array $samples = [];
    /** @var list<array{float, string}> */
    private array $marks = [];

    public function __construct(private Site $site)
    {
        $this->client = new FastCgiClient($site->socket('A'), __DIR__ . '/page.php', self::CONNECTIONS);
    }

    public static function tag(int $number): string
    {
        return "tag $number";
    }

    /** Sends one request to a host. */
    public function ask(string $host, string $action, string $body = ''): array
    {
        return $this->client->ask($action, $body, socket: $this->site->socket($host));
    }

    /** Requests pages of ten tags from both hosts, without a pause, until $holds returns true. */
    public function until(string $what, callable $holds): void
    {
        $this->since = microtime(true);
        $this->client->send($this->requests($what, $holds), $this->take(...));
        $this->before += microtime(true) - $this->since;
    }

    public function for(float $seconds): void
    {
        $end = microtime(true) + $seconds;
        $this->until('the time is over', fn (): bool => microtime(true) >= $end);
    }

    /** Asks both hosts for every article, and for as many tags without one. */
    public function everything(): void
    {
        $requests = function (): iterable {
            foreach ([[1, self::ARTICLES + self::NEW_ARTICLES], [self::FIRST_ABSENT, self::FIRST_ABSENT + self::ARTICLES]] as [$from, $to]) {
                for ($first = $from; $first <= $to; $first += self::TAGS_PER_CHECK) {
                    foreach (Site::HOSTS as $host) {
                        yield $this->page($host, range($first, min($to, $first + self::TAGS_PER_CHECK - 1)), false);
                    }
                }
            }
        };
        $this->client->send($requests(), $this->take(...));
    }

    /** From now on, each page also has this tag. */
    public function watch(int $tag): void
    {
        $this->watched = $tag;
    }

    /** Labels the current time in the chart. */
    public function mark(string $label): void
    {
        $this->marks[] = [$this->before, $label];
    }

    public function chart(): Chart
    {
        $count = max(array_keys($this->samples)) + 1;
        $group = (int) ceil($count / self::COLUMNS);
        $columns = array_fill(0, (int) ceil($count / $group), [0, 0]);
        foreach ($this->samples as $place => [$no, $maybe]) {
            $columns[intdiv($place, $group)][0] += $no;
            $columns[intdiv($place, $group)][1] += $maybe;
        }
        $perColumn = self::COLUMN_SECONDS * $group;
        return Chart::columns('Answers while things went wrong', $columns, ['definitely not' => 'accent', 'maybe' => 'warn'], sprintf('in %.1f s', $perColumn),
            '0 s', sprintf('%.0f s', $this->before), array_map(fn (array $mark): array => [$mark[0] / $perColumn, $mark[1]], $this->marks));
    }

    private function requests(string $what, callable $holds): iterable
    {
        while (!$holds()) {
            if (microtime(true) - $this->since > self::LIMIT_SECONDS) {
                throw new \RuntimeException(sprintf('after %d s, it is still not true that %s', self::LIMIT_SECONDS, $what));
            }
            $page = $this->next++;
            $tags = [1 + $page * 7919 % self::ARTICLES, ...($this->watched === null ? [] : [$this->watched])];
            for ($i = count($tags); $i < self::TAGS_PER_PAGE; $i++) {
                $tags[] = self::FIRST_ABSENT + ($page * self::TAGS_PER_PAGE + $i) % self::FIRST_ABSENT;
            }
            yield $this->page(Site::HOSTS[$page % 2], $tags, true);
        }
    }

    /** @param list<int> $tags */
    private function page(string $host, array $tags, bool $isDrawn): array
    {
        return ['action' => 'page', 'body' => implode("\n", array_map(self::tag(...), $tags)), 'socket' => $this->site->socket($host),
            'host' => $host, 'tags' => $tags, 'isDrawn' => $isDrawn];
    }

    private function take(array $request, ?array $answer, string $problem, float $sentAt): void
    {
        $this->pages++;
        if ($answer === null) {
            $this->failed++;
            $this->problem = $problem;
            return;
        }
        $host = $request['host'];
        $this->workers[$answer['pid']] = $host;
        $this->isComplete[$host] = $answer['isComplete'];
        if ($answer['before'] > $this->version[$host]) {
            $this->version[$host] = $answer['before'];
            $this->newest[$host] = microtime(true);
        }
        $this->backwards += $answer['after'] < $this->version[$host] && $sentAt > $this->newest[$host] ? 1 : 0;
        $articles = $answer['before'] > 1 ? self::ARTICLES + self::NEW_ARTICLES : self::ARTICLES;
        $maybe = array_flip($answer['maybe']);
        foreach ($request['tags'] as $place => $tag) {
            if ($tag === $this->watched) {
                $this->see($host, isset($maybe[$place]) && $answer['isComplete'], $sentAt);
            } elseif ($tag <= $articles) {
                $this->checked++;
                $this->missed += isset($maybe[$place]) ? 0 : 1;
            } elseif ($answer['isComplete'] && $tag >= self::FIRST_ABSENT) {
                $this->absent++;
                $this->falsePositives += isset($maybe[$place]) ? 1 : 0;
            }
        }
        $no = count($request['tags']) - count($maybe);
        $this->answers += count($request['tags']);
        $this->tooSure += $no > 0 && $sentAt > $this->maybeFrom ? 1 : 0;
        if ($request['isDrawn']) {
            $this->times[] = $answer['ns'];
            $sample = &$this->samples[(int) (($this->before + microtime(true) - $this->since) / self::COLUMN_SECONDS)];
            $sample = [($sample[0] ?? 0) + $no, ($sample[1] ?? 0) + count($maybe)];
        }
    }

    private function see(string $host, bool $isFound, float $sentAt): void
    {
        if ($isFound) {
            $this->foundAt[$host] ??= microtime(true);
        } else {
            $this->deniedAt[$host] = max($sentAt, $this->deniedAt[$host] ?? 0);
        }
    }
}
