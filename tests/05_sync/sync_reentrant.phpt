--TEST--
A store may sync, load or drop the same name from inside its methods
--DESCRIPTION--
fault: store-reenters
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_reentrant
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$make = function (callable $inside, bool $at_head) {
    static $built = 1_700_000_000;
    $store = new ScriptedStore;
    chunked(keys('new', 3000), builtAt: $built++)->publish($store, 'booth');
    $once = true;
    $store->script = function (string $called, mixed $keys) use (&$once, $inside, $at_head, $store) {
        if ($once && (end($keys) === 'booth') === $at_head) {
            $once = false;
            $inside($store);
        }
    };
    return $store;
};
foreach ([
    'sync' => function ($store) {
        check(switched(Filter::sync('booth', $store, 0)) === false, 'the inner sync is not elected');
    },
    'load' => fn () => Filter::load('booth', chunked(keys('inner', 3000), builtAt: 5)),
    'newer load' => fn () => Filter::load('booth', chunked(keys('inner', 3000), builtAt: 1_760_000_000)),
    'drop' => fn () => Filter::drop('booth'),
    'drop and load' => function () {
        Filter::drop('booth');
        Filter::load('booth', chunked(keys('inner', 3000), builtAt: 5));
    },
    'lookup' => fn () => check(Filter::open('booth')->mightContain('old1'), 'a lookup inside the sync works'),
    'other sync' => function () {
        $other = new ScriptedStore;
        chunked(['x'])->publish($other, 'other');
        Filter::drop('other');
        check(switched(Filter::sync('other', $other, 0)), 'an inner sync of another name works');
    },
    'publish' => fn ($store) => chunked(keys('newest', 3000), builtAt: 1_750_000_000)->publish($store, 'booth'),
    'collect' => fn () => gc_collect_cycles(),
] as $name => $inside) {
    foreach ([true, false] as $at_head) {
        Filter::drop('booth');
        $booth = Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
        $text = thrown(fn () => print(json_encode(switched(Filter::sync('booth', $make($inside, $at_head), 0))) . ' '));
        $found = array_filter(['old', 'new', 'inner', 'newest'], fn ($prefix) => Filter::find('booth')?->candidates(keys($prefix, 3000)) === keys($prefix, 3000));
        echo "$name ", $at_head ? 'at the head' : 'at the chunks', ": $text, served: ", implode(' ', $found), "\n";
        $lease = unpack('P', file_get_contents(in_segment('booth/control'), offset: 40, length: 8))[1] ?? 0;
        check($lease === 0, "$name: the lease was released");
        check(!preg_grep('/tmp$/', tree(segment_path())), "$name: no staged file is left");
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
true sync at the head: nothing, served: new
true sync at the chunks: nothing, served: new
true load at the head: nothing, served: new
true load at the chunks: nothing, served: new
newer load at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: inner
newer load at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: inner
true drop at the head: nothing, served: new
true drop at the chunks: nothing, served: new
true drop and load at the head: nothing, served: new
true drop and load at the chunks: nothing, served: new
true lookup at the head: nothing, served: new
true lookup at the chunks: nothing, served: new
true other sync at the head: nothing, served: new
true other sync at the chunks: nothing, served: new
true publish at the head: nothing, served: newest
true publish at the chunks: nothing, served: new
true collect at the head: nothing, served: new
true collect at the chunks: nothing, served: new
