--TEST--
A value that is neither a string nor an int is refused, and the message gives its position
--DESCRIPTION--
fault: key-types
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_types
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['a', '1']));
foreach ([1.5, true, null, [], new stdClass, STDIN, fn () => 1] as $wrong) {
    echo thrown(fn () => $booth->candidates(['a', 'key' => $wrong, 'b'])), "\n";
    echo thrown(fn () => $booth->candidates([-7 => &$wrong])), "\n";
}
echo thrown(fn () => $booth->candidates(["a\0b" => 1.5])), "\n";
echo thrown(fn () => $booth->candidates(['b', ['a']])), "\n";
foreach ([null, 'text', new ArrayIterator(['a']), 5] as $wrong) {
    echo @thrown(fn () => $booth->candidates($wrong)), "\n";
}
foreach ([1.0, 19.99, true, false, null, [], new stdClass, STDIN] as $wrong) {
    echo thrown(fn () => $booth->mightContain($wrong)), "\n";
}
echo thrown(fn () => $booth->mightContain()), "\n";
echo thrown(fn () => $booth->mightContain('a', 'b')), "\n";
echo thrown(fn () => (new Bloom\MapBuilder(10, 8))->addFile(__FILE__, null, 1)), "\n"; // unlike Builder::addFile()
$text = new class {
    public function __toString(): string
    {
        return 'a';
    }
};
check($booth->mightContain($text), 'an object with __toString() is its text');

$live = Bloom\LiveFilter::create('live', 100);
$counting = Bloom\CountingFilter::create('counting', 100);
$index = Bloom\ReverseIndex::create('index', 10, 100);
foreach ([[$live, 'add'], [$counting, 'add'], [$counting, 'remove'], [$counting, 'count'], [$index, 'groups'],
    [$index, 'mightContain'], [blob_of(['a']), 'mightContain'], [blob_of(['a']), 'groups']] as $method) {
    foreach ([1.0, true, null] as $wrong) {
        check(str_ends_with(thrown(fn () => $method($wrong)),
            'must be of type string|int, ' . get_debug_type($wrong) . ' given'), $method[1]);
    }
}
echo thrown(fn () => $index->add(1, 19.99)), "\n";
echo thrown(fn () => (new Bloom\ReverseIndexBuilder(10, 100))->add(1, null)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, float given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, float given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, bool given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, bool given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, array given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, array given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, stdClass given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, stdClass given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, resource given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, resource given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, Closure given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, Closure given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, float given at key "a"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, array given at key 1
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must be of type Traversable|array, null given
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must be of type Traversable|array, string given
nothing
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must be of type Traversable|array, int given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, float given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, float given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, bool given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, bool given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, null given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, array given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, stdClass given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, resource given
ArgumentCountError: Bloom\Filter::mightContain() expects exactly 1 argument, 0 given
ArgumentCountError: Bloom\Filter::mightContain() expects exactly 1 argument, 2 given
ArgumentCountError: Bloom\MapBuilder::addFile() expects at most 2 arguments, 3 given
TypeError: Bloom\ReverseIndex::add(): Argument #2 ($value) must be of type string|int, float given
TypeError: Bloom\ReverseIndexBuilder::add(): Argument #2 ($value) must be of type string|int, null given
