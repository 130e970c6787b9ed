<?php

/**
 * The second act: pages also show how many translations each of their tags has. The counts come from a map in shared memory,
 * so pages send no request to a store. Then one count changes, and the next sync brings it.
 */

namespace Demo;

use Bloom\Status\Chart;
use FastCgiClient;

final class Counts
{
    private int $pages = 0, $failed = 0, $shown = 0, $wrong = 0, $missing = 0, $absent = 0, $invented = 0;
    /** @var list<float> nanoseconds of a page's ten counts */
    private array $times = [];

    public function __construct(private Report $report, private FastCgiClient $client)
    {
    }

    public function show(Words $words): void
    {
        $report = $this->report;
        echo "\n";
        $night = part('counts.php', [home() . '/counts']);
        $first = $this->sync();
        $report->step(sprintf('second act: pages show how many translations each tag has. The nightly job built a map from %s articles to '
            . 'their counts in %.0f ms, and a sync fetched its %s bytes', count_of(count($words->counts)), $night['buildMs'], count_of($first['bytes'])));
        $this->client->send($this->requests([...$words->tags, ...$words->articles]), function (array $request, ?array $answer) use ($words): void {
            $this->compare($request['tags'], $answer, $words->counts);
        });
        $tag = (string) array_rand($words->counts);
        $before = $this->count($tag);
        part('counts.php', [home() . '/counts', $tag, '1000']);
        $second = $this->sync();
        $this->print($night['info'], $words, $first, $second, [$before, $this->count($tag)] === [$words->counts[$tag], 1000]);
    }

    /** Loads the published counts, as the pool's user. */
    private function sync(): array
    {
        $sync = part('sync.php', [COUNTS], getenv('BLOOM_DEMO_USER'));
        return $sync['switched'] ? $sync : throw new \RuntimeException("the counts were not loaded: {$sync['error']}");
    }

    /** Returns the count that a page shows for a tag. */
    private function count(string $tag): ?int
    {
        return $this->client->ask('page with counts', $tag)['counts'][0] ?? null;
    }

    private function requests(array $tags): iterable
    {
        foreach (array_chunk($tags, TAGS_PER_PAGE) as $some) {
            yield ['action' => 'page with counts', 'body' => implode("\n", $some), 'tags' => $some];
        }
    }

    /** @param array<string, int> $counts the true ones */
    private function compare(array $tags, ?array $answer, array $counts): void
    {
        $this->pages++;
        if ($answer === null) {
            $this->failed++;
            return;
        }
        $this->times[] = $answer['ns'];
        foreach ($tags as $place => $tag) {
            $shown = $answer['counts'][$place] ?? null;
            if (!isset($counts[$tag])) {
                $this->absent++;
                $this->invented += $shown !== null ? 1 : 0;
            } elseif ($shown === null) {
                $this->missing++;
            } else {
                $this->shown++;
                $this->wrong += $shown !== $counts[$tag] ? 1 : 0;
            }
        }
    }

    private function print(array $info, Words $words, array $first, array $second, bool $isNew): void
    {
        $report = $this->report;
        $report->title('Counts without a request to the store', 'A map answers "how many?" like a filter answers "does it exist?". Every '
            . 'count that the job stored is exact. A tag without an article shows a count with the false-positive rate, for which you '
            . 'pay with bits.');
        $report->chart(Chart::bars('Bytes that a sync fetched', [
            ['the whole map, in the first night', $first['bytes'], count_of($first['bytes']), 'soft'],
            ['after one count had changed', $second['bytes'], count_of($second['bytes']), 'accent'],
        ]));
        $report->row('counts shown', count_of($this->shown), sprintf('on %s pages, %s for the ten tags of a page (median)',
            count_of($this->pages), time_of(quantile($this->times, 0.5))));
        $report->row('wrong or missing counts', (string) ($this->wrong + $this->missing), 'of ' . count_of($this->shown + $this->missing),
            $this->wrong + $this->missing + $this->failed === 0 && $this->shown > count($words->counts));
        $rate = $info['measuredFalsePositiveRate'];
        $expected = $rate * $this->absent;
        $allowed = 4 * sqrt($expected) + 1;
        $report->row('counts of absent tags', count_of($this->invented), sprintf('of %s tags without an article. The map predicts %s. Only a '
            . 'difference of more than %s would break the promise', count_of($this->absent), number_format($expected, 1), number_format($allowed, 1)),
            abs($this->invented - $expected) <= $allowed);
        $report->row('requests to the store', '0', 'the page only reads shared memory');
        $report->row('map, bytes', count_of($info['bytes']), sprintf('%.1f bits per article, for 10 bits of count and a rate of %s',
            8 * $info['bytes'] / $info['keys'], percent($rate, 3)));
        $report->row('one count changed', count_of($second['bytes']) . ' B', sprintf('fetched, in %d %s, and the page shows the new count',
            $second['chunks'], $second['chunks'] === 1 ? 'chunk' : 'chunks'), $isNew && $second['chunks'] === 1);
    }
}
