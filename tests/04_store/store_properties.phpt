--TEST--
A store whose properties were written past PHP's checks works as before or throws, but never finds nothing
--DESCRIPTION--
fault: store-properties
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_properties
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/predis_fake.inc';
use Bloom\{DirectoryStore, RedisStore};

final class OneValue implements Predis\ClientInterface
{
    use AnswersScripts;

    private array $values = ['p:a' => 'value'];
}
(new DirectoryStore(own_file()))->set('a', 'value');
$wrappers = [ArrayObject::class, ArrayIterator::class];
foreach ([DirectoryStore::class => ['directory'], RedisStore::class => ['client', 'prefix']] as $class => $names) {
    foreach ($names as $name) {
        foreach ([null, [], new stdClass, 'unset'] as $value) {
            foreach (['array_walk', ...$wrappers] as $how) {
                $store = $class === DirectoryStore::class ? new $class(own_file()) : new $class(new OneValue, 'p:');
                $offset = "\0$class\0$name";
                // PHP 8.5 and 8.6 deprecate these ways.
                $write = function () use ($how, $store, $offset, $value) {
                    if ($how === 'array_walk') {
                        @array_walk($store, function (&$slot, $key) use ($offset, $value) {
                            $key === $offset && $value !== 'unset' && $slot = $value;
                        });
                        return;
                    }
                    $array = @new $how($store);
                    if ($value === 'unset') {
                        unset($array[$offset]);
                    } else {
                        $array[$offset] = $value;
                    }
                };
                thrown($write);
                $found = null;
                $said = thrown(function () use (&$found, $store) {
                    $found = $store->getMultiple(['a']);
                }, true);
                check($found === ['a' => 'value'] || in_array($said, ['Error', 'TypeError', 'Bloom\StoreException'], true),
                    "$class, $name, $how: " . json_encode([$value, $found, $said]));
                print_r($store, true);
            }
        }
    }
}
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
