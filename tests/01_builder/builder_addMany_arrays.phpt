--TEST--
addMany() adds the values of an array with any array keys, and returns the number of new keys
--DESCRIPTION--
fault: odd-batches
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$builder = new Bloom\Builder(1000, seed: 7);
var_dump($builder->addMany([]));
var_dump($builder->addMany(['a', 'b', 'a', 3, '3']));
var_dump($builder->addMany(['x' => 'c', 17 => 'd', '' => 'a']));

$value = 'referenced';
$array = ['r' => &$value, 's' => 'plain'];
var_dump($builder->addMany($array));
var_dump($builder->addMany(range(100, 200)));

// An array with a gap, where an element was unset.
$holes = ['p', 'q', 'r'];
unset($holes[1]);
var_dump($builder->addMany($holes));

foreach ([1.5, true, null, [], new stdClass, STDIN] as $wrong) {
    echo thrown(fn () => $builder->addMany(['before' => 'k' . gettype($wrong), 'bad' => $wrong, 'after' => 'never'])), "\n";
    echo thrown(fn () => $builder->addMany([5 => $wrong])), "\n";
}
$blob = $builder->build();
check($blob->mightContain('kdouble') && $blob->mightContain('kresource'), 'the values before the wrong one were added');
check(!$blob->mightContain('never'), 'those behind it were not');

// More keys than fit in one batch; then the same with an invalid value among them.
$each = new Bloom\Builder(1000, seed: 7);
$new = 0;
$keys = [...range(1, 999), ...range(500, 1500, 2)];
foreach ($keys as $key) {
    $new += $each->add($key);
}
$batches = new Bloom\Builder(1000, seed: 7);
check($batches->addMany($keys) === $new, 'batches count as one by one');
check($batches->info() == $each->info(), 'and tell the same of themselves');
check($batches->build(1, 1)->toString() === $each->build(1, 1)->toString(), 'and make the same bytes');
$broken = new Bloom\Builder(1000, 1e-6, seed: 7);
echo thrown(fn () => $broken->addMany([...range(1, 150), null, 151])), "\n";
check($broken->info()->added === 150, 'all values before the wrong one were added');
?>
--EXPECT--
int(0)
int(3)
int(2)
int(2)
int(101)
int(2)
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, float given at position 1
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, float given at position 0
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, bool given at position 1
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, bool given at position 0
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, null given at position 1
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, null given at position 0
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, array given at position 1
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, array given at position 0
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, stdClass given at position 1
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, stdClass given at position 0
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, resource given at position 1
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, resource given at position 0
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, null given at position 150
