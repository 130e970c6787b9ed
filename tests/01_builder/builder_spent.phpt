--TEST--
A builder cannot be used after build(), and only its constructor creates one
--DESCRIPTION--
fault: odd-objects
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$spent = new Bloom\Builder(10);
$spent->build();
echo thrown(fn () => $spent->add('a')), "\n";
echo thrown(fn () => $spent->addMany(['a'])), "\n";
echo thrown(fn () => $spent->addMany([])), "\n";
echo thrown(fn () => $spent->addFile('data:,a')), "\n";
echo thrown(fn () => $spent->build()), "\n";
echo thrown(fn () => $spent->info()), "\n";
echo thrown(fn () => $spent->__construct(10)), "\n";
$builder = new Bloom\Builder(10);
echo thrown(fn () => $builder->__construct(10)), "\n";
check($builder->add('a'), 'it still works');

foreach ([
    'without constructor' => fn () => (new ReflectionClass($builder))->newInstanceWithoutConstructor(),
    'clone' => fn () => clone $builder,
    'serialize' => fn () => serialize($builder),
    'unserialize' => fn () => unserialize('O:13:"Bloom\Builder":0:{}'),
    'property' => fn () => $builder->other = 1,
] as $name => $call) {
    echo "$name: ", @thrown($call), "\n";
}
var_dump($builder);
var_dump((array) $builder, json_encode($builder), $builder == $spent);
check((new ReflectionClass(Bloom\Builder::class))->isFinal(), 'final');
?>
--EXPECT--
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: This builder is already constructed
Bloom\BloomException: This builder is already constructed
without constructor: ReflectionException: Class Bloom\Builder is an internal class marked as final that cannot be instantiated without invoking its constructor
clone: Error: Trying to clone an uncloneable object of class Bloom\Builder
serialize: Exception: Serialization of 'Bloom\Builder' is not allowed
unserialize: Exception: Unserialization of 'Bloom\Builder' is not allowed
property: Error: Cannot create dynamic property Bloom\Builder::$other
object(Bloom\Builder)#3 (0) {
}
array(0) {
}
string(2) "{}"
bool(false)
