--TEST--
isComplete() is true exactly while lookups can answer no, and followsJournal() and source() describe the served version
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_complete
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Filter, Journal, ReverseIndexBuilder};

/** Prints what is known about a filter, and checks that lookups agree. */
function shown(string $what, Filter $filter): void
{
    $isComplete = $filter->isComplete();
    check($filter->mightContain('absent') !== $isComplete, "$what: mightContain() agrees");
    check($filter->candidates(['absent']) === ($isComplete ? [] : ['absent']), "$what: candidates() agrees");
    echo "$what: ", implode(', ', array_map(json_encode(...), [$isComplete, $filter->followsJournal(), $filter->source()])), "\n";
}

foreach (KINDS as $kind) {
    put($filter = made($kind, rate: 1e-6), 'old');
    shown($kind, $filter);
}
$loaded = Filter::load('loaded', blob_of(['old'], falsePositiveRate: 1e-6));
shown('a blob without a source', $loaded);
Filter::load('loaded', blob_of(['old'], falsePositiveRate: 1e-6, source: "tags\xFF"));
check($loaded->source() === "tags\xFF", 'the same handle has the source of the next version, byte for byte');
$index = new ReverseIndexBuilder(5, 10, 1e-6, seed: 1, source: 'an index');
$index->add(1, 'old');
shown('a reverse index', Filter::load('index', $index->build()));
$store = new ArrayJournalStore();
blob_of(['old'], falsePositiveRate: 1e-6, source: 'on demand')->publish($store, 'demand');
shown('on demand', Filter::attach('demand', $store, 1 << 20));

// A filter with a journal.
$journal = new Journal('tags', $store);
$builder = new Bloom\Builder(1000, 1e-6, seed: 1, source: 'with a mark');
$builder->add('old');
$builder->build(mark: $journal->mark())->publish($store, 'tags');
Filter::sync('tags', $store, 0);
shown('with a journal', $tags = Filter::open('tags'));
Filter::sync('tags', $store, 0, maxLag: 0.001);
usleep(300_000); // the handle notices it within a quarter of a second
shown('behind its journal', $tags);
Filter::drop('tags');
foreach (['isComplete', 'followsJournal', 'source'] as $method) {
    echo "dropped: $method: ", thrown($tags->$method(...)), "\n";
}
Filter::sync('tags', $store, 0, maxLag: 0);
shown('trusted at any age', $tags);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
live: true, false, null
counting: true, false, null
scalable: true, false, null
sliding: true, false, null
reverse: true, false, null
a blob without a source: true, false, ""
a reverse index: true, false, "an index"
on demand: true, false, "on demand"
with a journal: true, true, "with a mark"
behind its journal: false, true, "with a mark"
dropped: isComplete: Bloom\NotFoundException: tags: the filter was dropped
dropped: followsJournal: Bloom\NotFoundException: tags: the filter was dropped
dropped: source: Bloom\NotFoundException: tags: the filter was dropped
trusted at any age: true, true, "with a mark"
