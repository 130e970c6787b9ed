--TEST--
Blob::find() returns the published blob, and null only if the store has no blob of that name
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-blob_find
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Blob;

$store = new ScriptedStore;
var_dump(Blob::find($store, 'booth'));
$blob = chunked(keys('key', 1000), 1500);
$blob->publish($store, 'booth');
$steps = [];
$found = Blob::find($store, 'booth', function (int $bytes, int $total) use (&$steps) {
    $steps[] = $bytes === $total;
});
check($found->toString() === $blob->toString() && end($steps) === true, 'what was published');
var_dump(Blob::find($store, 'other'));

$values = $store->values;
unset($store->values[chunk_keys($blob, 'booth')[0]]);
echo thrown(fn () => Blob::find($store, 'booth')), "\n";
$store->values = ['booth' => 'nonsense'];
echo thrown(fn () => Blob::find($store, 'booth')), "\n";
$store->values = $values;
$store->script = fn () => throw new RuntimeException('down');
echo thrown(fn () => Blob::find($store, 'booth')), "\n";
echo thrown(fn () => Blob::find($store, '.')), "\n";

// The head is deleted while its chunks are fetched.
$store->script = function (string $called, array $keys) use ($store) {
    if ($keys !== ['booth']) {
        $store->values = [];
    }
};
var_dump(Blob::find($store, 'booth'));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
NULL
NULL
Bloom\StoreException: a chunk: missing from the store
Bloom\FormatException: 8 bytes: too short to be a blob
Bloom\StoreException: the store failed: RuntimeException: down
ValueError: Bloom\Blob::find(): Argument #2 ($name) must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
NULL
