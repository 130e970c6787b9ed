<?php

/**
 * Compares a page with and without the filter. Both find the articles of their ten tags in the store. With the filter, a page
 * asks the store only for tags that are "maybe".
 */

namespace Demo;

use Bloom\Status\Chart;
use FastCgiClient;

final class WholePages
{
    private const ROUNDS = 10;
    private const PAGES = 400;
    private const WITH = 'whole page, with the filter';
    private const WITHOUT = 'whole page, without it';

    /** @var array<string, list<float>> nanoseconds of each page's lookups, by action */
    private array $times = [];
    /** @var array<string, list<float>> pages per second, in each round */
    private array $rates = [];
    /** @var array<string, int> tags that were looked up in the store, and pages that did so */
    private array $asked = [], $asking = [];
    /** @var array<string, array<int, list<int>>> the tags that each page linked */
    private array $linked = [];
    private int $failed = 0;

    public function __construct(private Report $report, private FastCgiClient $client)
    {
    }

    public function compare(Words $words): void
    {
        $this->report->step(sprintf('requesting %s pages with the filter and the same pages without it, alternately',
            count_of(self::ROUNDS * self::PAGES)));
        for ($round = 0; $round < self::ROUNDS; $round++) {
            foreach ($round % 2 ? [self::WITH, self::WITHOUT] : [self::WITHOUT, self::WITH] as $action) {
                $this->request($words, $action);
            }
        }
        $this->show();
    }

    private function request(Words $words, string $action): void
    {
        $pages = function () use ($words, $action): iterable {
            foreach (array_chunk(array_slice($words->tags, 0, self::PAGES * TAGS_PER_PAGE), TAGS_PER_PAGE) as $page => $tags) {
                yield ['action' => $action, 'body' => implode("\n", $tags), 'page' => $page];
            }
        };
        $start = microtime(true);
        $this->client->send($pages(), function (array $request, ?array $answer) use ($action): void {
            if ($answer === null) {
                $this->failed++;
                return;
            }
            $this->times[$action][] = $answer['ns'];
            $this->linked[$action][$request['page']] = $answer['linked'];
            $this->asked[$action] = ($this->asked[$action] ?? 0) + $answer['asked'];
            $this->asking[$action] = ($this->asking[$action] ?? 0) + ($answer['asked'] > 0 ? 1 : 0);
        });
        $this->rates[$action][] = self::PAGES / (microtime(true) - $start);
    }

    private function show(): void
    {
        $report = $this->report;
        $report->title('The same page with and without the filter', 'A page finds out which of its ten tags have an article. The store is on '
            . 'this host, so asking it costs as little as it can' . (uses_redis() ? ', with one connection and one MGET per page' : '')
            . '. A database behind a network takes longer, and then the filter saves more.');
        $medians = array_map(fn (array $times): float => quantile($times, 0.5), $this->times);
        $report->chart(Chart::bars('Median time for the ten tags of a page', [
            ['without the filter', $medians[self::WITHOUT], time_of($medians[self::WITHOUT]), 'soft'],
            ['with the filter', $medians[self::WITH], time_of($medians[self::WITH]), 'accent'],
        ]));
        foreach (['without the filter' => self::WITHOUT, 'with the filter' => self::WITH] as $name => $action) {
            $report->row($name, time_of($medians[$action]), sprintf(
                'for the ten tags of a page (median; half of the pages: %s to %s). %s of the pages asked the store, for %s tags on average',
                time_of(quantile($this->times[$action], 0.25)), time_of(quantile($this->times[$action], 0.75)),
                percent($this->asking[$action] / count($this->times[$action]), 0),
                number_format($this->asked[$action] / count($this->times[$action]), 1)));
            $report->row("  pages/s $name", count_of((int) quantile($this->rates[$action], 0.5)),
                sprintf('of PHP-FPM, %d at a time (median of %d rounds)', CONNECTIONS, self::ROUNDS));
        }
        $differing = count(array_filter($this->linked[self::WITH], fn (array $linked, int $page): bool => $linked !== $this->linked[self::WITHOUT][$page],
            ARRAY_FILTER_USE_BOTH));
        $report->row('pages that differ', (string) $differing, sprintf('of %s: with and without the filter, a page links the same tags, %s altogether',
            count_of(self::PAGES), count_of(array_sum(array_map(count(...), $this->linked[self::WITHOUT])))), $differing === 0 && $this->failed === 0 && count($this->linked[self::WITH]) === self::PAGES);
    }
}
