--TEST--
An object whose last reference is released during its own call lives until the call returns
--DESCRIPTION--
fault: file-changed-while-read, vanishing-object
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-engine_freed
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Builder, Filter, ReverseIndexBuilder};

/** Yields keys, and clears the referenced variable after the first one. */
function taking(mixed &$victim): Generator
{
    yield 'a';
    $victim = null;
    gc_collect_cycles();
    $heap = array_map(fn ($i) => str_repeat(chr($i), 200), range(1, 200)); // reuses freed memory
    yield 'b';
    yield 'c';
}

$builder = new Builder(10);
check($builder->addMany(taking($builder)) === 3 && $builder === null, 'Builder');
$builder = new ReverseIndexBuilder(5, 10);
check($builder->addMany(1, taking($builder)) === 3 && $builder === null, 'ReverseIndexBuilder');
foreach (KINDS as $kind) {
    $filter = made($kind);
    $added = $kind === 'reverse' ? $filter->addMany(1, taking($filter)) : $filter->addMany(taking($filter));
    check($added === 3 && $filter === null, "$kind: addMany()");
    check(Filter::open($kind)->candidates(['a', 'b', 'c']) === ['a', 'b', 'c'], "$kind has them");
    // During the call, the filter is dropped and created again, with the same or a different kind. The call throws, or
    // the new filter gets the remaining keys.
    $filter = made($kind, name: 'goes');
    $dropping = function () {
        yield 'a';
        Filter::drop('goes');
        yield 'b';
    };
    echo "$kind dropped: ", thrown(fn () => $kind === 'reverse' ? $filter->addMany(1, $dropping()) : $filter->addMany($dropping())), "\n";
    Filter::drop('goes');
    $filter = made($kind, name: 'goes');
    $replacing = function () use ($kind) {
        yield 'a';
        Filter::drop('goes');
        made($kind === 'live' ? 'counting' : 'live', name: 'goes');
        yield 'b';
    };
    echo "$kind replaced: ", thrown(fn () => $kind === 'reverse' ? $filter->addMany(1, $replacing()) : $filter->addMany($replacing()), true), "\n";
    Filter::drop('goes');
}
file_put_contents(own_file('keys'), "a\nb\n");
$builder = new Builder(10);
check($builder->addFile(own_file('keys'), function () use (&$builder) {
    $builder = null;
}) === 2 && $builder === null, 'addFile()');
$path = own_file('blob');
$blob = chunked(keys('k', 3000));
$blob->save($path);
$copy = Blob::open($path, function () use ($path) {
    unlink($path);
    file_put_contents($path, '');
});
check($copy->mightContain('k1'), 'open() of a file that goes');
Filter::load('loaded', $blob, progress: function () use (&$blob) {
    $blob = null;
});
check(Filter::open('loaded')->mightContain('k1') && $blob === null, 'load()');
$store = new ScriptedStore;
$copy->publish($store, 'tags');
$kept = $store;
$store->script = function () use (&$store) {
    $store = null;
    gc_collect_cycles();
};
check(switched(Filter::sync('tags', $store, 0)) && $store === null && Filter::open('tags')->mightContain('k1'), 'sync()');
$store = $kept;
$fetched = Blob::fetch($store, 'tags');
check($fetched->mightContain('k1') && $store === null, 'fetch()');
$kept->script = null;
$copy->publish($kept, 'demand');
$demand = Filter::attach('demand', $kept, 1 << 20);
$kept->script = function () use (&$demand, &$kept) {
    $demand = $kept = null;
    gc_collect_cycles();
};
check($demand->candidates(keys('k', 3000)) === keys('k', 3000) && $demand === null, 'candidates() that fetch');
$store = new ScriptedStore;
$store->script = function () use (&$store, &$copy) {
    $store = $copy = null;
};
check($copy->publish($store, 'gone') > 0 && $store === null && $copy === null, 'publish()');
$keys = ['a', 'b', new class {
    public function __toString(): string
    {
        return 'never asked';
    }
}];
echo thrown(fn () => Filter::open('loaded')->candidates($keys)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
live dropped: Bloom\NotFoundException: goes: the filter was dropped
live replaced: Bloom\KindException
counting dropped: Bloom\NotFoundException: goes: the filter was dropped
counting replaced: Bloom\KindException
scalable dropped: Bloom\NotFoundException: goes: the filter was dropped
scalable replaced: Bloom\KindException
sliding dropped: Bloom\NotFoundException: goes: the filter was dropped
sliding replaced: Bloom\KindException
reverse dropped: Bloom\NotFoundException: goes: the filter was dropped
reverse replaced: Bloom\KindException
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, class@anonymous given at key 2
