--TEST--
open(), find() and load() return an object of the class that they are called on, or throw before they change anything
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_static
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
use Bloom\{BloomException, Filter, KindException, LoadedFilter, ReverseIndex, ReverseIndexBuilder};

/** Returns the class of the object that a call returns or throws. */
function outcome(callable $call): string
{
    try {
        return get_class($call());
    } catch (BloomException $error) {
        return get_class($error);
    }
}

final class Mine extends Filter
{
}

$classes = [Filter::class, LoadedFilter::class, ReverseIndex::class, Bloom\LiveFilter::class, Bloom\CountingFilter::class,
    Bloom\ScalableFilter::class, Bloom\SlidingFilter::class, Bloom\OnDemandFilter::class, Mine::class];
$index = new ReverseIndexBuilder(10, 100);
$index->add(3, 'a');
$blobs = [
    LoadedFilter::class => ['plain' => blob_of(['a']), 'ribbon' => blob_of(['a'], scheme: Bloom\Scheme::Ribbon)],
    ReverseIndex::class => ['index' => $index->build()],
];
foreach ($blobs as $fitting => $named) {
    foreach ($named as $name => $blob) {
        foreach ($classes as $class) {
            $fits = $class === Filter::class || $class === $fitting;
            $expected = $fits ? $fitting : KindException::class;
            check(outcome(fn () => $class::load($name, $blob)) === $expected, "$class::load($name)");
            check((Filter::find($name) !== null) === $fits, "$class::load($name) loads only what fits");
            Filter::load($name, $blob);
            check(outcome(fn () => $class::open($name)) === $expected, "$class::open($name)");
            check(outcome(fn () => $class::find($name)) === $expected, "$class::find($name)");
            check($class::find('nothing') === null, "$class::find() finds nothing");
            Filter::drop($name);
        }
    }
}
echo thrown(fn () => ReverseIndex::load('plain', $blobs[LoadedFilter::class]['plain'])), "\n";
foreach (['open', 'find', 'load'] as $method) {
    echo "$method(): ", (new ReflectionMethod(Filter::class, $method))->getReturnType(), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\KindException: plain: expected a Bloom\ReverseIndex, found a loaded filter: a filter of a different kind has that name (drop it first, or choose another name)
open(): static
find(): ?static
load(): Bloom\LoadedFilter|Bloom\ReverseIndex
