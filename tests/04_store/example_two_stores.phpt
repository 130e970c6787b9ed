--TEST--
The store of examples/two-stores.php keeps blobs in Memcached and journals in a directory, and meets both contracts
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-example_two_stores
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/memcached.inc';
require __DIR__ . '/examples.inc';
with_memcached_extension();
use Bloom\{Filter, Journal};

$memcached = new MemcachedServer;
mkdir(own_file('journals'));
$argv = ['', $memcached->socket, own_file('journals')];
require dirname(__DIR__, 2) . '/examples/two-stores.php';
check(memcached_client($memcached)->get('bloom:pets') !== false, 'the head is in Memcached');
check(array_diff(scandir($argv[2]), ['.', '..', 'pets:journal']) === [], 'only the journal is in the directory: ' . implode(' ', scandir($argv[2])));

// Memcached restarts and is empty. The journal is kept, and the hosts go on following it.
$memcached->stop();
$memcached->start();
$journal->add('fish');
check(Journal::pull($store, ['pets']) === [] && Filter::open('pets')->mightContain('fish'), 'a key that was added afterwards');
echo thrown(fn () => Filter::sync('pets', $store, 0), true), "\n";
check(Filter::open('pets')->candidates(['cat', 'dog', 'fish', 'none']) === ['cat', 'dog', 'fish'], 'its keys are still found');

try_store($store);
try_journal_store($store, fn (string $journal) => unlink(own_file("journals/$journal")), 50, isBuiltIn: false);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
cat dog bird
Bloom\StoreException
