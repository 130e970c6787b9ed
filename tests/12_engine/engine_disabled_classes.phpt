--TEST--
A class in disable_classes throws where one of its objects would be created
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
require __DIR__ . '/../live.inc';

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
foreach (['live', 'counting', 'scalable', 'sliding', 'reverse', 'overlay', 'ondemand'] as $name) {
    $steps["open $name"] = fn () => Filter::open($name)->mightContain('k1');
    $steps["info $name"] = fn () => Filter::open($name)->info();
}
$said = [];
// Each provoked exception has its own class, unless that class is disabled.
foreach (['NotFoundException' => fn () => Filter::open('absent'), 'KindException' => fn () => Bloom\CountingFilter::open('sliding')] as $class => $call) {
    $thrown = thrown($call, true);
    $thrown === "Bloom\\$class" || $said["$thrown instead of $class"] = [];
}
foreach ($steps as $step => $call) {
    $what = thrown($call);
    // PHP's own messages about classes without methods, parent and interfaces.
    $what = preg_match('/^(Error|TypeError|Exception: Unserialization|ArgumentCountError|ReflectionException)/', $what) ? 'PHP refuses' : $what;
    // PHP versions differ in what they refuse here.
    $what === 'nothing' || $what === 'PHP refuses' && in_array($step, ['instance', 'unserialize'], true) || $said[$what][] = $step;
}
foreach ($said as $what => $steps) {
    echo "  $what", $steps === [] ? '' : "\n    " . implode(', ', $steps), "\n";
}
CODE;

foreach ($classes as $class) {
    echo "$class\n";
    $child = new Child($code, ['disable_classes' => $class, 'error_reporting' => E_ALL & ~E_WARNING], [__DIR__ . '/../live.inc', $path, $store, $class]);
    $said = $child->end();
    echo $said === '' ? '' : "$said\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\Blob
  Bloom\BloomException: The class Bloom\Blob is disabled: remove it from the setting disable_classes
    new, build, build index, export
  PHP refuses
    read, load, fetch
Bloom\BlobInfo
  Bloom\BloomException: The class Bloom\BlobInfo is disabled: remove it from the setting disable_classes
    new, read
Bloom\BloomException
  Exception instead of NotFoundException
  Exception instead of KindException
Bloom\Builder
  Bloom\BloomException: The class Bloom\Builder is disabled: remove it from the setting disable_classes
    new, builder, build
Bloom\BuilderInfo
  Bloom\BloomException: The class Bloom\BuilderInfo is disabled: remove it from the setting disable_classes
    new, builder
Bloom\BusyException
Bloom\CountersInfo
  Bloom\BloomException: The class Bloom\CountersInfo is disabled: remove it from the setting disable_classes
    new, info live, info counting, info scalable, info sliding, info reverse, info overlay, info ondemand
Bloom\CountingFilter
  Error instead of KindException
  Bloom\BloomException: The class Bloom\CountingFilter is disabled: remove it from the setting disable_classes
    new, open counting, info counting
  PHP refuses
    create counting
Bloom\DirectoryStore
  Bloom\BloomException: The class Bloom\DirectoryStore is disabled: remove it from the setting disable_classes
    new, fetch, attach
Bloom\Filter
  Error instead of NotFoundException
  PHP refuses
    load, export, candidates, health, attach, open live, info live, open counting, info counting, open scalable, info scalable, open sliding, info sliding, open reverse, info reverse, open overlay, info overlay, open ondemand, info ondemand
Bloom\FilterInfo
  Bloom\BloomException: The class Bloom\LiveInfo is disabled: remove it from the setting disable_classes
    info live, info counting
  Bloom\BloomException: The class Bloom\ScalableInfo is disabled: remove it from the setting disable_classes
    info scalable
  Bloom\BloomException: The class Bloom\SlidingInfo is disabled: remove it from the setting disable_classes
    info sliding
  Bloom\BloomException: The class Bloom\LiveIndexInfo is disabled: remove it from the setting disable_classes
    info reverse
  Bloom\BloomException: The class Bloom\LoadedInfo is disabled: remove it from the setting disable_classes
    info overlay
  Bloom\BloomException: The class Bloom\OnDemandInfo is disabled: remove it from the setting disable_classes
    info ondemand
Bloom\FormatException
Bloom\Health
  Bloom\BloomException: The class Bloom\Health is disabled: remove it from the setting disable_classes
    new, health
Bloom\HealthStatus
  PHP refuses
    new
Bloom\Info
  Bloom\BloomException: The class Bloom\BuilderInfo is disabled: remove it from the setting disable_classes
    builder
  Bloom\BloomException: The class Bloom\BlobInfo is disabled: remove it from the setting disable_classes
    read
  Bloom\BloomException: The class Bloom\Health is disabled: remove it from the setting disable_classes
    health
  Bloom\BloomException: The class Bloom\LiveInfo is disabled: remove it from the setting disable_classes
    info live, info counting
  Bloom\BloomException: The class Bloom\ScalableInfo is disabled: remove it from the setting disable_classes
    info scalable
  Bloom\BloomException: The class Bloom\SlidingInfo is disabled: remove it from the setting disable_classes
    info sliding
  Bloom\BloomException: The class Bloom\LiveIndexInfo is disabled: remove it from the setting disable_classes
    info reverse
  Bloom\BloomException: The class Bloom\LoadedInfo is disabled: remove it from the setting disable_classes
    info overlay
  Bloom\BloomException: The class Bloom\OnDemandInfo is disabled: remove it from the setting disable_classes
    info ondemand
Bloom\Journal
Bloom\JournalInfo
  Bloom\BloomException: The class Bloom\JournalInfo is disabled: remove it from the setting disable_classes
    new
Bloom\JournalStore
Bloom\Kind
  PHP refuses
    new
Bloom\KindException
  Bloom\BloomException instead of KindException
Bloom\LayerInfo
  Bloom\BloomException: The class Bloom\LayerInfo is disabled: remove it from the setting disable_classes
    new, info scalable
Bloom\LiveFilter
  Bloom\BloomException: The class Bloom\LiveFilter is disabled: remove it from the setting disable_classes
    new, export, candidates, open live, info live
  PHP refuses
    create live
Bloom\LiveIndexInfo
  Bloom\BloomException: The class Bloom\LiveIndexInfo is disabled: remove it from the setting disable_classes
    new, info reverse
Bloom\LiveInfo
  Bloom\BloomException: The class Bloom\LiveInfo is disabled: remove it from the setting disable_classes
    new, instance, info live, info counting
  Bloom\BloomException: The class Bloom\ScalableInfo is disabled: remove it from the setting disable_classes
    info scalable
  Bloom\BloomException: The class Bloom\SlidingInfo is disabled: remove it from the setting disable_classes
    info sliding
  Bloom\BloomException: The class Bloom\LiveIndexInfo is disabled: remove it from the setting disable_classes
    info reverse
Bloom\LoadedFilter
  Bloom\BloomException: The class Bloom\LoadedFilter is disabled: remove it from the setting disable_classes
    new, load, open overlay, info overlay
Bloom\LoadedIndexInfo
  Bloom\BloomException: The class Bloom\LoadedIndexInfo is disabled: remove it from the setting disable_classes
    new
Bloom\LoadedInfo
  Bloom\BloomException: The class Bloom\LoadedInfo is disabled: remove it from the setting disable_classes
    new, instance, info overlay
  Bloom\BloomException: The class Bloom\OnDemandInfo is disabled: remove it from the setting disable_classes
    info ondemand
Bloom\Membership
Bloom\MemcachedStore
  Bloom\BloomException: The class Bloom\MemcachedStore is disabled: remove it from the setting disable_classes
    new, memcached
Bloom\NotFoundException
  Bloom\BloomException instead of NotFoundException
Bloom\OnDemandFilter
  Bloom\BloomException: The class Bloom\OnDemandFilter is disabled: remove it from the setting disable_classes
    new, attach, open ondemand, info ondemand
Bloom\OnDemandInfo
  Bloom\BloomException: The class Bloom\OnDemandInfo is disabled: remove it from the setting disable_classes
    new, info ondemand
Bloom\OverlayInfo
  Bloom\BloomException: The class Bloom\OverlayInfo is disabled: remove it from the setting disable_classes
    new, info overlay
Bloom\RateException
Bloom\RedisStore
  Bloom\BloomException: The class Bloom\RedisStore is disabled: remove it from the setting disable_classes
    new, redis
Bloom\ReverseIndex
  Bloom\BloomException: The class Bloom\ReverseIndex is disabled: remove it from the setting disable_classes
    new, open reverse, info reverse
  PHP refuses
    create reverse
Bloom\ReverseIndexBuilder
  Bloom\BloomException: The class Bloom\ReverseIndexBuilder is disabled: remove it from the setting disable_classes
    new, build index
Bloom\ScalableFilter
  Bloom\BloomException: The class Bloom\ScalableFilter is disabled: remove it from the setting disable_classes
    new, open scalable, info scalable
  PHP refuses
    create scalable
Bloom\ScalableInfo
  Bloom\BloomException: The class Bloom\ScalableInfo is disabled: remove it from the setting disable_classes
    new, info scalable
Bloom\Scheme
  PHP refuses
    new
Bloom\SecretException
Bloom\SegmentException
Bloom\SignatureException
Bloom\SlidingFilter
  Bloom\BloomException: The class Bloom\SlidingFilter is disabled: remove it from the setting disable_classes
    new, open sliding, info sliding
  PHP refuses
    create sliding
Bloom\SlidingInfo
  Bloom\BloomException: The class Bloom\SlidingInfo is disabled: remove it from the setting disable_classes
    new, info sliding
Bloom\Status
  PHP refuses
    new
Bloom\Store
Bloom\StoreException
Bloom\SyncResult
  PHP refuses
    new
Bloom\Version
  Bloom\BloomException: The class Bloom\Version is disabled: remove it from the setting disable_classes
    new
