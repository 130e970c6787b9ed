--TEST--
No call replaces a reverse index with a plain filter, or a plain filter with a reverse index, until the existing filter is dropped
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-reverse_replaced
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;
use Bloom\ReverseIndexBuilder;

function index_of(string ...$values): Bloom\Blob
{
    $builder = new ReverseIndexBuilder(100, 1000);
    foreach ($values as $group => $value) {
        $builder->add($group, $value);
    }
    return $builder->build();
}

mkdir($directory = own_file('store'));
$store = new Bloom\DirectoryStore($directory);
$plain = blob_of(['key']);
foreach (['plain' => [$plain, index_of('value')], 'index' => [index_of('key'), $plain]] as $name => [$first, $other]) {
    $filter = Filter::load($name, $first);
    $other->publish($store, $name);
    echo thrown(fn () => Filter::load($name, $other)), "\n";
    echo thrown(fn () => Filter::sync($name, $store, 0)), "\n";
    echo thrown(fn () => Filter::sync($name, $store, 0, force: true)), "\n";
    echo thrown(fn () => Filter::attach($name, $store, 1 << 20)), "\n";
    check($filter->mightContain('key') && $filter->info()->generation === 1, 'the first one is served still');
    check(thrown(fn () => Filter::load($name, $first)) === 'nothing', 'its like replaces it');
    check(Filter::drop($name) && switched(Filter::sync($name, $store, 0)), 'after a drop it is another');
    check(Filter::open($name)::class === ($name === 'plain' ? Bloom\ReverseIndex::class : Bloom\LoadedFilter::class), $name);
}
// An index with a different number of groups is still of the same kind.
Filter::load('grows', index_of('a'));
Filter::load('grows', (new ReverseIndexBuilder(7, 10))->build());
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
Bloom\KindException: {segment}/plain: expected a loaded reverse index, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: plain: expected a loaded reverse index, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: plain: expected a loaded reverse index, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: plain: expected an on-demand filter, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: {segment}/index: expected a loaded filter, found a loaded reverse index: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: index: expected a loaded filter, found a loaded reverse index: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: index: expected a loaded filter, found a loaded reverse index: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: index: expected an on-demand filter, found a loaded reverse index: that name is taken by a filter of a different kind (drop it first, or choose another name)
