--TEST--
If disable_classes names one class of the extension, all are disabled, and a warning says so
--DESCRIPTION--
fault: disable-classes
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (PHP_VERSION_ID >= 80500) {
    die('skip PHP 8.5 has no disable_classes');
}
?>
--INI--
bloom.path={TMP}/bloom-engine_disabled_classes
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';

$classes = array_filter(
    [...get_declared_classes(), ...get_declared_interfaces()],
    fn (string $class) => str_starts_with($class, 'Bloom\\'),
);
sort($classes);

// One filter of each class already exists.
$path = own_file('blob');
$blob = blob_of(keys('k', 10));
$blob->save($path);
foreach (KINDS as $kind) {
    made($kind, 100);
}
$store = own_file('store');
mkdir($store);
$blob->publish(new Bloom\DirectoryStore($store), 'ondemand');
Bloom\Filter::attach('ondemand', new Bloom\DirectoryStore($store), 1 << 20);

$code = <<<'CODE'
require $argv[1];
use Bloom\Builder;
use Bloom\Filter;

[, , $path, $store, $disabled] = $argv;
$steps = [
    'new' => fn () => (new ReflectionClass($disabled))->isInterface() || (new ReflectionClass($disabled))->isAbstract() || new $disabled,
    'instance' => fn () => (new ReflectionClass($disabled))->isInterface() || (new ReflectionClass($disabled))->isAbstract()
        || (new ReflectionClass($disabled))->newInstanceWithoutConstructor(),
    'unserialize' => fn () => @unserialize('O:' . strlen($disabled) . ":\"$disabled\":0:{}"),
    'builder' => fn () => (new Builder(10))->info(),
    'build' => fn () => blob_of(['k1']),
    'build index' => function () {
        $builder = new Bloom\ReverseIndexBuilder(5, 10);
        $builder->add(1, 'k1');
        $builder->build();
    },
    'read' => fn () => Bloom\Blob::open($path)->info(),
    'load' => fn () => Filter::load('loaded', Bloom\Blob::open($path)),
    'fetch' => fn () => Bloom\Blob::fetch(new Bloom\DirectoryStore($store), 'ondemand'),
    'export' => fn () => Filter::open('live')->export(),
    'candidates' => fn () => Filter::open('live')->candidates(['k1']),
    'health' => fn () => Filter::health('live'),
    'attach' => fn () => Filter::attach('ondemand', new Bloom\DirectoryStore($store), 1 << 20),
    'redis' => fn () => new Bloom\RedisStore(fn () => null),
    'memcached' => fn () => new Bloom\MemcachedStore(fn () => null),
];
foreach (['live', 'counting', 'scalable', 'sliding', 'reverse'] as $kind) {
    $steps["create $kind"] = fn () => made($kind, 100)->candidates(['k1', 'k2']);
}
foreach (['live', 'counting', 'scalable', 'sliding', 'reverse', 'ondemand'] as $name) {
    $steps["open $name"] = fn () => Filter::open($name)->mightContain('k1');
    $steps["info $name"] = fn () => Filter::open($name)->info();
}
$said = [];
foreach ($steps as $step => $call) {
    // PHP's own messages about classes without methods, parent and interfaces.
    $what = preg_replace('/^(Error|TypeError|Exception: Unserialization|ArgumentCountError|ReflectionException).*/', 'PHP refuses', thrown($call));
    $what === 'PHP refuses' || $what === 'nothing' && in_array($step, ['new', 'instance', 'unserialize', 'redis', 'memcached'], true) || print "$step: $what\n";
}
CODE;

foreach ($classes as $class) {
    $child = new Child($code, ['disable_classes' => $class], [__DIR__ . '/../lib/live.inc', $path, $store, $class]);
    $said = $child->end();
    check(str_contains($said, "The setting disable_classes names $class, so all classes of the extension bloom are disabled"), "$class: the warning");
    $said = preg_replace('/^\n?(PHP )?Warning:.*(The setting disable_classes|has been disabled for security reasons).*\n?/m', '', $said);
    check(trim($said) === '', "$class: $said");
}
echo count($classes) > 40 ? 'all classes' : 'some classes', "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
all classes
