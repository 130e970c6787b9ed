--TEST--
A value that is neither string nor int is refused, with its place
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_types
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
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
foreach ([[], new stdClass, STDIN] as $wrong) {
    echo thrown(fn () => $booth->mightContain($wrong)), "\n";
}
echo thrown(fn () => $booth->mightContain()), "\n";
echo thrown(fn () => $booth->mightContain('a', 'b')), "\n";
check($booth->mightContain(1.0) && $booth->mightContain(true), 'loose types follow PHP: the int 1');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, float given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, float given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, bool given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, bool given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, null given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, null given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, array given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, array given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, stdClass given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, stdClass given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, resource given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, resource given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, Closure given at key "key"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, Closure given at key -7
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, float given at key "a"
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must hold only values of type string|int, array given at key 1
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must be of type array, null given
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must be of type array, string given
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must be of type array, ArrayIterator given
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must be of type array, int given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, array given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, stdClass given
TypeError: Bloom\Filter::mightContain(): Argument #1 ($key) must be of type string|int, resource given
ArgumentCountError: Bloom\Filter::mightContain() expects exactly 1 argument, 0 given
ArgumentCountError: Bloom\Filter::mightContain() expects exactly 1 argument, 2 given
