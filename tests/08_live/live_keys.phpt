--TEST--
Every kind of filter accepts any key, singly or in batches; a batch stops at an invalid key after adding the keys before it
--DESCRIPTION--
fault: odd-batches, odd-keys
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_keys
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;
use Bloom\ReverseIndex;

function put_many(Filter $filter, iterable $keys): int
{
    return $filter instanceof ReverseIndex ? $filter->addMany(3, $keys) : $filter->addMany($keys);
}
function some(int $count, ?Throwable $end): Generator
{
    for ($i = 0; $i < $count; $i++) {
        yield 'same key' => "g$i";
    }
    throw $end;
}
$big = str_repeat("1 MB \0", 170_000);
foreach (KINDS as $kind) {
    $filter = made($kind, 10_000, 1e-9);
    // A new filter contains no key.
    foreach (['', "\0", "a\0b", $big, 0, -7, PHP_INT_MIN, 'a'] as $key) {
        check(!$filter->mightContain($key), "$kind: nothing is there");
    }
    $odd = ['', "\0", "\0\0", "a\0b", "a\0c", "\xff\xfe", $big, $big . 'x', 0, -7, PHP_INT_MAX, PHP_INT_MIN, ' 8', '08'];
    foreach ($odd as $i => $key) {
        check(put($filter, $key), "$kind: the odd key $i is new");
        check($filter->mightContain($key), "$kind: the odd key $i is there");
        check($kind === 'counting' || !put($filter, $key), "$kind: the odd key $i is no longer new");
    }
    check($filter->candidates($odd) === $odd, "$kind: all odd keys are there");
    foreach (["\0\0\0", 'a', "a\0", $big . 'y', substr($big, 1), 8, ' 8 '] as $key) {
        check(!$filter->mightContain($key), "$kind: what looks like them is not");
    }
    foreach ([[7, '7'], ['7' . '1', 71], [-12, '-12']] as [$one, $other]) {
        put($filter, $one);
        check(held($filter, $one) && held($filter, $other), "$kind: " . var_export($one, true) . ' is ' . var_export($other, true));
    }
    check(!$filter->mightContain('07') && !$filter->mightContain('+7'), "$kind: but not these");

    // Adding many keys at once.
    check(put_many($filter, []) === 0 && put_many($filter, new EmptyIterator) === 0, "$kind: none");
    check(put_many($filter, ['m1', 'x' => 'm2', 9 => 3, 'm1']) >= 3, "$kind: an array");
    $one = 'by reference';
    check(put_many($filter, [&$one]) === 1, "$kind: a reference");
    check(put_many($filter, new SplFixedArray(0)) === 0 && put_many($filter, new ArrayIterator(['i1', 'i2', 33])) === 3, "$kind: iterators");
    check($filter->candidates(['m1', 'm2', 3, 'by reference', 'i1', 'i2', '33']) === ['m1', 'm2', 3, 'by reference', 'i1', 'i2', '33'], "$kind: they are there");

    // If a source throws, addMany() passes on the exception, and the keys before it have been added.
    $mine = new RuntimeException('the source broke');
    try {
        put_many($filter, some(50, $mine));
        echo "no exception\n";
    } catch (RuntimeException $caught) {
        check($caught === $mine, "$kind: the exception is the source's");
    }
    check($filter->candidates(keys('g', 60)) === keys('g', 50), "$kind: the values before were added, those behind were not");

    echo thrown(fn () => put_many($filter, ['b1', 'b2', 1.5, 'b3'])), "\n";
    echo thrown(fn () => put_many($filter, (fn () => yield from ['c1', null, 'c2'])())), "\n";
    check($filter->candidates(['b1', 'b2', 'b3', 'c1', 'c2']) === ['b1', 'b2', 3 => 'c1'], "$kind: those before were added");
    foreach ([true, [], new stdClass, STDIN] as $wrong) {
        check(thrown(fn () => put_many($filter, [$wrong]), true) === 'TypeError', "$kind: " . gettype($wrong));
    }
    check(thrown(fn () => put_many($filter, null), true) === 'TypeError', "$kind: null is not iterable");
    check(thrown(fn () => put_many($filter, 'text'), true) === 'TypeError', "$kind: nor is a text");

    // A source that adds to the filter during addMany(), and a source that drops it.
    $nested = (function () use ($filter) {
        yield 'n1';
        put($filter, 'n2');
        yield 'n3';
    })();
    check(put_many($filter, $nested) >= 2 && count($filter->candidates(['n1', 'n2', 'n3'])) === 3, "$kind: nested");
    $dropping = (function () use ($kind) {
        yield 'd1';
        Filter::drop($kind);
        yield 'd2';
    })();
    check(thrown(fn () => put_many($filter, $dropping)) === "Bloom\\NotFoundException: $kind: the filter was dropped", "$kind: dropped meanwhile: " . thrown(fn () => put($filter, 'x')));

    // The smallest filter with far too many keys still finds all of them.
    $tiny = made($kind, 1, 0.5);
    put($tiny, 'only');
    check(held($tiny, 'only') && $tiny->info()->keys >= 1, "$kind: one key");
    foreach (keys('more', 3000) as $key) {
        put($tiny, $key);
    }
    check_held($tiny, ['only', ...keys('more', 3000)], "$kind: far over its capacity");
    Filter::drop($kind);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\WritableFilter::addMany(): Argument #1 ($keys) must contain only values of type string|int, float given at position 2
TypeError: Bloom\WritableFilter::addMany(): Argument #1 ($keys) must contain only values of type string|int, null given at position 1
TypeError: Bloom\WritableFilter::addMany(): Argument #1 ($keys) must contain only values of type string|int, float given at position 2
TypeError: Bloom\WritableFilter::addMany(): Argument #1 ($keys) must contain only values of type string|int, null given at position 1
TypeError: Bloom\WritableFilter::addMany(): Argument #1 ($keys) must contain only values of type string|int, float given at position 2
TypeError: Bloom\WritableFilter::addMany(): Argument #1 ($keys) must contain only values of type string|int, null given at position 1
TypeError: Bloom\WritableFilter::addMany(): Argument #1 ($keys) must contain only values of type string|int, float given at position 2
TypeError: Bloom\WritableFilter::addMany(): Argument #1 ($keys) must contain only values of type string|int, null given at position 1
TypeError: Bloom\ReverseIndex::addMany(): Argument #2 ($values) must contain only values of type string|int, float given at position 2
TypeError: Bloom\ReverseIndex::addMany(): Argument #2 ($values) must contain only values of type string|int, null given at position 1
