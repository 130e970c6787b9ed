--TEST--
DirectoryStore refuses invalid directories, keys and files, and reports the reason
--DESCRIPTION--
fault: wrong-file-type
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_directory_refused
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\DirectoryStore;

touch(own_file('file'));
foreach (['', "a\0b", own_file('file'), own_file('missing'), str_repeat('x', 5000)] as $wrong) {
    echo preg_replace('/x{99,}/', 'x…', thrown(fn () => new DirectoryStore($wrong))), "\n";
}
chdir(own_file());
mkdir('inner');
$store = new DirectoryStore('inner');
chdir('/');
$store->set('a', 'value');
check(is_file(own_file('inner/a')), 'the constructor resolves a relative path');

$bad = ['', '.', '..', '../a', 'a/b', '/etc/passwd', 'a:', ':a', 'a:b:c', 'a:../b', 'a:b/c', "a\0", "a:b\0", 'a b', '-a', '.a', str_repeat('n', 129), 'a:' . str_repeat('0', 31) . '/'];
foreach ($bad as $key) {
    foreach ([fn () => $store->getMultiple([$key]), fn () => $store->missing([$key]), fn () => $store->set($key, 'x'), fn () => $store->deleteMultiple([$key])] as $i => $call) {
        check(thrown($call, true) === 'ValueError', "$i for " . json_encode(substr($key, 0, 20)) . ': ' . thrown($call));
    }
}
echo thrown(fn () => $store->getMultiple(['../a'])), "\n";
foreach ([5, null, [], 1.5] as $wrong) {
    echo thrown(fn () => $store->getMultiple(['a', $wrong])), "\n";
}
check(tree(own_file('inner')) === ['a'], 'refused calls create no file');

// A directory or a looping link exists where the store expects a file, and a file where it expects a directory.
mkdir(own_file('inner/dir'));
mkdir(own_file('inner/dir/x'));
echo @thrown(fn () => $store->getMultiple(['dir'])), "\n";
echo @thrown(fn () => $store->set('dir', 'x')), "\n";
echo @thrown(fn () => $store->deleteMultiple(['dir'])), "\n";
echo thrown(fn () => Bloom\Filter::sync('dir', $store, 0)), "\n";
symlink('loop', own_file('inner/loop'));
echo thrown(fn () => $store->getMultiple(['loop'])), "\n";
file_put_contents(own_file('inner/c:chunks'), 'a file in the way');
echo @thrown(fn () => $store->set('c:' . str_repeat('0', 32), 'x')), "\n";
check($store->missing(['c:' . str_repeat('0', 32)]) !== [],
    'a chunk is missing if a file stands in the place of its directory');

// The directory disappears. Every call throws, and the store does not create the directory again.
rename(own_file('inner'), own_file('moved'));
$calls = fn (DirectoryStore $store) => ['getMultiple' => fn () => $store->getMultiple(['a']), 'missing' => fn () => $store->missing(['a']),
    'set' => fn () => $store->set('a:' . str_repeat('0', 32), 'x'), 'deleteMultiple' => fn () => $store->deleteMultiple(['a'])];
foreach ($calls($store) as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}
check(!file_exists(own_file('inner')), 'the store does not create its directory');
rename(own_file('moved'), own_file('inner'));
check(isset($store->getMultiple(['a'])['a']), 'the store works once the directory is back');

// If the directory never existed or is a file, the first use throws StoreException.
foreach (['missing', 'file'] as $name) {
    foreach ($calls(new DirectoryStore(own_file($name))) as $call) {
        check(thrown($call, true) === 'Bloom\StoreException', "$name: " . thrown($call));
    }
    echo thrown(fn () => Bloom\Filter::sync('tags', new DirectoryStore(own_file($name)), 0)), "\n";
    echo thrown(fn () => blob_of(['a'])->publish(new DirectoryStore(own_file($name)), 'tags')), "\n";
}
foreach (['clone' => fn () => clone $store, 'serialize' => fn () => serialize($store), 'property' => fn () => $store->directory = 'x'] as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ValueError: Bloom\DirectoryStore::__construct(): Argument #1 ($directory) must be the path of a directory, "" given
ValueError: Bloom\DirectoryStore::__construct(): Argument #1 ($directory) must not contain any null bytes
nothing
nothing
ValueError: Bloom\DirectoryStore::__construct(): Argument #1 ($directory) must be the path of a directory, "x…" given
ValueError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) must contain only keys of the form NAME or NAME:SUFFIX, with letters and digits as the suffix
TypeError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) must contain only strings, int given
TypeError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) must contain only strings, null given
TypeError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) must contain only strings, array given
TypeError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) must contain only strings, float given
Bloom\StoreException: {segment}.d/inner/dir: cannot be read: Is a directory
Bloom\StoreException: {segment}.d/inner/dir: cannot be written: Is a directory
Bloom\StoreException: {segment}.d/inner/dir: cannot be deleted: Is a directory
Bloom\StoreException: {segment}.d/inner/dir: cannot be read: Is a directory
Bloom\StoreException: {segment}.d/inner/loop: cannot be read: Too many levels of symbolic links
Bloom\StoreException: {segment}.d/inner/c:chunks/00/00000000000000000000000000000000: cannot be written: Not a directory
getMultiple: Bloom\StoreException: {segment}.d/inner: the store's directory cannot be reached: No such file or directory
missing: Bloom\StoreException: {segment}.d/inner: the store's directory cannot be reached: No such file or directory
set: Bloom\StoreException: {segment}.d/inner: the store's directory cannot be reached: No such file or directory
deleteMultiple: Bloom\StoreException: {segment}.d/inner: the store's directory cannot be reached: No such file or directory
Bloom\StoreException: {segment}.d/missing: the store's directory cannot be reached: No such file or directory
Bloom\StoreException: {segment}.d/missing: the store's directory cannot be reached: No such file or directory
Bloom\StoreException: {segment}.d/file: the store's directory cannot be reached: Not a directory
Bloom\StoreException: {segment}.d/file: the store's directory cannot be reached: Not a directory
clone: nothing
serialize: Exception: Serialization of 'Bloom\DirectoryStore' is not allowed
property: Error: Cannot create dynamic property Bloom\DirectoryStore::$directory
