--TEST--
If an argument is out of range, the exception gives its name and range, and nothing is created
--DESCRIPTION--
fault: odd-numbers
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_arguments
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\CountingFilter;
use Bloom\Filter;
use Bloom\LiveFilter;
use Bloom\ReverseIndex;
use Bloom\ReverseIndexBuilder;
use Bloom\ScalableFilter;
use Bloom\SlidingFilter;

$classes = [
    LiveFilter::class => ['capacity' => 100, 'falsePositiveRate' => 0.01],
    CountingFilter::class => ['capacity' => 100, 'falsePositiveRate' => 0.01],
    ScalableFilter::class => ['initialCapacity' => 100, 'falsePositiveRate' => 0.01, 'growth' => 2.0, 'tightening' => 0.8],
    SlidingFilter::class => ['capacity' => 100, 'falsePositiveRate' => 0.01, 'window' => 60.0],
    ReverseIndex::class => ['groups' => 100, 'capacity' => 100, 'falsePositiveRate' => 0.01, 'fanOut' => 64],
    ReverseIndexBuilder::class => ['groups' => 100, 'capacity' => 100, 'falsePositiveRate' => 0.01, 'fanOut' => 64],
];
$keys = [0, -1, PHP_INT_MIN, PHP_INT_MAX, 10 ** 12 + 1];
$wrong = [
    'capacity' => $keys,
    'initialCapacity' => $keys,
    'falsePositiveRate' => [0.0, 1.0, 0.51, 9.9e-10, -0.01, NAN, INF, -INF, 1e-300],
    'window' => [0.0, 0.0099, -1.0, 1.000000001e9, NAN, INF, -INF, 1e300],
    'growth' => [1.0, 1.09, 16.01, 0.0, -2.0, NAN, INF, -INF],
    'tightening' => [0.0, 0.09, 0.991, 1.0, -0.5, NAN, INF, -INF],
    'groups' => [0, -1, 2 ** 32 + 1, PHP_INT_MAX, PHP_INT_MIN],
    'fanOut' => [0, 1, 32, 63, 65, 96, 1000, 1025, 2048, -64, 2 ** 32 + 64, PHP_INT_MAX, PHP_INT_MIN],
];
foreach ($classes as $class => $right) {
    $make = fn (array $arguments) => $class === ReverseIndexBuilder::class ? new $class(...$arguments) : $class::create('x', ...$arguments);
    foreach ($right as $name => $value) {
        $said = [];
        foreach ($wrong[$name] as $bad) {
            $said[thrown(fn () => $make([$name => $bad] + $right))][] = json_encode($bad, JSON_PARTIAL_OUTPUT_ON_ERROR);
        }
        foreach ($said as $text => $values) {
            echo $text, count($said) > 1 ? ': ' . implode(' ', $values) : '', "\n";
        }
    }
    if ($class !== ReverseIndexBuilder::class) {
        foreach (['', '.x', 'a/b', "x\0", str_repeat('x', 129)] as $name) {
            check(str_contains(thrown(fn () => $class::create($name, ...$right)), 'Argument #1 ($name) must be 1 to 128'), "$class: the name \"$name\"");
        }
    }
}
// The limits of each range are allowed.
foreach ([
    [LiveFilter::class, ['capacity' => 1, 'falsePositiveRate' => 0.5]],
    [LiveFilter::class, ['capacity' => 1, 'falsePositiveRate' => 1e-9]],
    [CountingFilter::class, ['capacity' => 1, 'falsePositiveRate' => 1e-9]],
    [ScalableFilter::class, ['initialCapacity' => 1, 'falsePositiveRate' => 0.5, 'growth' => 1.1, 'tightening' => 0.1]],
    [ScalableFilter::class, ['initialCapacity' => 1, 'falsePositiveRate' => 1e-9, 'growth' => 16.0, 'tightening' => 0.99]],
    [SlidingFilter::class, ['capacity' => 1, 'falsePositiveRate' => 0.5, 'window' => 0.01]],
    [SlidingFilter::class, ['capacity' => 1, 'falsePositiveRate' => 0.5, 'window' => 1e9]],
    [ReverseIndex::class, ['groups' => 1, 'capacity' => 1, 'falsePositiveRate' => 0.5, 'fanOut' => 64]],
    [ReverseIndex::class, ['groups' => 2 ** 32, 'capacity' => 1, 'falsePositiveRate' => 1e-9, 'fanOut' => 1024]],
] as [$class, $arguments]) {
    $filter = $class::create('end', ...$arguments);
    check($filter instanceof ReverseIndex ? $filter->add($arguments['groups'] - 1, 'a') && $filter->groups('a') === [$arguments['groups'] - 1] : $filter->add('a'), json_encode($arguments));
    Filter::drop('end');
}
// Values that are in range but too large for any machine.
foreach ([[10 ** 12, 0.01, 'Bloom\SegmentException'], [10 ** 12, 1e-9, 'ValueError']] as [$capacity, $rate, $expected]) {
    $said = thrown(fn () => LiveFilter::create('x', $capacity, $rate));
    check(str_starts_with($said, $expected), $said);
    check(!Filter::drop('x'), 'there was none');
}
check(Filter::list() === [] && tree(segment_path()) === [],
    'no file was created: ' . implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ValueError: Bloom\LiveFilter::create(): Argument #2 ($capacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\LiveFilter::create(): Argument #3 ($falsePositiveRate) must be between 0.000000001 and 0.5
ValueError: Bloom\CountingFilter::create(): Argument #2 ($capacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\CountingFilter::create(): Argument #3 ($falsePositiveRate) must be between 0.000000001 and 0.5
ValueError: Bloom\ScalableFilter::create(): Argument #2 ($initialCapacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\ScalableFilter::create(): Argument #3 ($falsePositiveRate) must be between 0.000000001 and 0.5
ValueError: Bloom\ScalableFilter::create(): Argument #4 ($growth) must be between 1.1 and 16
ValueError: Bloom\ScalableFilter::create(): Argument #5 ($tightening) must be between 0.1 and 0.99
ValueError: Bloom\SlidingFilter::create(): Argument #2 ($capacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\SlidingFilter::create(): Argument #3 ($falsePositiveRate) must be between 0.000000001 and 0.5
ValueError: Bloom\SlidingFilter::create(): Argument #4 ($window) must be between 0.01 and 1,000,000,000 seconds
ValueError: Bloom\ReverseIndex::create(): Argument #2 ($groups) must be between 1 and 4,294,967,296
ValueError: Bloom\ReverseIndex::create(): Argument #3 ($capacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\ReverseIndex::create(): Argument #4 ($falsePositiveRate) must be between 0.000000001 and 0.5
ValueError: Bloom\ReverseIndex::create(): Argument #5 ($fanOut) must be a power of two from 64 to 1024
ValueError: Bloom\ReverseIndexBuilder::__construct(): Argument #1 ($groups) must be between 1 and 4,294,967,296
ValueError: Bloom\ReverseIndexBuilder::__construct(): Argument #2 ($capacity) must be between 1 and 1,000,000,000,000 keys
ValueError: Bloom\ReverseIndexBuilder::__construct(): Argument #3 ($falsePositiveRate) must be between 0.000000001 and 0.5
ValueError: Bloom\ReverseIndexBuilder::__construct(): Argument #4 ($fanOut) must be a power of two from 64 to 1024
