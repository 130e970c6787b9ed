<?php

/** What the demo shows, one act after the other. */

namespace Demo;

use Bloom\Status\Text;

final class Story
{
    /** Tags that are neither articles nor counted as tags without one. One of them becomes an article. */
    private const FIRST_SPARE = 500_000;

    /** What the numbers at the top of the page say. */
    private int $bytes = 0;
    private float $saved = 0, $pageSeconds = 0, $foundSeconds = 0;

    public function __construct(private Report $report, private Site $site, private Load $load)
    {
    }

    /** @return int the exit status */
    public function tell(): int
    {
        $this->report->progress = fn (): string => Text::count($this->load->pages) . ' pages so far';
        $this->publish();
        $this->serve();
        $this->reload();
        $this->killWorker();
        $this->cutStore();
        $this->addOnOtherHost();
        return $this->end();
    }

    private function publish(): void
    {
        $this->site->begin('mark', 'A', 'mark', FILTER, $this->site->store); // begins the journal, for the last act
        $this->site->finish('mark');
        $this->report->act('1. A nightly job builds a filter, and hosts load it', $this->nightly(Load::ARTICLES), 'bloom sync --every='
            . Site::SYNC_SECONDS . ' --max-lag=' . Site::MAX_LAG . ' tags STORE');
        $start = microtime(true);
        $this->beginNightly(Load::ARTICLES);
        $this->site->finish('nightly');
        $this->bytes = $this->site->result('nightly')['bytes'];
        $publishedAt = microtime(true);
        $this->report->fact(sprintf('The job published a filter of %s articles in %s. (seq stands in for your database '
            . 'query, and --settle=0 skips the wait for open transactions.)',
            Text::count(Load::ARTICLES), Text::brief($publishedAt - $start)));
        $this->site->startSyncs();
        foreach (Site::HOSTS as $host) {
            while ($this->load->ask($host, 'info')['info'] === null) {
                usleep(10_000);
            }
        }
        $this->report->fact(sprintf('Both hosts loaded it %s later. It takes %s of memory on each host, which all workers share: %.0f bits for an article.',
            Text::brief(microtime(true) - $publishedAt), Text::size($this->bytes), 8 * $this->bytes / Load::ARTICLES));
    }

    private function serve(): void
    {
        $load = $this->load;
        $this->report->act('2. Pages ask the filter before they query the database');
        $load->until('every worker has answered', fn (): bool => count($load->workers) === count(Site::HOSTS) * Site::WORKERS);
        $load->for(1.5);
        $load->everything();
        $this->promiseArticles(Load::ARTICLES);
        $this->saved = 1 - $load->falsePositives / max(1, $load->absent);
        $predicted = 1 - $load->ask('A', 'info')['info']['measuredFalsePositiveRate'];
        // Chance decides which tags are hit. One in a billion runs differs by more than six standard deviations.
        $this->report->promise(abs($this->saved - $predicted) <= 6 * sqrt((1 - $predicted) / max(1, $load->absent)), sprintf('Of the tags without an article, '
            . '%s got "definitely not", and the filter had predicted %s. Each saves a query.', Text::percent($this->saved), Text::percent($predicted)));
        $this->pageSeconds = median($load->times) / 1e9;
        $this->report->fact(sprintf('The filter answers the ten tags of a page in %s.', micros($this->pageSeconds)));
    }

    private function reload(): void
    {
        $load = $this->load;
        $articles = Load::ARTICLES + Load::NEW_ARTICLES;
        $this->report->act('3. The next night replaces the filter, while pages are served', $this->nightly($articles));
        $before = [$load->pages, $load->failed];
        $load->mark('3');
        $this->beginNightly($articles);
        $publishedAt = 0.0;
        $load->until('both hosts have switched', function () use ($load, &$publishedAt): bool {
            if ($publishedAt === 0.0 && $this->site->hasEnded('nightly')) {
                $publishedAt = microtime(true);
                $this->site->result('nightly');
            }
            return $publishedAt > 0 && min($load->version) > 1;
        });
        $seconds = microtime(true) - $publishedAt;
        $load->for(1);
        $this->promisePages($before, 'meanwhile');
        $this->report->promise($load->backwards === 0, sprintf('Both hosts had switched %s after the job had ended. All workers of a host switch at once: '
            . 'after one page had the new version, no page had the old one.', Text::brief($seconds)));
        $load->everything();
        $this->promiseArticles($articles);
    }

    private function killWorker(): void
    {
        $load = $this->load;
        $known = $load->workers;
        $worker = array_search('A', $known, true);
        $this->report->act('4. A worker is killed while it answers pages', "kill -KILL $worker");
        [$pages, $failed] = [$load->pages, $load->failed];
        $load->mark('4');
        $killedAt = 0.0;
        // This is called before each request, when seven others have no answer yet.
        $load->until('a new worker answers', function () use ($load, $worker, $known, $pages, &$killedAt): bool {
            if ($killedAt === 0.0 && $load->pages > $pages + 100) {
                posix_kill($worker, SIGKILL);
                $killedAt = microtime(true);
            }
            return array_diff_key($load->workers, $known) !== [];
        });
        $seconds = microtime(true) - $killedAt;
        $load->for(1);
        $this->report->promise(array_values(array_diff_key($load->workers, $known)) === ['A'], sprintf('PHP-FPM started a new worker, which answered its '
            . 'first page %s after the kill. It had nothing to load, because the filter is in shared memory.', Text::brief($seconds)));
        $failed = $load->failed - $failed;
        $this->report->promise($failed <= 1, sprintf('%s pages were served meanwhile, and %s.', Text::count($load->pages - $pages - $failed),
            $failed === 0 ? 'none failed' : ($failed === 1 ? 'one failed, which the killed worker had begun' : "$failed failed")));
    }

    private function cutStore(): void
    {
        $load = $this->load;
        $this->report->act('5. The store is cut off: ' . $this->site->cut());
        $before = [$load->pages, $load->failed];
        $load->mark('5');
        $this->site->cutStore();
        $cutAt = microtime(true);
        $load->maybeFrom = $cutAt + Site::MAX_LAG;
        $load->until('both hosts answer "maybe" to everything', fn (): bool => !in_array(true, $load->isComplete, true));
        $seconds = microtime(true) - $cutAt;
        $load->for(1);
        $error = $load->ask('B', 'add', 'tag of today')['error'];
        $load->everything();
        $this->promisePages($before, 'without the store');
        $this->report->promise($load->tooSure === 0, sprintf('For %s, they saved queries as before. From then on, every answer was "maybe", because another '
            . 'host might have added tags. You choose this time with --max-lag.', Text::brief($seconds)));
        $this->report->promise($error !== '', 'Nothing gets lost: a page that adds a tag gets an exception.');
        $this->promiseArticles(Load::ARTICLES + Load::NEW_ARTICLES);
        $load->maybeFrom = INF;
        $load->mark('back');
        $this->site->restoreStore();
        $backAt = microtime(true);
        $load->until('both hosts have caught up', fn (): bool => !in_array(false, $load->isComplete, true));
        $this->report->fact(sprintf('The store is back, and %s later both hosts save queries again.', Text::brief(microtime(true) - $backAt)));
        $load->for(1);
    }

    private function addOnOtherHost(): void
    {
        $load = $this->load;
        $number = self::FIRST_SPARE;
        while ($load->ask('A', 'page', Load::tag($number))['maybe'] !== []) {
            $number++; // a false positive would be found before it is added
        }
        $this->report->act('6. A page on host B adds a tag, and host A finds it', "(new Bloom\\Journal('tags', \$store))->add('" . Load::tag($number) . "');");
        $load->watch($number);
        $load->for(0.5);
        $load->mark('6');
        $added = $load->ask('B', 'add', Load::tag($number))['added'];
        $addedAt = microtime(true);
        $load->until('both hosts find the tag', fn (): bool => count($load->foundAt) === 2);
        $this->foundSeconds = max(0, $load->foundAt['A'] - $addedAt);
        $load->for(2);
        $this->report->promise($added === 1 && ($load->deniedAt['B'] ?? 0) < $addedAt, 'Host B finds the tag at once.');
        $this->report->promise(($load->deniedAt['A'] ?? INF) < $addedAt + Site::MAX_LAG, sprintf('Host A finds it %s later, without a new build, because '
            . 'hosts look for added tags every %s. Until then, it had answered "definitely not".', Text::brief($this->foundSeconds), Text::brief(Site::SYNC_SECONDS)));
        $load->everything();
        $this->promiseArticles(Load::ARTICLES + Load::NEW_ARTICLES);
    }

    private function end(): int
    {
        $load = $this->load;
        $report = $this->report;
        $wrong = sprintf('of %s answers about tags that have an article', Text::count($load->checked));
        $report->number('Wrong answers', Text::count($load->missed), "$wrong. \"Definitely not\" would have hidden the article");
        $report->number('Saved queries', Text::percent($this->saved), 'of the database queries for tags without an article');
        $report->number('A page waits', micros($this->pageSeconds), sprintf('for its ten answers. The %s articles take %s of memory', Text::count(Load::ARTICLES),
            Text::size($this->bytes)));
        $report->number('A new tag', Text::brief($this->foundSeconds), 'until host A found the tag that host B had added');
        $report->chart($load->chart(), 'Each page has ten tags, of which one has an article. The numbers are the steps below: 3 replaces the filter, 4 kills a '
            . 'worker, 5 cuts off the store until it is back, and 6 adds a tag. Without the store, pages first go on as before; then every answer is "maybe".');
        $build = getenv('BLOOM_DEMO_BUILD');
        return $report->end(sprintf('Pages of a site ask a Bloom filter in shared memory which of their tags may have an article, and query the database only for '
            . 'those. While two hosts served %s pages, this run replaced the filter, killed a worker, cut off the store, and added a tag on another host.',
            Text::count($load->pages)), Text::count($load->missed) . " wrong $wrong.", $build . 'demo-report.html', [
            "ls /usr/bin | {$build}bloom build --capacity=10000 {$build}programs.bloom" => 'Build a filter of the programs on this machine',
            "printf '%s\\n' ls nothing | {$build}bloom check --print=each {$build}programs.bloom -" => 'Ask it',
            "{$build}bloom load programs {$build}programs.bloom; {$build}bloom doctor programs" => 'Load it, and see what your own PHP-FPM needs to use it',
        ]);
    }

    private function nightly(int $articles): string
    {
        return "bloom nightly --settle=0 tags STORE -- seq -f 'tag %.0f' $articles";
    }

    private function beginNightly(int $articles): void
    {
        $this->site->begin('nightly', 'A', 'nightly', '--format=json', '--settle=0', FILTER, $this->site->store, '--', 'seq', '-f', 'tag %.0f', (string) $articles);
    }

    private function promiseArticles(int $articles): void
    {
        $this->report->promise($this->load->missed === 0, sprintf('Both hosts answered "maybe" for each of the %s articles.', Text::count($articles)));
    }

    /** @param array{int, int} $before how many pages had been requested and had failed */
    private function promisePages(array $before, string $when): void
    {
        $failed = $this->load->failed - $before[1];
        $this->report->promise($failed === 0, sprintf('%s pages were served %s, and %s failed.', Text::count($this->load->pages - $before[0] - $failed), $when,
            $failed === 0 ? 'none' : "$failed {$this->load->problem}"));
    }
}

function micros(float $seconds): string
{
    return number_format(1e6 * $seconds, 1) . ' µs';
}
