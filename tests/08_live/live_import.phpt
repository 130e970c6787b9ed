--TEST--
An exported blob can be imported, loaded and merged elsewhere, and import() never replaces an existing filter
--DESCRIPTION--
fault: mark-unfollowed
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_import
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Blob;
use Bloom\CountingFilter;
use Bloom\Filter;
use Bloom\LiveFilter;
use Bloom\ReverseIndex;
use Bloom\SlidingFilter;

$body = fn (Blob $blob) => substr($blob->toString(), -$blob->info()->shards * $blob->info()->shardBytes);

// import() and export() keep the bits and the geometry, even an unusual one.
foreach ([['capacity' => 3000], ['capacity' => 3000, 'blockBytes' => 2048, 'shardBytes' => 2048], ['capacity' => 500, 'bitsPerKey' => 5.0, 'probes' => 3],
    ['capacity' => 1], ['capacity' => 100, 'falsePositiveRate' => 1e-9]] as $arguments) {
    $text = json_encode($arguments);
    $blob = blob_of(keys('k', $arguments['capacity']), ...$arguments, source: 'there');
    $filter = LiveFilter::import('back', $blob);
    check($filter::class === LiveFilter::class && $filter->info()->kind->value === 'live', "$text: its class");
    check($filter->info()->keys === $blob->info()->keys, "$text: it goes on with the blob's number of keys");
    check_held($filter, keys('k', $arguments['capacity']), $text);
    $export = $filter->export('and back');
    check($body($export) === $body($blob), "$text: the bits");
    foreach (['capacity', 'falsePositiveRate', 'shards', 'shardBytes', 'blockBytes', 'probes', 'seed', 'setBits', 'estimatedKeys', 'measuredFalsePositiveRate'] as $name) {
        check($export->info()->$name === $blob->info()->$name, "$text: $name: {$export->info()->$name} instead of {$blob->info()->$name}");
        check(abs($filter->info()->$name - $blob->info()->$name) <= 1e-5 * abs($blob->info()->$name), "$text: live, $name: {$filter->info()->$name} instead of {$blob->info()->$name}");
    }
    check($export->info()->source === 'and back' && abs($export->info()->builtAt - time()) < 600, "$text: source and time");
    check(abs($export->info()->keys - $blob->info()->keys) <= 0.1 * $blob->info()->keys + 1, "$text: {$export->info()->keys} keys");
    put($filter, 'one more');
    check(held($filter, 'one more') && $body($filter->export()) !== $body($blob) && $body($export) === $body($blob), "$text: it takes more, and the export stays");
    check($blob->mightContain('one more') === $export->mightContain('one more'), "$text: the blobs stay");

    // import() refuses an existing name.
    $said = thrown(fn () => LiveFilter::import('back', $blob));
    check($said === 'Bloom\KindException: back: a filter with that name already exists (drop it first, or use it as it is)', $said);
    check(held($filter, 'one more'), "$text: what was there is there");
    // create() with the parameters of the blob attaches to the imported filter.
    if (!isset($arguments['bitsPerKey'])) {
        check(held(LiveFilter::create('back', $arguments['capacity'], $arguments['falsePositiveRate'] ?? 0.01), 'one more'), "$text: attached by create()");
    }
    Filter::drop('back');
    check_left($text, 0);
}

// import() refuses the name of a filter of any kind.
foreach (KINDS as $kind) {
    $filter = made($kind, name: 'there');
    put($filter, 'a');
    foreach ([LiveFilter::class => blob_of(['b']), ReverseIndex::class => ReverseIndex::create('index', 10, 10)->export()] as $class => $blob) {
        check(thrown(fn () => $class::import('there', $blob), true) === 'Bloom\KindException', "$class over $kind");
    }
    check(held($filter, 'a') && !$filter->mightContain('b'), "$kind: nothing is lost");
    Filter::drop('there');
}
echo thrown(fn () => LiveFilter::import('new', ReverseIndex::open('index')->export())), "\n";
echo thrown(fn () => ReverseIndex::import('new', blob_of(['b']))), "\n";
echo thrown(fn () => LiveFilter::import('.new', blob_of(['b']))), "\n";
check(Filter::find('new') === null, 'none was made');

// import() and export() of a reverse index.
$index = ReverseIndex::create('tree', 300, 500, 0.01, 64);
foreach (keys('v', 400) as $value) {
    $index->add(group_of($value, 300), $value);
}
$blob = $index->export(str_repeat('s', 128));
$back = ReverseIndex::import('tree2', $blob);
foreach (keys('v', 400) as $value) {
    check(in_array(group_of($value, 300), $back->groups($value), true), "the group of $value");
}
check($body($back->export()) === $body($blob) && $blob->info()->source === str_repeat('s', 128), 'its bits');
check($back->info()->groups === 300 && $back->info()->fanOut === 64 && $back->info()->capacity === 500, 'its parameters');
echo thrown(fn () => $index->export(str_repeat('s', 129))), "\n";

// The export of a counting filter is an ordinary Bloom filter of its current keys.
$counting = CountingFilter::create('counting', 100, 1e-9);
$counting->addMany(['a', 'a', 'b', 'c']);
$counting->remove('b');
$counting->remove('a');
$loaded = Filter::load('plain', $counting->export());
check($loaded->candidates(['a', 'b', 'c']) === [0 => 'a', 2 => 'c'], 'what is there now');
check(LiveFilter::import('plain2', $counting->export())->candidates(['a', 'b', 'c']) === [0 => 'a', 2 => 'c'], 'imported');

// The export of a sliding filter contains the keys that lookups still find.
$sliding = SlidingFilter::create('sliding', 100, 1e-9, 1e6);
$sliding->addMany(['a', 'b']);
check($sliding->export()->mightContain('a') && Filter::load('slid', $sliding->export())->mightContain('b'), 'what is found now');

// The filters of two hosts with the same parameters and seed can be merged.
$one = LiveFilter::create('host1', 1000, 0.01, 42);
$two = LiveFilter::create('host2', 1000, 0.01, 42);
$whole = LiveFilter::create('whole', 1000, 0.01, 42);
$one->addMany(keys('a', 400));
$two->addMany(keys('b', 500));
$whole->addMany([...keys('a', 400), ...keys('b', 500)]);
$merged = $one->export()->merge($two->export());
check($body($merged) === $body($whole->export()), 'merged: bit for bit what one filter would have');
check(abs($merged->info()->keys - 900) <= 30, "merged: {$merged->info()->keys} keys");
check_held(Filter::load('merged', $merged), [...keys('a', 400), ...keys('b', 500)], 'merged');

// A live filter follows no journal, so it takes no blob with a mark.
$builder = new Bloom\Builder(1000, seed: 42);
$builder->add('old');
$marked = $builder->build(mark: '1-0-0000000000000000');
echo thrown(fn () => LiveFilter::import('marked', $marked)), "\n";
check(Filter::find("marked") === null, 'nothing was created');
echo thrown(fn () => $one->merge($marked)), "\n";
check(!$one->mightContain('old'), 'nothing was merged');

check(!method_exists(made('scalable'), 'export'), 'a scalable filter has no export()');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\KindException: This blob is a reverse index
Bloom\KindException: This blob is not a reverse index
ValueError: Bloom\LiveFilter::import(): Argument #1 ($name) must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
ValueError: Bloom\ReverseIndex::export(): Argument #1 ($source) must be at most 128 bytes
Bloom\KindException: marked: the blob has a mark, but a live filter cannot follow a journal (build it without a mark, or load it with its journal)
Bloom\KindException: host1: the blob has a mark, but a live filter cannot follow a journal (build it without a mark, or load it with its journal)
