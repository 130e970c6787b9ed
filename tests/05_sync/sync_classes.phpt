--TEST--
Any class can be a store, even with untyped methods, or if the caller loses its last reference during the call
--DESCRIPTION--
fault: odd-store-class, store-corrupt
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_classes
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

// Untyped parameters, covariant returns and returns by reference are legal implementations.
final class Loose implements Bloom\Store
{
    public array $values = [];

    public function &getMultiple($keys): array
    {
        $found = [];
        foreach ($keys as &$key) {
            if (isset($this->values[$key])) {
                $found[$key] = &$this->values[$key];
            }
        }
        return $found;
    }

    public function &missing($keys): array
    {
        $left = array_values(array_diff($keys, array_keys($this->values)));
        $missing = array_combine($left, $left);
        return $missing;
    }

    public function set($key, $value): void
    {
        $this->values[$key] = $value;
    }

    public function replace($key, $expected, $value): bool
    {
        if (($this->values[$key] ?? null) !== $expected) {
            return false;
        }
        $this->values[$key] = $value;
        return true;
    }

    public function deleteMultiple($keys): void
    {
        foreach ($keys as $key) {
            unset($this->values[$key]);
        }
    }

    public function __destruct()
    {
        echo "destroyed\n";
    }
}
$store = new Loose;
chunked(keys('k', 3000))->publish($store, 'booth');
var_dump(switched(Filter::sync('booth', $store, 0)), Filter::open('booth')->mightContain('k1'));

// PHP converts these names to ints when they are array keys.
$scripted = new ScriptedStore;
chunked(keys('n', 3000))->publish($scripted, '42');
var_dump(switched(Filter::sync('42', $scripted, 0)), Filter::open('42')->mightContain('n1'), Bloom\Blob::fetch($scripted, '42')->mightContain('n1'), Filter::list());

// The last variable that refers to the store is cleared in the middle of the call.
$holder = new stdClass;
$holder->store = new class implements Bloom\Store {
    public ?stdClass $holder = null;
    public function getMultiple(array $keys): array
    {
        $this->holder->store = null;
        return [];
    }
    public function missing(array $keys): array
    {
        $this->holder->store = null;
        return $keys;
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
};
$holder->store->holder = $holder;
echo thrown(fn () => Filter::sync('gone', $holder->store, 0)), "\n";
foreach ([null, new stdClass, 'store', fn () => 1] as $wrong) {
    echo thrown(fn () => Filter::sync('booth', $wrong)), "\n";
    echo thrown(fn () => Bloom\Blob::fetch($wrong, 'booth')), "\n";
    echo thrown(fn () => blob_of([])->publish($wrong, 'booth')), "\n";
}
$store = null;
echo "end\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
array(2) {
  [0]=>
  string(2) "42"
  [1]=>
  string(5) "booth"
}
Bloom\StoreException: gone: missing from the store
TypeError: Bloom\Filter::sync(): Argument #2 ($store) must be of type Bloom\Store, null given
TypeError: Bloom\Blob::fetch(): Argument #1 ($store) must be of type Bloom\Store, null given
TypeError: Bloom\Blob::publish(): Argument #1 ($store) must be of type Bloom\Store, null given
TypeError: Bloom\Filter::sync(): Argument #2 ($store) must be of type Bloom\Store, stdClass given
TypeError: Bloom\Blob::fetch(): Argument #1 ($store) must be of type Bloom\Store, stdClass given
TypeError: Bloom\Blob::publish(): Argument #1 ($store) must be of type Bloom\Store, stdClass given
TypeError: Bloom\Filter::sync(): Argument #2 ($store) must be of type Bloom\Store, string given
TypeError: Bloom\Blob::fetch(): Argument #1 ($store) must be of type Bloom\Store, string given
TypeError: Bloom\Blob::publish(): Argument #1 ($store) must be of type Bloom\Store, string given
TypeError: Bloom\Filter::sync(): Argument #2 ($store) must be of type Bloom\Store, Closure given
TypeError: Bloom\Blob::fetch(): Argument #1 ($store) must be of type Bloom\Store, Closure given
TypeError: Bloom\Blob::publish(): Argument #1 ($store) must be of type Bloom\Store, Closure given
destroyed
end
