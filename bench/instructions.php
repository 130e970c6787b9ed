<?php
/* The workload for bench/instructions: ROUNDS times 1,000 keys for one of the hot functions.
 *     php bench/instructions.php prepare|<part>
 * `prepare` creates the filters, so that the counted runs only use them. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\CountingFilter;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\LiveFilter;
use Bloom\LoadedMap;
use Bloom\MapBuilder;

const KEYS = 80_000;
const ROUNDS = 5;

function builder(string $scheme = 'bloom', float $rate = 0.01): Builder
{
    return new Builder(KEYS, $rate, seed: 20_260_501, source: 'bench', scheme: \Bloom\Scheme::tryFrom($scheme));
}

if ($argv[1] === 'prepare') {
    foreach (['loaded' => 'bloom', 'ribbon' => 'ribbon', 'low' => 'bloom'] as $name => $scheme) {
        $builder = builder($scheme, $name === 'low' ? 1e-4 : 0.01);
        for ($i = 0; $i < KEYS; $i++) {
            $builder->add("tag-$i");
        }
        Filter::load($name, $builder->build());
    }
    foreach (['map' => [20, 0.01], 'map-32' => [32, 0.01], 'map-no-checks' => [20, 1.0]] as $name => [$bits, $rate]) {
        $builder = new MapBuilder(KEYS, $bits, $rate, seed: 20_260_501);
        for ($i = 0; $i < KEYS; $i++) {
            $builder->set("tag-$i", $i);
        }
        LoadedMap::load($name, $builder->build());
    }
    mkdir($directory = ini_get('bloom.path') . '.store');
    foreach (['journal-0' => 0, 'journal' => 10_000] as $name => $count) {
        $journal = new Journal($name, $store = new DirectoryStore($directory));
        $builder = builder();
        for ($i = 0; $i < KEYS; $i++) {
            $builder->add("tag-$i");
        }
        $mark = $journal->mark();
        $count === 0 || $journal->add(array_map(fn (int $i): string => "new-$i", range(0, $count - 1)));
        Filter::load($name, $builder->build(mark: $mark), journal: $store, maxLag: 0.0);
    }
    LiveFilter::create('live', KEYS, 0.01, seed: 1);
    CountingFilter::create('counting', KEYS, 0.01, seed: 1);
    exit;
}
$absent = $present = [];
mt_srand(20_260_502);
for ($i = 0; $i < 1000; $i++) {
    $absent[] = 'absent-' . mt_rand();
    $present[] = 'tag-' . mt_rand(0, KEYS - 1);
}
$pages = array_chunk($absent, 20);
$full = array_chunk($present, 20);
$mixed = array_map(fn (array $page, array $full): array => [...array_slice($full, 0, 3), ...array_slice($page, 3)], $pages, $full);
array_walk($mixed, function (array &$page): void {
    shuffle($page);
});
Filter::open('loaded'); // so that no counted call of find() is the first one
$work = match ($argv[1]) {
    'mightContain, absent keys' => [Filter::open('loaded')->mightContain(...), $absent],
    'mightContain, present keys' => [Filter::open('loaded')->mightContain(...), $present],
    'ribbon mightContain, absent keys' => [Filter::open('ribbon')->mightContain(...), $absent],
    'ribbon mightContain, present keys' => [Filter::open('ribbon')->mightContain(...), $present],
    'ribbon candidates of 20, a key' => [Filter::open('ribbon')->candidates(...), $pages],
    'ribbon candidates of 20, 3 present, a key' => [Filter::open('ribbon')->candidates(...), $mixed],
    'ribbon candidates of 20, all present, a key' => [Filter::open('ribbon')->candidates(...), $full],
    'ribbon candidates of 1,000, a key' => [Filter::open('ribbon')->candidates(...), [$absent]],
    'map get, absent keys' => [LoadedMap::open('map')->get(...), $absent],
    'map get, present keys' => [LoadedMap::open('map')->get(...), $present],
    'map get, present keys, 32 value bits' => [LoadedMap::open('map-32')->get(...), $present],
    'map get, present keys, no check bits' => [LoadedMap::open('map-no-checks')->get(...), $present],
    'map getMany of 20, a key' => [LoadedMap::open('map')->getMany(...), $pages],
    'map getMany of 20, 3 present, a key' => [LoadedMap::open('map')->getMany(...), $mixed],
    'map getMany of 20, all present, a key' => [LoadedMap::open('map')->getMany(...), $full],
    'candidates of 20, a key' => [Filter::open('loaded')->candidates(...), $pages],
    'candidates of 1,000, a key' => [Filter::open('loaded')->candidates(...), [$absent]],
    'candidates of 20 at 10^-4, a key' => [Filter::open('low')->candidates(...), $pages],
    'mightContain with a journal, none added' => [Filter::open('journal-0')->mightContain(...), $absent],
    'mightContain with a journal, 10,000 added' => [Filter::open('journal')->mightContain(...), $absent],
    'candidates of 20 with a journal, none added, a key' => [Filter::open('journal-0')->candidates(...), $pages],
    'candidates of 20 with a journal, 10,000 added, a key' => [Filter::open('journal')->candidates(...), $pages],
    'Filter::find, repeated' => [Filter::find(...), array_fill(0, 1000, 'loaded')],
    'Filter::info, repeated' => [(fn (Filter $filter) => fn () => $filter->info())(Filter::open('loaded')), $absent],
    'isComplete' => [(fn (Filter $filter) => fn () => $filter->isComplete())(Filter::open('loaded')), $absent],
    'isComplete with a journal' => [(fn (Filter $filter) => fn () => $filter->isComplete())(Filter::open('journal')), $absent],
    'source' => [(fn (Filter $filter) => fn () => $filter->source())(Filter::open('loaded')), $absent],
    'LiveFilter::add' => [LiveFilter::open('live')->add(...), $absent],
    'LiveFilter::mightContain' => [Filter::open('live')->mightContain(...), $absent],
    'CountingFilter::add' => [CountingFilter::open('counting')->add(...), $absent],
    'Builder::add' => [builder()->add(...), $absent],
};
for ($round = 0; $round < ROUNDS; $round++) {
    foreach ($work[1] as $argument) {
        $work[0]($argument);
    }
}
