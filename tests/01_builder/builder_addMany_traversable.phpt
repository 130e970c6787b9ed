--TEST--
addMany() adds the values of a Traversable until it ends or throws
--DESCRIPTION--
fault: odd-batches
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$builder = new Bloom\Builder(1000, seed: 7);

function some(int $count, ?Throwable $end = null): Generator
{
    for ($i = 0; $i < $count; $i++) {
        yield 'same key' => "g$i";
    }
    if ($end) {
        throw $end;
    }
    return 'ignored';
}
var_dump($builder->addMany(some(50)));
var_dump($builder->addMany(some(60)));
var_dump($builder->addMany(new ArrayIterator(['i1', 'i2', 3])));
var_dump($builder->addMany(new class implements IteratorAggregate {
    public function getIterator(): Iterator
    {
        yield from ['j1', 'j2'];
    }
}));
var_dump($builder->addMany(new EmptyIterator));
var_dump($builder->addMany(new SplFixedArray(0)));

// If the iterator throws, addMany() passes on its exception, and the values before the exception have been added.
$mine = new RuntimeException('the source broke');
try {
    $builder->addMany(some(70, $mine));
} catch (RuntimeException $caught) {
    var_dump($caught === $mine);
}
var_dump($builder->info()->keys);

echo thrown(fn () => $builder->addMany((fn () => yield from ['k1', null, 'k2'])())), "\n";
echo thrown(fn () => $builder->addMany(new class implements IteratorAggregate {
    public function getIterator(): Iterator
    {
        throw new LogicException('no iterator');
    }
})), "\n";
$used = some(1);
foreach ($used as $key) {
}
echo thrown(fn () => $builder->addMany($used)), "\n";
foreach ([null, 'text', 5, new stdClass] as $wrong) {
    echo thrown(fn () => $builder->addMany($wrong)), "\n";
}
$blob = $builder->build();
check($blob->mightContain('g69') && $blob->mightContain('k1'), 'the values before were added');
check(!$blob->mightContain('k2'), 'those behind were not');
?>
--EXPECT--
int(50)
int(10)
int(3)
int(2)
int(0)
int(0)
bool(true)
int(75)
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must contain only values of type string|int, null given at position 1
LogicException: no iterator
Exception: Cannot traverse an already closed generator
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must be of type Traversable|array, null given
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must be of type Traversable|array, string given
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must be of type Traversable|array, int given
TypeError: Bloom\Builder::addMany(): Argument #1 ($keys) must be of type Traversable|array, stdClass given
