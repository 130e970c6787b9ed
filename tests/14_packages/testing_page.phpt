--TEST--
The example in docs/testing.md prints the output that the page shows, and the fakes refuse what filters refuse
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../../packages/php/tests/prepend.php';
ob_end_clean();
use Bloom\Testing\{AlwaysMaybeFilter, ExactFilter, FailingFilter};

$page = file_get_contents(__DIR__ . '/../../docs/testing.md');
check(preg_match('/^```php\n(.*?)^```\n\n```text\n(.*?)^```$/ms', $page, $parts) === 1, 'an example with its output');
ob_start();
eval($parts[1]);
$shown = ob_get_clean();
check($shown === $parts[2], "the example prints\n$shown");

$exact = new ExactFilter([1, 'a']);
echo json_encode([$exact->add('a'), $exact->add('b'), $exact->addMany(['b', 'c', '5', 5]), $exact->mightContain(1), $exact->mightContain('1'),
    $exact->mightContain('x'), $exact->candidates(['k' => 'a', 'l' => 'x', 7 => 5]), $exact->candidates(new ArrayIterator(['x', 'b']))]), "\n";
$maybe = new AlwaysMaybeFilter();
echo json_encode([$maybe->mightContain('x'), $maybe->candidates([3 => 'x'])]), "\n";
echo thrown(fn () => (new FailingFilter())->mightContain('x')), "\n";
echo thrown(fn () => (new FailingFilter(new Bloom\StoreException('down')))->candidates(['x'])), "\n";
foreach ([1.5, true, null, []] as $key) {
    echo thrown(fn () => $exact->mightContain($key)), "\n", thrown(fn () => $maybe->candidates(['a', $key])), "\n";
}
?>
--EXPECT--
[false,true,2,true,true,false,{"k":"a","7":5},["b"]]
[true,{"3":"x"}]
Bloom\NotFoundException: tests: the filter was dropped
Bloom\StoreException: down
TypeError: Bloom\Testing\ExactFilter::mightContain(): Argument #1 ($key) must be of type string|int, float given
TypeError: Bloom\Testing\AlwaysMaybeFilter::candidates(): Argument #1 ($keys) must contain only values of type string|int, float given at key 1
TypeError: Bloom\Testing\ExactFilter::mightContain(): Argument #1 ($key) must be of type string|int, bool given
TypeError: Bloom\Testing\AlwaysMaybeFilter::candidates(): Argument #1 ($keys) must contain only values of type string|int, bool given at key 1
TypeError: Bloom\Testing\ExactFilter::mightContain(): Argument #1 ($key) must be of type string|int, null given
TypeError: Bloom\Testing\AlwaysMaybeFilter::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key 1
TypeError: Bloom\Testing\ExactFilter::mightContain(): Argument #1 ($key) must be of type string|int, array given
TypeError: Bloom\Testing\AlwaysMaybeFilter::candidates(): Argument #1 ($keys) must contain only values of type string|int, array given at key 1
