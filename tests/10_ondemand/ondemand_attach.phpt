--TEST--
attach() creates a filter or opens an existing one with the same memory, and refuses blobs that cannot be served on demand
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_attach
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

use Bloom\Blob;
use Bloom\OnDemandFilter;
use Bloom\ReverseIndexBuilder;

$blob = chunked(keys('k', 8000));
$store = store_of($blob);
$memory = memory_for($blob, 4);

// The first attach() reads the head. Later calls find the filter and do not call the store.
$first = Filter::attach('large', $store, $memory);
$second = Filter::attach('large', new ScriptedStore, $memory);
echo $store->takeLog(), ', generation ', $second->info()->generation, "\n";
$first->mightContain('k1');
check($second->info()->chunksHere === 1, 'one filter');

// Invalid arguments.
echo thrown(fn () => Filter::attach('', $store, $memory)), "\n";
echo thrown(fn () => Filter::attach('large', $store, 0)), "\n";
echo thrown(fn () => Filter::attach('large', $store, -1)), "\n";
echo thrown(fn () => Filter::attach('large', new stdClass, $memory), true), "\n";
echo thrown(fn () => Filter::attach('large', $store, PHP_INT_MAX), true), "\n";
echo str_replace($memory, 'MEMORY', thrown(fn () => Filter::attach('large', $store, $memory + 1))), "\n";

// Names that belong to filters of other kinds.
Filter::load('loaded', $blob);
echo thrown(fn () => Filter::attach('loaded', store_of($blob, 'loaded'), $memory)), "\n";
Bloom\LiveFilter::create('live', 100);
echo thrown(fn () => Filter::attach('live', store_of($blob, 'live'), $memory)), "\n";
echo thrown(fn () => Filter::load('large', $blob), true), ' ', thrown(fn () => Bloom\LiveFilter::create('large', 100), true), "\n";
check(Filter::open('large')->mightContain('k1'), 'it is still there');

// The store contains invalid values under the name.
echo thrown(fn () => Filter::attach('nothing', new ScriptedStore, $memory)), "\n";
$broken = new ScriptedStore;
foreach (['' => 'empty', 'no blob' => 'text', substr($store->values['large'], 0, -1) => 'short', $store->values['large'] . 'x' => 'long'] as $bytes => $text) {
    $broken->values = ['broken' => $bytes];
    echo "$text: ", thrown(fn () => Filter::attach('broken', $broken, $memory), true), "\n";
}
$broken->script = fn () => throw new RuntimeException('down');
echo thrown(fn () => Filter::attach('broken', $broken, $memory)), "\n";
$broken->script = fn () => ['broken' => 17];
echo thrown(fn () => Filter::attach('broken', $broken, $memory)), "\n";
$index = new ReverseIndexBuilder(300, 1000);
$index->add(1, 'value');
$reverse = new ScriptedStore;
$index->build()->publish($reverse, 'reverse');
echo thrown(fn () => Filter::attach('reverse', $reverse, 1 << 24)), "\n";
check(array_intersect(['nothing', 'broken', 'reverse'], Filter::list()) === [], 'none of them is there: ' . implode(' ', Filter::list()));

// A handle without a store answers from resident chunks. For keys of other chunks it answers "maybe" and counts them.
$without = Filter::open('large');
$out = array_values(array_filter(keys('out', 300), fn (string $key) => !$blob->mightContain($key)));
$here = array_values(array_filter($out, fn (string $key) => chunk_of($blob, $key) === chunk_of($blob, 'k1')));
check(count($here) > 10 && count($here) < count($out), 'of both sorts');
check($without::class === OnDemandFilter::class && $without->candidates($here) === [], 'what is here');
$before = $without->info();
check($without->candidates($out) === array_diff_key($out, array_flip(array_keys(array_intersect($out, $here)))), 'what is not');
$after = $without->info();
check($after->untold - $before->untold === count($out) - count($here), 'untold');
check($after->misses - $before->misses === count($out) - count($here), 'misses');
check($without->mightContain($here[0]) === false, 'one that is here');

// If the file is damaged or was written by a different build, new processes create it again from the store.
$files = glob(in_segment('large/*.bloom'));
$file = fopen(end($files), 'r+');
fwrite($file, 'XXXXXXXX');
fclose($file);
$code = 'require ' . var_export(__DIR__ . '/../lib/ondemand.inc', true) . ';
    $blob = chunked(keys("k", 8000));
    $store = store_of($blob);
    echo thrown(fn () => Bloom\Filter::open("large")), "\n";
    echo thrown(fn () => Bloom\Filter::sync("large", $store, 0)), "\n";
    $large = Bloom\Filter::attach("large", $store, ' . $memory . ');
    echo json_encode($large->candidates(keys("k", 8000)) === keys("k", 8000)), " ", counters($large, "generation", "chunksHere");';
echo run($code), "\n";
check($first->candidates(keys('k', 8000)) === keys('k', 8000), 'who had it mapped follows');
echo counters($first, 'generation'), "\n";

// Lookups in a dropped filter throw a specific exception, and attach() creates the filter again.
Filter::drop('large');
echo thrown(fn () => $first->mightContain('k1')), "\n";
echo thrown(fn () => $first->candidates(['k1'])), "\n";
$again = Filter::attach('large', $store, $memory + 1024);
check($again->mightContain('k1') && $first->mightContain('k1') && $again->info()->chunksRoom === 5, 'made again, with other memory');
echo thrown(fn () => clone $again), ' / ', thrown(fn () => serialize($again), true), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
get 2, generation 1
ValueError: Bloom\Filter::attach(): Argument #1 ($name) must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
ValueError: Bloom\Filter::attach(): Argument #3 ($memory) must be at least 1 byte
ValueError: Bloom\Filter::attach(): Argument #3 ($memory) must be at least 1 byte
TypeError
Bloom\KindException
Bloom\KindException: large: it has MEMORY bytes of memory, not 16385: a filter with that name already exists (drop it first, or use it as it is)
Bloom\KindException: loaded: expected an on-demand filter, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: live: expected an on-demand filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException Bloom\KindException
Bloom\StoreException: nothing: missing from the store
empty: Bloom\FormatException
text: Bloom\FormatException
short: Bloom\FormatException
long: Bloom\FormatException
Bloom\StoreException: the store failed: RuntimeException: down
Bloom\StoreException: broken: the store returned a value of the wrong type
Bloom\KindException: reverse: a reverse index was published, but an on-demand filter was requested: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\SegmentException: {segment}/large: 0000000000000001.bloom: this build cannot read this on-demand filter
Bloom\SegmentException: large: this build cannot read this on-demand filter
true generation 2, chunksHere 4
generation 2
Bloom\NotFoundException: large: the filter was dropped
Bloom\NotFoundException: large: the filter was dropped
Error: Trying to clone an uncloneable object of class Bloom\OnDemandFilter / Exception
