--TEST--
candidates() of a blob equals mightContain() for each value, and what the loaded filter answers, for arrays and iterators
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-blob_candidates
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, Filter, Membership, ReverseIndexBuilder};

$index = new ReverseIndexBuilder(5, 1000);
foreach (keys('k', 600) as $i => $key) {
    $index->add($i % 5, $key);
}
$blobs = ['bloom' => blob_of(keys('k', 600)), 'ribbon' => blob_of(keys('k', 600), scheme: 'ribbon'), 'index' => $index->build(), 'empty' => blob_of([])];
try {
    $blobs['keyed'] = blob_of(keys('k', 600), secret: str_repeat('s', 32));
} catch (Bloom\BloomException) { // built without libsodium
}
mt_srand(5);
$lists = [[], ['k1'], ['k1', 'absent', 'k2'], ['absent'], [7 => 'k1', 3 => 'absent', 'name' => 'k2'], keys('k', 100), keys('k', 1000)];
$list = [];
for ($i = 0; $i < 3000; $i++) {
    $list[mt_rand(0, 9999)] = mt_rand(0, 2) ? "absent $i" : 'k' . mt_rand(0, 999);
}
$lists[] = $list;
$lists[] = array_values($list);
$holes = keys('k', 200);
unset($holes[5], $holes[64], $holes[199]);
$lists[] = $holes;
$reference = 'k9';
$lists[] = ['k1', &$reference, 5, 'absent'];

foreach ($blobs as $what => $blob) {
    check($blob instanceof Membership, 'the interface');
    $filter = $what === 'keyed' ? null : Filter::load($what, $blob);
    foreach ($lists as $i => $list) {
        $expected = array_filter($list, $blob->mightContain(...));
        check($blob->candidates($list) === $expected, "$what, list $i");
        check($filter === null || $filter->candidates($list) === $expected, "$what, list $i, loaded");
        $generator = (function () use ($list) {
            foreach ($list as $value) {
                yield 'the same key' => $value;
            }
        })();
        check($blob->candidates($generator) === array_values($expected), "$what, list $i, from a generator");
        check($filter === null || $filter->candidates(new ArrayIterator($list)) === array_values($expected), "$what, list $i, loaded, from an iterator");
    }
    $all = keys('k', 600);
    check($blob->candidates($all) === ($what === 'empty' ? [] : $all), "$what: no false negative");
}

// Each error is thrown before the next value is asked for.
$blob = $blobs['bloom'];
$taken = 0;
$count = function (mixed ...$values) use (&$taken) {
    $taken = 0;
    foreach ($values as $value) {
        $taken++;
        yield $value;
    }
};
foreach ([$blob, Filter::open('bloom')] as $set) {
    echo thrown(fn () => $set->candidates($count('k1', 2, 1.5, 'k2'))), " $taken\n";
    echo thrown(fn () => $set->candidates(['k1', 'x' => null])), "\n";
    echo thrown(fn () => $set->candidates((function () {
        yield 'k1';
        throw new DomainException('from the generator');
    })())), "\n";
    echo thrown(fn () => $set->candidates('k1')), "\n";
}
$filter = Filter::open('bloom');
echo thrown(fn () => $filter->candidates((function () {
    yield 'k1';
    Filter::drop('bloom');
    yield 'k2';
})())), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\Blob::candidates(): Argument #1 ($keys) must contain only values of type string|int, float given at position 2 3
TypeError: Bloom\Blob::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key "x"
DomainException: from the generator
TypeError: Bloom\Blob::candidates(): Argument #1 ($keys) must be of type Traversable|array, string given
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, float given at position 2 3
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key "x"
DomainException: from the generator
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must be of type Traversable|array, string given
Bloom\NotFoundException: bloom: the filter was dropped
