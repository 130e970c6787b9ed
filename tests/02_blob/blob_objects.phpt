--TEST--
A blob cannot be copied, serialized or constructed, and attempts to do so do not crash
--DESCRIPTION--
fault: odd-objects
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$blob = blob_of(['a']);
foreach ([
    'new' => fn () => new Bloom\Blob,
    'without constructor' => fn () => (new ReflectionClass($blob))->newInstanceWithoutConstructor(),
    'constructor' => fn () => (new ReflectionMethod($blob, '__construct'))->invoke($blob),
    'clone' => fn () => clone $blob,
    'serialize' => fn () => serialize($blob),
    'unserialize O' => fn () => unserialize('O:10:"Bloom\Blob":0:{}'),
    'unserialize C' => fn () => unserialize('C:10:"Bloom\Blob":0:{}'),
    'unserialize in an array' => fn () => unserialize('a:1:{i:0;O:10:"Bloom\Blob":1:{s:5:"bytes";s:1:"x";}}'),
    'set' => fn () => $blob->bytes = 'x',
    'get' => fn () => @$blob->bytes,
    'isset' => fn () => isset($blob->bytes),
    'unset' => function () use ($blob) {
        unset($blob->bytes);
    },
    'offset' => fn () => $blob[0],
    'iterate' => function () use ($blob) {
        foreach ($blob as $value) {
            echo 'never';
        }
    },
    'cast' => fn () => (string) $blob,
    'key types' => fn () => $blob->mightContain([]),
    'no key' => fn () => $blob->mightContain(),
] as $name => $call) {
    echo "$name: ", @thrown($call), "\n";
}
var_dump($blob == blob_of(['a']), $blob === $blob, (array) $blob, json_encode($blob));
var_export(get_object_vars($blob));
$map = new WeakMap;
$map[$blob] = 1;
check(count($map) === 1 && WeakReference::create($blob)->get() === $blob, 'weak references');
unset($blob, $call);
check(count($map) === 0, 'it goes with its last reference');
?>
--EXPECT--
new: Error: Call to private Bloom\Blob::__construct() from global scope
without constructor: ReflectionException: Class Bloom\Blob is an internal class marked as final that cannot be instantiated without invoking its constructor
constructor: nothing
clone: Error: Trying to clone an uncloneable object of class Bloom\Blob
serialize: Exception: Serialization of 'Bloom\Blob' is not allowed
unserialize O: Exception: Unserialization of 'Bloom\Blob' is not allowed
unserialize C: Exception: Unserialization of 'Bloom\Blob' is not allowed
unserialize in an array: Exception: Unserialization of 'Bloom\Blob' is not allowed
set: Error: Cannot create dynamic property Bloom\Blob::$bytes
get: nothing
isset: nothing
unset: nothing
offset: Error: Cannot use object of type Bloom\Blob as array
iterate: nothing
cast: Error: Object of class Bloom\Blob could not be converted to string
key types: TypeError: Bloom\Blob::mightContain(): Argument #1 ($key) must be of type string|int, array given
no key: ArgumentCountError: Bloom\Blob::mightContain() expects exactly 1 argument, 0 given
bool(false)
bool(true)
array(0) {
}
string(2) "{}"
array (
)
