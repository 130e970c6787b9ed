--TEST--
examples/custom-store.php runs unchanged, and its store meets the whole contract
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/examples.inc';
skip_without_sqlite();
?>
--INI--
bloom.path={TMP}/bloom-example_custom_store
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/examples.inc';
use Bloom\{Blob, Filter};
with_sqlite();

$argv = ['', 'sqlite:' . own_file('store.sqlite')];
require dirname(__DIR__, 2) . '/examples/custom-store.php';
check($store->missing(['pets']) === [], 'the store keeps values in a file');

try_store($store);

// The database no longer exists.
$gone = new PDO($argv[1], options: [PDO::ATTR_TIMEOUT => 0]);
$store = new SqlStore($gone);
$gone->exec('DROP TABLE bloom');
echo thrown(fn () => Filter::sync('booth', $store, 0)), "\n";
echo thrown(fn () => chunked(['x'])->publish($store, 'booth')), "\n";
check(Filter::open('booth')->mightContain('old1'), 'the loaded version is still served');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
cat bird
Bloom\StoreException: the store failed: PDOException: %sno such table: bloom
Bloom\StoreException: the store failed: PDOException: %sno such table: bloom
