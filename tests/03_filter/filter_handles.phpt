--TEST--
Handles of the same filter are equal, var_dump() shows which filter it is, and drop() on a subclass drops only its class
--DESCRIPTION--
fault: days-of-handles
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_handles
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{Blob, Builder, CountingFilter, Filter, LiveFilter, LoadedFilter, ReverseIndex};

$a = Filter::load('a', blob_of(['k']));
$b = Filter::load('b', blob_of(['k']));
check($a == Filter::open('a') && $a == LoadedFilter::find('a'), 'two handles of one filter');
check($a != $b && $a != LiveFilter::create('live', 10), 'handles of different filters');
check($a != 'a' && $a != null && !($a < $b) && !($a > $b), 'other values');
check(in_array(Filter::open('b'), [$a, $b]) && array_search(Filter::open('b'), [$a, $b]) === 1, 'in_array()');
$blob = blob_of(['k']);
check($blob == $blob && $blob != blob_of(['k']) && new Builder(5) != new Builder(5), 'other objects equal only themselves');

var_dump($a);
Filter::load('a', blob_of(['other']));
print_r($a);
foreach (KINDS as $kind) {
    print_r(made($kind, name: "a-$kind"));
}
Filter::drop('a');
print_r($a);
check((array) $a === [] && json_encode($a) === '{}', 'other conversions show nothing');

// drop() on a subclass.
$drop = fn (string $class, string $name) => thrown(fn () => check($class::drop($name), "$class::drop('$name')"));
echo $drop(LiveFilter::class, 'b'), "\n", $drop(ReverseIndex::class, 'b'), "\n", $drop(CountingFilter::class, 'live'), "\n";
check($b->mightContain('k') && Filter::find('live') !== null, 'refused drops change nothing');
check(LoadedFilter::drop('b') && LiveFilter::drop('live') && !LiveFilter::drop('live') && !LiveFilter::drop('never'), 'the own class');
Filter::load('ribbon', blob_of(['k'], scheme: 'ribbon'));
$builder = new Bloom\ReverseIndexBuilder(5, 10);
$builder->add(1, 'k');
Filter::load('index', $builder->build());
check(ReverseIndex::drop('a-reverse') && ReverseIndex::drop('index') && LoadedFilter::drop('ribbon'), 'classes with two kinds');

// Only Filter::drop() drops a filter whose kind cannot be read.
Filter::load('damaged', blob_of(['k']));
file_put_contents(in_segment('damaged/control'), 'x');
echo $drop(LoadedFilter::class, 'damaged'), "\n";
check(is_file(in_segment('damaged/0000000000000001.bloom')) && Filter::drop('damaged') === false, 'it is removed');
check(!file_exists(in_segment('damaged')), 'nothing is left of it');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
object(Bloom\LoadedFilter)#%d (3) {
  ["name"]=>
  string(1) "a"
  ["kind"]=>
  enum(Bloom\Kind::Loaded)
  ["generation"]=>
  int(1)
}
Bloom\LoadedFilter Object
(
    [name] => a
    [kind] => Bloom\Kind Enum:string
        (
            [name] => Loaded
            [value] => loaded
        )

    [generation] => 2
)
Bloom\LiveFilter Object
(
    [name] => a-live
    [kind] => Bloom\Kind Enum:string
        (
            [name] => Live
            [value] => live
        )

    [generation] => 1
)
Bloom\CountingFilter Object
(
    [name] => a-counting
    [kind] => Bloom\Kind Enum:string
        (
            [name] => Counting
            [value] => counting
        )

    [generation] => 1
)
Bloom\ScalableFilter Object
(
    [name] => a-scalable
    [kind] => Bloom\Kind Enum:string
        (
            [name] => Scalable
            [value] => scalable
        )

    [generation] => 1
)
Bloom\SlidingFilter Object
(
    [name] => a-sliding
    [kind] => Bloom\Kind Enum:string
        (
            [name] => Sliding
            [value] => sliding
        )

    [generation] => 1
)
Bloom\ReverseIndex Object
(
    [name] => a-reverse
    [kind] => Bloom\Kind Enum:string
        (
            [name] => Reverse
            [value] => reverse
        )

    [generation] => 1
)
Bloom\LoadedFilter Object
(
    [name] => a
    [generation] => 
)
Bloom\KindException: b: expected a live filter, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: b: expected a live reverse index, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: live: expected a counting filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\SegmentException: {segment}/damaged: control: this file is not a control page of the bloom extension
