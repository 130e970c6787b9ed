--TEST--
Objects of every class withstand copies, crafted serializations, dumps, weak maps and cycles
--DESCRIPTION--
fault: odd-objects, odd-store-class, store-properties
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-engine_objects
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Builder, DirectoryStore, Filter, Journal, LoadedFilter, MapBuilder, MemcachedStore, RedisStore, ReverseIndexBuilder};

// The stores accept clients of these classes.
require __DIR__ . '/../lib/predis_fake.inc';
class_exists('Memcached') || eval('class Memcached { const RES_SUCCESS = 0; const RES_NOTFOUND = 16; const OPT_BUFFER_WRITES = 1; const OPT_NOREPLY = 2; }');

$blob = chunked(['a', 'b']);
$blob->publish($store = new ScriptedStore, 'demand');
mkdir(own_file('store'));
$objects = [
    new Builder(10), new ReverseIndexBuilder(5, 10), $blob, new DirectoryStore(own_file('store')),
    new Journal('tags', new DirectoryStore(own_file('store'))),
    Filter::load('loaded', $blob), new MapBuilder(10, 3), Filter::load('map', (new MapBuilder(10, 3))->build()), Filter::attach('demand', $store, 1 << 20),
    ...array_map(fn ($kind) => made($kind), ['live', 'counting', 'scalable', 'sliding', 'reverse']),
];
$by_class = [];
foreach ($objects as $object) {
    $by_class[$object::class] = $object;
}

// The list must have every class of the extension, so that no new class is forgotten. Enums are PHP's, and
// info_objects.phpt has the objects that info() returns.
$rest = [];
foreach ((new ReflectionExtension('bloom'))->getClasses() as $class) {
    $name = $class->getName();
    if (isset($by_class[$name])) {
        check($class->isFinal() && !$class->isCloneable() === !$object instanceof DirectoryStore || $name === DirectoryStore::class, "$name is final");
    } elseif (!array_filter([Throwable::class, UnitEnum::class, Bloom\Info::class], fn (string $kind) => is_a($name, $kind, true))) {
        $rest[] = $name;
    }
}
sort($rest);
echo 'not instantiated here: ', implode(', ', $rest), "\n";

// Objects cannot be created without a constructor, nor from any serialized form.
$crafted = fn (string $name) => [
    sprintf('O:%d:"%s":0:{}', strlen($name), $name),
    sprintf('O:%d:"%s":1:{s:9:"directory";s:4:"/etc";}', strlen($name), $name),
    sprintf('O:%d:"%s":1:{s:%d:"%s";s:4:"/etc";}', strlen($name), $name, strlen($name) + 11, "\0$name\0directory"),
    sprintf('O:%d:"%s":1000000:{s:1:"x";i:1;}', strlen($name), $name),
    sprintf('C:%d:"%s":3:{abc}', strlen($name), $name),
    sprintf('E:%d:"%s:A";', strlen($name) + 2, $name),
    sprintf('a:2:{i:0;O:%d:"%s":0:{}i:1;R:2;}', strlen($name), $name),
    sprintf('O:8:"stdClass":1:{s:1:"x";O:%d:"%s":1:{s:1:"y";r:1;}}', strlen($name), $name),
    sprintf('O:11:"ArrayObject":4:{i:0;i:0;i:1;O:%d:"%s":0:{}i:2;a:0:{}i:3;N;}', strlen($name), $name),
    sprintf('O:%d:"%s":1:{s:1:"x";O:%2$s', strlen($name), $name),
    sprintf('O:%d:"%s"', strlen($name), $name),
    sprintf('O:%d:"%s":-1:{}', strlen($name), $name),
];
foreach ([...array_keys($by_class), Filter::class, Bloom\Store::class, RedisStore::class, MemcachedStore::class] as $name) {
    $class = new ReflectionClass($name);
    $said = thrown(fn () => $class->newInstanceWithoutConstructor(), true);
    check($said !== 'nothing', "$name without constructor");
    foreach ($crafted($name) as $text) {
        foreach ([[], ['allowed_classes' => [$name]]] as $options) {
            $made = null;
            $said = thrown(function () use (&$made, $text, $options) {
                $made = @unserialize($text, $options);
            }, true);
            check($said !== 'nothing' || $made === false, "$name: $text gave something");
            unset($made);
        }
        $hidden = @unserialize($text, ['allowed_classes' => false]);
        check(!$hidden instanceof $name, "$name is not made when it is not allowed");
        unset($hidden);
    }
}

// Whatever code does to the properties of a store, also through PHP's functions that skip checks, the store keeps its values.
final class MemoryClient extends Memcached implements Predis\ClientInterface
{
    use AnswersScripts;
    public array $values = [];
    public mixed $owner = null;
    public function __construct()
    {
    }
    public function getMulti(array $keys, int $flags = 0): array|false
    {
        return array_intersect_key($this->values, array_flip($keys));
    }
    public function set(string $key, mixed $value, int $expiration = 0): bool
    {
        $this->values[$key] = $value;
        return true;
    }
    public function delete(string $key, int $time = 0): bool
    {
        unset($this->values[$key]);
        return true;
    }
    public function getResultCode(): int
    {
        return 0;
    }
    public function getLastErrorCode(): int
    {
        return 0;
    }
    public function getOption(int $option): mixed
    {
        return 0;
    }
}
$stores = ['directory' => fn () => new DirectoryStore(own_file('store'))];
foreach ([RedisStore::class, MemcachedStore::class] as $class) {
    $stores["$class, client"] = fn () => new $class(new MemoryClient, 'p:');
    $stores["$class, closure"] = fn () => new $class(function () {
        static $client = new MemoryClient;
        return $client;
    });
}
$names = fn (object $o, string $name) => [$name, "\0*\0$name", "\0" . $o::class . "\0$name", "\0\0$name"];
$attacks = [
    'array_walk' => fn (object $o) => array_walk($o, function (&$value) {
        $value = 5;
    }),
    'array_walk_recursive' => fn (object $o) => array_walk_recursive($o, fn ($value) => null),
    'references' => function (object $o) {
        foreach ($o as &$value) {
            $value = 5;
        }
    },
    'iterate' => fn (object $o) => iterator_to_array(new ArrayIterator($o)),
    'write' => fn (object $o, string $name) => $o->$name = 5,
    'refer' => function (object $o, string $name) {
        $value = &$o->$name;
        $value = null;
    },
    'unset' => function (object $o, string $name) {
        unset($o->$name);
    },
    'bind' => fn (object $o, string $name) => Closure::bind(fn () => $this->$name = 5, $o, $o::class)(),
    'bind without scope' => fn (object $o, string $name) => Closure::bind(fn () => $this->$name = 5, $o)(),
    'reflection' => fn (object $o, string $name) => (new ReflectionProperty($o, $name))->setValue($o, 5),
    'state' => fn (object $o) => $o::__set_state(['directory' => 5]),
    'wakeup' => fn (object $o) => $o->__unserialize(['directory' => 5]),
    'constructor' => fn (object $o) => $o->__construct($o instanceof DirectoryStore ? '/' : new MemoryClient, ...$o instanceof DirectoryStore ? [] : ['q:']),
];
foreach ([ArrayObject::class, ArrayIterator::class] as $wrapper) {
    $attacks["$wrapper, write"] = function (object $o, string $name) use ($wrapper, $names) {
        $array = new $wrapper($o);
        foreach ($names($o, $name) as $offset) {
            thrown(function () use ($array, $offset) {
                $array[$offset] = 5;
            });
        }
    };
    $attacks["$wrapper, unset"] = function (object $o, string $name) use ($wrapper, $names) {
        $array = new $wrapper($o);
        foreach ($names($o, $name) as $offset) {
            thrown(function () use ($array, $offset) {
                unset($array[$offset]);
            });
        }
    };
}
$use = function (object $store, string $what): void {
    $store->set('a', 'one');
    check($store->getMultiple(['a', 'b']) === ['a' => 'one'] && $store->missing(['a', 'b']) === ['b'], "$what: it reads what it wrote");
    $store->deleteMultiple(['a']);
    check($store->getMultiple(['a']) === [] && $store->missing(['a']) === ['a'], "$what: it deletes");
};
foreach ($stores as $kind => $make) {
    foreach ($attacks as $attack => $call) {
        foreach ($attack === 'array_walk' || $attack === 'constructor' ? ['directory'] : ['directory', 'client', 'prefix', 'other'] as $name) {
            $store = $make();
            $same = clone $store;
            @thrown(fn () => $call($store, $name));
            $use($store, "$kind, $attack, $name");
            $use($same, "$kind, copy, $attack, $name");
            $use(clone $store, "$kind, $attack, $name, copy");
            check($store == clone $store && $store != new ArrayObject, "$kind, $attack, $name: equal");
        }
    }
    $store = $make();
    ob_start();
    var_dump($store);
    var_export($store);
    check(preg_match('/MemoryClient Object|values|owner/', ob_get_clean()) === 0, "$kind: a dump does not show the client's inside");
}
check(tree(own_file('store')) === [], 'what was written there was deleted there');

// An error handler gets the object while its constructor converts arguments. Its methods then throw.
set_error_handler(function () use ($blob) {
    $object = debug_backtrace(limit: 2)[1]['object'];
    foreach (['getMultiple' => [['a']], 'missing' => [['a']], 'set' => ['a', 'b'], 'deleteMultiple' => [['a']]] as $method => $arguments) {
        echo 'bare ', $object::class, "::$method: ", thrown(fn () => $object->$method(...$arguments)), "\n";
    }
    foreach ([fn () => Filter::sync('bare', $object, 0), fn () => $blob->publish($object, 'bare'), fn () => Filter::attach('bare', $object, 1 << 20),
        fn () => check((clone $object) != $object, 'a bare copy')] as $call) {
        echo 'bare ', $object::class, ': ', thrown($call), "\n";
    }
    print_r($object, true);
    return true;
});
foreach ([fn () => new DirectoryStore(null), fn () => new RedisStore(new MemoryClient, null), fn () => new MemcachedStore(new MemoryClient, null)] as $call) {
    thrown($call);
}
restore_error_handler();

// A class of the user that extends a base class has no operations.
foreach ([new class extends Bloom\BuiltInStore {}, new class extends Bloom\BuiltInJournalStore {}] as $object) {
    foreach (['getMultiple' => [[]], 'missing' => [[]], 'set' => ['a', 'b'], 'replace' => ['a', null, 'b'], 'deleteMultiple' => [[]],
        'append' => ['a', []], 'last' => ['a'], 'read' => [[], 1], 'trim' => ['a', 'b']] as $method => $arguments) {
        if (method_exists($object, $method)) {
            $thrown = thrown(fn () => $object->$method(...$arguments));
            check($thrown === 'Bloom\BloomException: This store was never constructed', get_parent_class($object) . "::$method: $thrown");
        }
    }
}

// A cycle through a client or a closure is found.
foreach ([RedisStore::class, MemcachedStore::class] as $class) {
    $client = new MemoryClient;
    $client->owner = new $class($client);
    $closed = WeakReference::create($client);
    $holder = new stdClass;
    $holder->store = new $class(fn () => $holder);
    $open = WeakReference::create($holder);
    unset($client, $holder);
    gc_collect_cycles();
    check($closed->get() === null && $open->get() === null, "$class: a cycle is found");
}

// Working objects: refused operations throw, and dumps contain no bits of the filter.
$refused = [
    'clone' => fn (object $o) => clone $o,
    'serialize' => fn (object $o) => serialize($o),
    'serialize in an array' => fn (object $o) => serialize([$o, [$o]]),
    'constructor' => fn (object $o) => $o->__construct(5, 10),
    'new property' => fn (object $o) => $o->other = 1,
    'offset' => fn (object $o) => $o[0],
    'text' => fn (object $o) => (string) $o,
    'call' => fn (object $o) => $o(),
    'no such method' => fn (object $o) => $o->reset(),
];
foreach ($by_class as $name => $object) {
    $said = array_map(fn (Closure $call) => thrown(fn () => $call($object), true), $refused);
    echo $name, ': ', implode(' ', array_unique(array_values($said))), "\n";
    foreach (array_keys($said, 'nothing') as $what) {
        echo "  allowed: $what\n";
    }
    ob_start();
    var_dump($object);
    print_r($object);
    var_export($object);
    debug_zval_dump($object);
    $shown = ob_get_clean();
    check(strlen($shown) < 1000, "$name shows nothing of its inside");
    json_encode($object);
    check(count((array) $object) <= 1 && get_object_vars($object) === [] && count(get_mangled_object_vars($object)) <= 1, "$name has no properties to see");
    foreach ($object as $value) {
        check(false, "$name gives nothing to foreach");
    }
    foreach ($objects as $other) {
        check(($object == $other) === ($object === $other) || $object::class === $other::class, "$name compared");
        $order = $object <=> $other;
    }
    unset($object->nothing);
    check(!isset($object->nothing) && @$object->nothing === null, "$name has none");
    $map = new WeakMap;
    $map[$object] = $object::class;
    $storage = new SplObjectStorage;
    $storage[$object] = $map;
    check($map[$object] === $name && WeakReference::create($object)->get() === $object && $storage->offsetExists($object), "$name by weak reference");
}

// Reference cycles through these objects, and objects that are freed while others refer to them.
gc_collect_cycles();
for ($i = 0; $i < 100; $i++) {
    $holder = new stdClass;
    $holder->self = $holder;
    $holder->objects = [new Builder(10), Filter::open('loaded'), Blob::fromString($blob->toString()), made('live'), new DirectoryStore(own_file('store'))];
    unset($holder);
}
check(gc_collect_cycles() >= 100, 'cycles are found');
$map = new WeakMap;
foreach ([new Builder(10), Blob::fromString($blob->toString()), Filter::open('loaded')] as $object) {
    $map[$object] = $object::class;
}
unset($object);
check(count($map) === 0, 'they go with their last reference: ' . count($map));

// An enum can be a store, and so can an anonymous class or one that wraps a closure's object.
enum Shelf implements Bloom\Store
{
    case One;
    public function getMultiple(array $keys): array
    {
        return [];
    }
    public function missing(array $keys): array
    {
        return [];
    }
    public function set(string $key, string $value): void
    {
    }
    public function replace(string $key, ?string $expected, string $value): bool
    {
        return true;
    }
    public function deleteMultiple(array $keys): void
    {
    }
}
echo thrown(fn () => Filter::sync('enum', Shelf::One, 0)), "\n";

// A user's class that extends an abstract class: none of its methods works, and none crashes.
final class Mine extends Filter
{
    public int $own = 1;
    public function __construct()
    {
    }
}
$mine = new Mine;
$arguments = ['mightContain' => ['a'], 'candidates' => [['a']]];
foreach ((new ReflectionClass($mine))->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
    if (!$method->isStatic() && !$method->isConstructor()) {
        echo "Mine::{$method->getName()}: ", thrown(fn () => $method->invoke($mine, ...$arguments[$method->getName()] ?? [])), "\n";
    }
}
foreach (['clone' => fn () => clone $mine, 'unserialize' => fn () => unserialize('O:4:"Mine":1:{s:3:"own";i:2;}')] as $what => $call) {
    echo "Mine, $what: ", thrown($call), "\n";
}
check(str_contains(thrown(fn () => Mine::open('loaded')), 'Mine is a class that you define'), 'no filter is one of Mine');

// All objects still work afterwards.
check($by_class[LoadedFilter::class]->mightContain('a') && $blob->mightContain('a') && $by_class[Builder::class]->add('x'), 'they work');
foreach (['live', 'counting', 'scalable', 'sliding', 'reverse'] as $kind) {
    check(put(Filter::open($kind), 'a') && held(Filter::open($kind), 'a'), "$kind works");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
not instantiated here: Bloom\BuiltInJournalStore, Bloom\BuiltInStore, Bloom\Filter, Bloom\JournalStore, Bloom\Layout, Bloom\Membership, Bloom\MemcachedStore, Bloom\RedisStore, Bloom\Store, Bloom\WritableFilter
bare Bloom\DirectoryStore::getMultiple: Bloom\BloomException: This store was never constructed
bare Bloom\DirectoryStore::missing: Bloom\BloomException: This store was never constructed
bare Bloom\DirectoryStore::set: Bloom\BloomException: This store was never constructed
bare Bloom\DirectoryStore::deleteMultiple: Bloom\BloomException: This store was never constructed
bare Bloom\DirectoryStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\DirectoryStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\DirectoryStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\DirectoryStore: nothing
bare Bloom\RedisStore::getMultiple: Bloom\BloomException: This store was never constructed
bare Bloom\RedisStore::missing: Bloom\BloomException: This store was never constructed
bare Bloom\RedisStore::set: Bloom\BloomException: This store was never constructed
bare Bloom\RedisStore::deleteMultiple: Bloom\BloomException: This store was never constructed
bare Bloom\RedisStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\RedisStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\RedisStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\RedisStore: nothing
bare Bloom\MemcachedStore::getMultiple: Bloom\BloomException: This store was never constructed
bare Bloom\MemcachedStore::missing: Bloom\BloomException: This store was never constructed
bare Bloom\MemcachedStore::set: Bloom\BloomException: This store was never constructed
bare Bloom\MemcachedStore::deleteMultiple: Bloom\BloomException: This store was never constructed
bare Bloom\MemcachedStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\MemcachedStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\MemcachedStore: Bloom\StoreException: the store failed: Bloom\BloomException: This store was never constructed
bare Bloom\MemcachedStore: nothing
Bloom\Builder: Error Exception Bloom\BloomException
Bloom\ReverseIndexBuilder: Error Exception Bloom\BloomException
Bloom\Blob: Error Exception
Bloom\DirectoryStore: nothing Exception ArgumentCountError Error
  allowed: clone
Bloom\Journal: Error Exception TypeError
Bloom\LoadedFilter: Error Exception
Bloom\MapBuilder: Error Exception Bloom\BloomException
Bloom\LoadedMap: Error Exception
Bloom\OnDemandFilter: Error Exception
Bloom\LiveFilter: Error Exception
Bloom\CountingFilter: Error Exception
Bloom\ScalableFilter: Error Exception
Bloom\SlidingFilter: Error Exception
Bloom\ReverseIndex: Error Exception
Bloom\StoreException: enum: missing from the store
Mine::name: Bloom\BloomException: This filter was never opened
Mine::mightContain: Bloom\BloomException: This filter was never opened
Mine::candidates: Bloom\BloomException: This filter was never opened
Mine::isComplete: Bloom\BloomException: This filter was never opened
Mine::followsJournal: Bloom\BloomException: This filter was never opened
Mine::source: Bloom\BloomException: This filter was never opened
Mine::info: Bloom\BloomException: This filter was never opened
Mine::shards: Bloom\BloomException: This filter was never opened
Mine::confirm: ArgumentCountError: Bloom\Filter::confirm() expects at least 2 arguments, 0 given
Mine::history: Bloom\BloomException: This filter was never opened
Mine::activity: Bloom\BloomException: This filter was never opened
Mine, clone: Error: Trying to clone an uncloneable object of class Mine
Mine, unserialize: Exception: Unserialization of 'Mine' is not allowed
