--TEST--
info() of every kind sets each property of the documented type, cannot be changed, and encodes as JSON with all of them
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-info_objects
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\{Blob, Builder, DirectoryStore, Filter, Info, Journal, ReverseIndexBuilder};

mkdir(own_file('store'));
$store = new DirectoryStore(own_file('store'));
$blob = chunked(keys('k', 8000));
$index = new ReverseIndexBuilder(5, 100);
$index->add(3, 'key');
$journal = new Journal('followed', $store);
(new Builder(10))->build(mark: $journal->mark())->publish($store, 'followed');
Filter::sync('followed', $store, 0);
$demand = Filter::attach('large', store_of($blob), memory_for($blob, 4));

$infos = [
    (new Builder(1000))->info(),
    (new Builder(1000, 0.01, scheme: Bloom\Scheme::Ribbon))->info(),
    $index->info(),
    $blob->info(),
    Filter::load('loaded', $blob)->info(),
    Filter::load('index', $index->build())->info(),
    Filter::open('followed')->info(),
    ...Blob::versions($store, 'followed', verify: true),
    $demand->info(),
    Filter::health('missing'),
    Filter::health('followed', store: $store),
    ...array_map(fn (string $kind) => made($kind)->info(), ['live', 'counting', 'scalable', 'sliding', 'reverse']),
];

/** Returns what reading a property gives for enums and objects in JSON. */
function plain(mixed $value): mixed
{
    return match (true) {
        $value instanceof BackedEnum => $value->value,
        $value instanceof Info => plain($value->jsonSerialize()),
        is_array($value) => array_map(plain(...), $value),
        default => $value,
    };
}

$seen = [];
function inspect(Info $info): void
{
    global $seen;
    $class = $info::class;
    $seen[$class] = true;
    $values = [];
    foreach ((new ReflectionClass($info))->getProperties() as $property) {
        $title = "$property->class::\$$property->name";
        check($property->isPublic() && $property->isReadOnly() && !$property->isStatic(), "$title is readonly");
        check($property->isInitialized($info), "$title has a value");
        $value = $values[$property->name] = $property->getValue($info);
        $type = $property->getType();
        // The engine does not check what an extension writes into a property.
        $name = is_object($value) ? $value::class : get_debug_type($value);
        check($value === null ? $type->allowsNull() : is_a($name, $type->getName(), true) || $name === $type->getName(), "$title is a $type, not a $name");
        check(thrown(fn () => $info->{$property->name} = $value) === "Error: Cannot modify readonly property $title", "$title cannot be set");
        check(str_starts_with(thrown(function () use ($info, $property) {
            unset($info->{$property->name});
        }), 'Error: Cannot unset readonly'), "$title cannot be removed");
        foreach (is_array($value) ? $value : [$value] as $part) {
            if ($part instanceof Info) {
                inspect($part);
            }
        }
    }
    check(get_object_vars($info) === $values, "$class has no other properties");
    if (isset($values['seed'])) {
        $values['seed'] = (string) $values['seed']; // 64 bits are more than many readers of JSON keep
    }
    check($info->jsonSerialize() === $values, "$class::jsonSerialize() has every property");
    check(json_decode(json_encode($info, JSON_PRESERVE_ZERO_FRACTION), true) === plain($values), "$class as JSON");
    check(thrown(fn () => $info->more = 1) === "Error: Cannot create dynamic property $class::\$more", "$class takes no other property");
    check(str_starts_with(thrown(fn () => serialize($info)), 'Exception: Serialization of'), "$class cannot be serialized");
    check(str_starts_with(thrown(fn () => new $class), 'Error: '), "$class has no public constructor");
}

array_map(inspect(...), $infos);

// No class is forgotten.
$classes = array_filter(array_keys((new ReflectionExtension('bloom'))->getClasses()), fn (string $class) => is_a($class, Info::class, true)
    && !(new ReflectionClass($class))->isAbstract());
sort($classes);
foreach ($classes as $class) {
    echo $class, isset($seen[$class]) ? '' : ': not returned by any info()', "\n";
}

// A name that does not exist gives PHP's usual warning and no value.
var_dump(@$infos[0]->capaciti);
echo error_get_last()['message'], "\n";

// Values of a few, so that no property can hold another's value.
[$builder, $ribbon, , $head, $loaded] = $infos;
echo "$builder->capacity $builder->falsePositiveRate {$builder->scheme->name} {$ribbon->scheme->name} $ribbon->stripes\n";
echo "$head->keys $head->builtAt $loaded->name {$loaded->kind->name}\n";
check($head->checksum === $loaded->checksum && $loaded->bytes === $head->bytes, 'the filter is the blob');
echo $infos[6]->journal::class, " {$infos[6]->journal->maxLag}\n";
clean();
?>
--EXPECT--
Bloom\BlobInfo
Bloom\BuilderInfo
Bloom\CountersInfo
Bloom\Health
Bloom\JournalInfo
Bloom\LiveInfo
Bloom\LoadedInfo
Bloom\OnDemandInfo
Bloom\Version
NULL
Undefined property: Bloom\BuilderInfo::$capaciti
1000 0.01 Bloom Ribbon 18
7987 1700000000 loaded Loaded
Bloom\JournalInfo 60
