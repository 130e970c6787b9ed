<?php
/* The second table of lookup.php: a warm lookup in filters of all kinds, compared with a plain loaded filter. All times include
 * the loop. All filters have the same keys at 1 %, and 5 % of the keys that are looked up exist. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\CountingFilter;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\LiveFilter;
use Bloom\ScalableFilter;
use Bloom\Scheme;
use Bloom\SlidingFilter;

const KEYS_ADDED = 50_000;

$directory = getenv('BLOOM_BENCH_DIRECTORY');
mkdir("$directory/store-kinds");
$store = new DirectoryStore("$directory/store-kinds");
$held = array_map(fn (int $i): string => "tag-$i", range(0, KEYS - 1));
$added = array_map(fn (int $i): string => "added-$i", range(0, KEYS_ADDED - 1));
$build = function (Scheme $scheme = Scheme::Bloom, bool $keyed = false, ?Journal $journal = null) use ($held): \Bloom\Blob {
    $builder = new Builder(KEYS, 0.01, seed: SEED, scheme: $scheme, keyed: $keyed);
    $builder->addMany($held);
    return $builder->build(mark: $journal?->mark());
};
/** Loads a filter with a journal, to which keys are added afterwards, so that the additions grow as they do between builds. */
$follow = function (string $name, int $count, Scheme $scheme = Scheme::Bloom, bool $keyed = false) use ($build, $store, $added): Filter {
    $journal = new Journal($name, $store);
    $filter = Filter::load($name, $build($scheme, $keyed, $journal), journal: $store);
    foreach (array_chunk(array_slice($added, 0, $count), 1000) as $keys) {
        $journal->add($keys);
    }
    return $filter;
};
$fill = function (\Bloom\WritableFilter $filter) use ($held): \Bloom\WritableFilter {
    $filter->addMany($held);
    return $filter;
};
$build()->publish($store, 'on-demand');
Filter::attach('on-demand', $store, 1 << 20);
$filters = [
    'plain' => Filter::load('plain', $build()),
    'journal, no key added' => $follow('journal-0', 0),
    'journal, 1,000 keys added' => $follow('journal-1', 1000),
    'journal, 50,000 keys added' => $follow('journal-2', KEYS_ADDED),
    'keyed' => Filter::load('keyed', $build(keyed: true)),
    'keyed, journal, 1,000 keys added' => $follow('keyed-journal', 1000, keyed: true),
    'ribbon' => Filter::load('ribbon', $build(Scheme::Ribbon)),
    'ribbon, journal, 1,000 keys added' => $follow('ribbon-journal', 1000, Scheme::Ribbon),
    'on-demand, all chunks present' => Filter::open('on-demand'),
    'live' => $fill(LiveFilter::create('live', KEYS, seed: SEED)),
    'counting' => $fill(CountingFilter::create('counting', KEYS, seed: SEED)),
    'scalable, 1 layer' => $fill(ScalableFilter::create('scalable-1', KEYS, seed: SEED)),
    'scalable, 3 layers' => $fill(ScalableFilter::create('scalable-3', 12_000, growth: 2, seed: SEED)),
    'sliding' => $fill(SlidingFilter::create('sliding', KEYS, 0.01, 1_000_000, SEED)),
];
$keys = asked(5);
$pages = array_chunk($keys, 20);
$tasks = ['empty method' => $one_by_one(new EmptyFilter(), $keys)];
foreach ($filters as $name => $filter) {
    $filter->candidates($held); // fetches the chunks
    $tasks[$name] = $one_by_one($filter, $keys);
    $tasks["$name, pages"] = function () use ($filter, $pages): void {
        foreach ($pages as $page) {
            $filter->candidates($page);
        }
    };
}
$times = interleaved($tasks, 101, before: $tasks);
$ns = fn (string $task): string => sprintf('%.1f', quantile($times[$task], 0.5) / ASKED);
$ratio = fn (string $task, string $base): string => sprintf('%.2f', quantile(array_map(fn ($a, $b) => $a / $b, $times[$task], $times[$base]), 0.5));
$rows = [['filter', 'one key, ns', '× plain', 'page of 20, ns per key', '× plain']];
$rows[] = ['empty method', $ns('empty method'), $ratio('empty method', 'plain'), '', ''];
foreach (array_keys($filters) as $name) {
    $rows[] = [$name, $ns($name), $ratio($name, 'plain'), $ns("$name, pages"), $ratio("$name, pages", 'plain, pages')];
}
report('Lookup by kind, warm, ' . KEYS . ' keys at 1 %, 5 % exist, 101 interleaved rounds of ' . ASKED . ' keys', $rows, dirname($argv[1]) . '/lookup-kinds.tsv');
array_map(Filter::drop(...), array_map(fn (Filter $filter): string => $filter->name(), array_values($filters)));
