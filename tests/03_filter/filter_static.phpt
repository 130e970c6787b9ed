--TEST--
open(), find() and load() return an object of the class that they are called on, or throw before they change anything
--DESCRIPTION--
fault: static-on-subclass
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_static
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
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

abstract class Mine extends Filter
{
    public static function remove(string $name): bool
    {
        return parent::drop($name);
    }
}

$classes = [Filter::class, LoadedFilter::class, ReverseIndex::class, Bloom\LiveFilter::class, Bloom\CountingFilter::class,
    Bloom\ScalableFilter::class, Bloom\SlidingFilter::class, Bloom\OnDemandFilter::class];
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

// No filter is of a class of the user's, so such a class neither finds nor changes one, and holds no lock afterwards.
$blob = $blobs[LoadedFilter::class]['plain'];
$calls = ['open' => [], 'find' => [], 'drop' => [], 'remove' => [], 'load' => [$blob], 'restore' => [own_file('none')]];
foreach (['kept', 'none'] as $name) {
    $name === 'none' || Filter::load($name, $blob);
    foreach ($calls as $method => $more) {
        echo "$name, $method(): ", thrown(fn () => Mine::$method($name, ...$more)), "\n";
    }
}
check(Filter::list() === ['kept'] && Filter::open('kept')->info()->loads === 1, 'nothing was loaded or dropped');
check(thrown(fn () => Bloom\LiveFilter::drop('kept'), true) === KindException::class, 'another class drops nothing');
check(LoadedFilter::drop('kept') && !LoadedFilter::drop('kept') && Filter::list() === [], 'its own class drops it');
foreach (['open', 'find', 'load'] as $method) {
    echo "$method(): ", (new ReflectionMethod(Filter::class, $method))->getReturnType(), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\KindException: plain: expected a Bloom\ReverseIndex, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
kept, open(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::open())
kept, find(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::find())
kept, drop(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::drop())
kept, remove(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::drop())
kept, load(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::load())
kept, restore(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::restore())
none, open(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::open())
none, find(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::find())
none, drop(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::drop())
none, remove(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::drop())
none, load(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::load())
none, restore(): Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::restore())
open(): static
find(): ?static
load(): Bloom\LoadedFilter|Bloom\ReverseIndex|Bloom\LoadedMap
