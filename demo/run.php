<?php

/**
 * The main process of the demo. scripts/demo starts it after FPM (and a Redis), and passes their paths in the
 * environment. The exit status is 0 if every promise was kept.
 */

namespace Demo;

use Bloom\Status\Chart;
use FastCgiClient;

require __DIR__ . '/common.php';
require __DIR__ . '/parts.php';
require __DIR__ . '/../tests/lib/FastCgiClient.php';
require __DIR__ . '/../examples/status/index.php';
require __DIR__ . '/Machine.php';
require __DIR__ . '/Report.php';
require __DIR__ . '/words.php';
require __DIR__ . '/Answers.php';
require __DIR__ . '/TwoNights.php';
require __DIR__ . '/WholePages.php';
require __DIR__ . '/Switchover.php';
require __DIR__ . '/Counts.php';

const CONNECTIONS = 8;
const TAGS_PER_PAGE = 10;

$machine = new Machine((float) getenv('BLOOM_DEMO_LOAD'), (int) getenv('BLOOM_DEMO_PROCESSORS'));
$report = new Report((float) getenv('BLOOM_DEMO_STARTED'), $machine);
$client = new FastCgiClient(home() . '/run/fpm.sock', __DIR__ . '/page.php', CONNECTIONS);
$workers = (int) getenv('BLOOM_DEMO_WORKERS');

try {
    exit(run($report, $client, $workers));
} catch (\Throwable $thrown) {
    $report->step('aborted: ' . $thrown->getMessage());
    exit(1);
}

function run(Report $report, FastCgiClient $client, int $workers): int
{
    $words = new Words(home());
    $present = count($words->tags) - count($words->absent) - count($words->added) - 1;
    $report->step(sprintf(
        '%s articles: the entries of SKK-JISYO.L, a word list for typing Japanese. %s distinct tags: the entries of '
            . 'EDICT, a Japanese-English dictionary. %s of the tags have an article.',
        count_of(count($words->articles)),
        count_of(count($words->tags)),
        count_of($present)
    ));
    $unloaded = $client->ask('page', implode("\n", array_slice($words->tags, 0, TAGS_PER_PAGE)));
    first_night($report);
    ask_all($report, $client, $words, $unloaded, $workers);
    store_all($report, $client, $words);
    (new WholePages($report, $client))->compare($words);
    compare_times($report, $client, $words);
    $switchover = new Switchover($report, $client, $words, $workers);
    $switchover->show();
    (new Counts($report, $client))->show($words);
    $store = getenv('BLOOM_DEMO_STORE');
    $report->write(
        getenv('BLOOM_DEMO_REPORT_FILE'),
        getenv('BLOOM_DEMO_REPORT'),
        sprintf(
            'scripts/demo --store %s published a filter of %s articles in a %s, from which this host loaded it. %d workers of PHP-FPM '
                . 'served pages with ten tags each, and looked every tag up in the filter. Then the filter of the next night '
                . 'replaced it while pages were requested. In a second act, pages also showed a count for each tag, from a map.',
            $store,
            count_of(count($words->articles)),
            uses_redis() ? 'private Redis server' : 'directory',
            $workers
        ),
        next_steps()
    );
    return $report->end('the filter answered most lookups of pages, which therefore never reached the store; no article was missed; the '
        . "filter of the next night replaced the old one in all workers at once, while pages were served. $switchover->fetched Pages showed a count for each tag "
        . 'without a request to the store.', next_steps());
}

function first_night(Report $report): void
{
    $night = part('nightly.php', [home() . '/articles-1']);
    $report->step(sprintf(
        'nightly job: built in %.0f ms; published %d chunks, %s bytes, in %.0f ms',
        $night['buildMs'],
        $night['published']['chunksWritten'],
        count_of($night['published']['bytesWritten']),
        $night['publishMs']
    ));
    $sync = part('sync.php', [], getenv('BLOOM_DEMO_USER'));
    if (!$sync['switched']) {
        throw new \RuntimeException('the first sync did not load the filter: ' . $sync['error']);
    }
    $report->step(sprintf(
        'sync as %s, as cron would run it: fetched %d chunks, %s bytes, in %.1f ms',
        getenv('BLOOM_DEMO_USER'),
        $sync['chunks'],
        count_of($sync['bytes']),
        $sync['ms']
    ));
}

/** @return iterable of requests for pages with ten tags each */
function pages(array $tags): iterable
{
    foreach (array_chunk($tags, TAGS_PER_PAGE) as $some) {
        yield ['action' => 'page', 'body' => implode("\n", $some), 'tags' => $some];
    }
}

function ask_all(
    Report $report,
    FastCgiClient $client,
    Words $words,
    array $unloaded,
    int $workers
): void {
    $pages = count_of((int) ceil(count($words->tags) / TAGS_PER_PAGE));
    $report->step(sprintf('requesting %s pages of %d tags, %d at a time, from %d workers',
        $pages, TAGS_PER_PAGE, CONNECTIONS, $workers));
    $tags = new Answers(set_of($words->articles));
    $client->send(pages($words->tags), $tags->take(...));
    $report->step(sprintf('%s pages per second; now looking up every article: no article may be missed',
        count_of((int) ($tags->pages / $tags->seconds()))));
    $articles = new Answers(set_of($words->articles));
    $client->send(pages($words->articles), $articles->take(...));
    $info = $client->ask('info');
    show_answers($report, $tags, $articles, $info, count($words->articles));
    $report->row('requests failed', (string) ($tags->failed + $articles->failed),
        'of ' . count_of($tags->pages + $articles->pages) . ', answered by '
            . count($tags->pids + $articles->pids) . ' workers' . $tags->problem . $articles->problem,
        $tags->failed + $articles->failed === 0);
    $report->row('before the first sync', 'not loaded', 'all ten tags of a page are "maybe", never "no"',
        count($unloaded['maybe']) === TAGS_PER_PAGE && $unloaded['before'] === 0);
}

function show_answers(Report $report, Answers $tags, Answers $articles, array $info, int $keys): void
{
    $absent = $tags->asked - $tags->present;
    $rate = $tags->falsePositives / $absent;
    $predicted = $info['predictedFalsePositiveRate'];
    $spread = sqrt($predicted * (1 - $predicted) / $absent);
    $saved = $tags->asked - $tags->maybe;
    $missed = $tags->falseNegatives + $articles->falseNegatives;
    $report->title('Answers of the pages', 'A false positive is a tag without an article for which the filter answered "maybe". It costs one '
        . 'needless lookup. A false negative is an article for which it answered "definitely not". That must never happen.');
    $report->chart(Chart::bars('False-positive rate of the filter', [
        ['requested', $info['falsePositiveRate'], percent($info['falsePositiveRate'], 3), 'muted'],
        ['predicted for these articles', $predicted, percent($predicted, 3), 'accent'],
        ['observed by the pages', $rate, percent($rate, 3), 'accent'],
    ], $info['falsePositiveRate']));
    $report->chart(Chart::bars('Lookups of tags', [
        ['saved: the filter answered "definitely not"', $saved, count_of($saved), 'accent'],
        ['to look up in the store', $tags->maybe, count_of($tags->maybe), 'soft'],
    ]));
    $report->row('tags looked up', count_of($tags->asked),
        count_of($absent) . ' of them without an article');
    $report->row('lookups saved', count_of($saved),
        percent($saved / $tags->asked) . ' of all lookups, ' . percent($saved / $absent) . ' of lookups without an article');
    $report->row('false positives', count_of($tags->falsePositives), 'of ' . count_of($absent));
    $report->row('  their rate', percent($rate, 3), sprintf(
        'predicted: %s. Chance decides which tags are hit, so 19 of 20 filters differ from the prediction by less than %s, and this one by '
            . '%s. More than %s would break the promise',
        percent($predicted, 3), percent(2 * $spread, 3), percent(abs($rate - $predicted), 3), percent(4 * $spread, 3)),
        abs($rate - $predicted) <= 4 * $spread);
    $report->row('false negatives', count_of($missed),
        'of ' . count_of($tags->present + $articles->present) . ' lookups of articles',
        $missed === 0);
    $report->row('filter, bytes', count_of($info['bytes']), sprintf(
        '%.2f bits per article, including head and checksums', 8 * $info['bytes'] / $keys));
}

/** Stores every article in the place where a page without a filter would look it up. */
function store_articles(array $articles): void
{
    if (uses_redis()) {
        $redis = redis();
        foreach (array_chunk($articles, 1000) as $some) {
            $redis->mset(array_fill_keys(array_map(article_key(...), $some), '1'));
        }
        return;
    }
    /* Each article is a hard link to one empty file per folder. Lookups cost the same, and links take a quarter of
     * the time to create. */
    $first = [];
    foreach ($articles as $tag) {
        $path = article_path($tag);
        $folder = dirname($path);
        if (isset($first[$folder])) {
            link($first[$folder], $path);
        } else {
            mkdir($folder, recursive: true);
            touch($path);
            $first[$folder] = $path;
        }
    }
}

function store_all(Report $report, FastCgiClient $client, Words $words): void
{
    echo "\n";
    $report->step('for comparison: storing all articles in the store (' .
        (uses_redis() ? 'one key each' : 'one file each') . ') and in APCu');
    store_articles($words->articles);
    $apcu = $client->ask('fill apcu');
    if ($apcu['entries'] !== count($words->articles) || $apcu['expunges'] !== 0) {
        throw new \RuntimeException("APCu has {$apcu['entries']} of the articles; the comparison needs all");
    }
    $report->step(sprintf('the articles take %s MB in APCu', number_format($apcu['bytes'] / 1e6)));
}

function compare_times(Report $report, FastCgiClient $client, Words $words): void
{
    echo "\n";
    $report->step('timing all ways to look a tag up, alternately in one request');
    ['ways' => $ways, 'waited' => $waited] = $client->ask('measure');
    $report->machine->waited($waited);
    $rounds = count($ways['apcu_exists()']['times']);
    $report->title('Time of one lookup in a worker, in ns', "The median of $rounds rounds with 20,000 tags, including the loop. Half of the "
        . 'rounds took a time between the two in the remark.');
    $medians = array_map(fn (array $way): float => quantile($way['times'], 0.5), $ways);
    $report->chart(Chart::bars('Median time of a lookup, on a logarithmic scale', array_map(
        static fn (string $name, float $median): array => [$name, $median, time_of($median), match ($name) {
            'empty PHP method' => 'muted',
            'mightContain()', 'candidates() of 10, a key' => 'accent',
            default => 'soft',
        }],
        array_keys($medians),
        $medians
    ), isLog: true));
    foreach ($ways as $name => $way) {
        $report->row($name, number_format($medians[$name], 1), sprintf(
            '%s to %s; %s x mightContain()',
            number_format(quantile($way['times'], 0.25), 1),
            number_format(quantile($way['times'], 0.75), 1),
            number_format($medians[$name] / $medians['mightContain()'], $medians[$name] < 10000 ? 1 : 0)
        ));
    }
    $ratio = min(array_slice($medians, 3))
        / max($medians['mightContain()'], $medians['candidates() of 10, a key']);
    $isBusy = $report->machine->isBusy();
    $report->row('the filter is faster by', number_format($ratio, 1) . ' x', 'than the fastest other way'
        . ($isBusy ? '. Not judged, because the machine was busy' : ''), $isBusy ? null : $ratio > 1);
    $report->row('load before the demo', sprintf('%.1f', $report->machine->load), sprintf(
        'of %d processors; the timed worker waited %s of the time%s', $report->machine->processors, percent($waited, 0),
        $isBusy ? '. The times above and below cannot be trusted' : ''));
}
