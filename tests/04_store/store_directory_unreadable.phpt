--TEST--
DirectoryStore distinguishes an unreadable file from a missing one
--DESCRIPTION--
fault: no-permission
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
?>
--INI--
bloom.path={TMP}/bloom-store_directory_unreadable
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
chmod(own_file(), 0711);
mkdir(own_file('store'), 0755);
$store = new Bloom\DirectoryStore(own_file('store'));
blob_of(['a'])->publish($store, 'booth');
chmod(own_file('store/booth'), 0600);
$code = '$store = new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . ');
    echo thrown(fn () => $store->getMultiple(["booth"])), "\n", json_encode($store->getMultiple(["other"])), "\n",
        thrown(fn () => $store->set("booth", "x")), "\n", thrown(fn () => $store->deleteMultiple(["booth"])), "\n",
        thrown(fn () => Bloom\Blob::fetch($store, "booth")), "\n", thrown(fn () => blob_of(["b"])->publish($store, "booth")), "\n",
        thrown(fn () => $store->set("other:" . str_repeat("0", 32), "x")), "\n", preg_replace("~chunks/..:~", "chunks/{digits}:", thrown(fn () => blob_of(["b"])->publish($store, "new"))), "\n";';
echo str_replace('{segment}.d', '{own}', run($code, [], as_nobody())), "\n";
check(Bloom\Blob::fetch($store, 'booth')->mightContain('a'), 'the published version can still be fetched');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: {own}/store/booth: cannot be read: Permission denied
[]
Bloom\StoreException: {own}/store/booth: cannot be written: Permission denied
Bloom\StoreException: {own}/store/booth: cannot be deleted: Permission denied
Bloom\StoreException: {own}/store/booth: cannot be read: Permission denied
Bloom\StoreException: {own}/store/booth: cannot be read: Permission denied
Bloom\StoreException: {own}/store/other:chunks/00: cannot be created: Permission denied
Bloom\StoreException: {own}/store/new:chunks/{digits}: cannot be created: Permission denied
