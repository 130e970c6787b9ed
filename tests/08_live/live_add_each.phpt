--TEST--
addEach() answers for each key whether it was new, as add() would, for arrays and iterators, on every kind
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_add_each
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{Filter, LiveFilter};

foreach (['live', 'counting', 'scalable', 'sliding'] as $kind) {
    mt_srand(7);
    // Two filters get the same keys, one of them key by key.
    $one = made($kind, 500, name: 'one');
    $each = made($kind, 500, name: 'each');
    $expected = $answers = $lists = [];
    $exact = [];
    for ($round = 0; $round < 20; $round++) {
        $keys = [];
        for ($i = 0; $i < 40; $i++) {
            $keys[mt_rand(0, 3) ? "name $i" : mt_rand(0, 1000)] = mt_rand(0, 1) ? 'k' . mt_rand(0, 600) : mt_rand(0, 600);
        }
        $before = $exact;
        foreach ($keys as $name => $key) {
            $exact[$key] = true;
        }
        $got = $round % 2 ? $each->addEach($keys) : $each->addEach((fn () => yield from $keys)());
        check(array_keys($got) === ($round % 2 ? array_keys($keys) : range(0, count($keys) - 1)), "$kind: the keys of the answers");
        foreach (array_values($keys) as $i => $key) {
            $new = array_values($got)[$i];
            check(is_bool($new) && !($new && isset($before[$key])), "$kind: $key is not new");
            $before[$key] = true;
        }
        check_held($each, array_values($keys), "$kind: added");
        check($each->addEach($keys) === array_fill_keys(array_keys($keys), false), "$kind: a second time");
    }
    check($each->addEach([]) === [] && $each->addEach(new ArrayIterator([])) === [], "$kind: none");
    echo thrown(fn () => $each->addEach(['before it', 1.5, 'after it'])), "\n";
    check(held($each, 'before it'), "$kind: the value before it");
    echo thrown(fn () => $each->addEach((function () {
        yield 'from a generator';
        throw new DomainException('mine');
    })())), "\n";
    check(held($each, 'from a generator'), "$kind: the value before the exception");
    $dropping = (function () {
        yield 'd1';
        Filter::drop('each');
        yield 'd2';
    })();
    echo thrown(fn () => $each->addEach($dropping)), "\n";
    Filter::drop('one');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\WritableFilter::addEach(): Argument #1 ($keys) must contain only values of type string|int, float given at position 1
DomainException: mine
Bloom\NotFoundException: each: the filter was dropped
TypeError: Bloom\WritableFilter::addEach(): Argument #1 ($keys) must contain only values of type string|int, float given at position 1
DomainException: mine
Bloom\NotFoundException: each: the filter was dropped
TypeError: Bloom\WritableFilter::addEach(): Argument #1 ($keys) must contain only values of type string|int, float given at position 1
DomainException: mine
Bloom\NotFoundException: each: the filter was dropped
TypeError: Bloom\WritableFilter::addEach(): Argument #1 ($keys) must contain only values of type string|int, float given at position 1
DomainException: mine
Bloom\NotFoundException: each: the filter was dropped
