--TEST--
DirectoryStore::replace() stores a value only if the present one is the expected one, also in a race, and leaves only the file of its lock
--DESCRIPTION--
fault: publishers
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_replace
bloom.lock_timeout=0.2
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/replace.inc';
use Bloom\DirectoryStore;

umask(022);
mkdir(own_file('store'), 0755);
$store = new DirectoryStore(own_file('store'));
try_replace($store);
check(tree(own_file('store')) === ['tags:chunks', 'tags:chunks/0f', 'tags:lock'], implode(' ', tree(own_file('store'))));
$mode = fn (): string => decoct(fileperms(own_file('store/tags:lock')) & 0777);
check($mode() === '600', 'only the owner can hold the lock: ' . $mode());
unlink(own_file('store/tags:lock'));
chmod(own_file('store'), 0775);
check($store->replace('tags', null, 'x') && $mode() === '660', 'so can the group if it may write to the directory: ' . $mode());
$make = 'new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . ')';
try_replace_races($make);
try_appearing_keys($make);

// A lock that another process holds.
$holder = new Child('$lock = fopen(' . var_export(own_file('store/tags:lock'), true) . ', "r+"); flock($lock, LOCK_EX); echo "held\n"; fgets(STDIN);');
check($holder->hear() === 'held', 'the other process holds the lock');
echo thrown(fn () => $store->replace('tags', 'x', 'y')), "\n";
check($store->getMultiple(['tags']) === ['tags' => 'x'], 'the value stays');
$holder->say('end');
$holder->end();
check($store->replace('tags', 'x', 'y'), 'the lock ends with its process');
check(preg_grep('/tmp/', tree(own_file('store'))) === [], 'no temporary file is left');

// A directory has names that Windows accepts.
mkdir(own_file('portable'));
touch(own_file('portable/.portable'));
$portable = new DirectoryStore(own_file('portable'));
try_replace($portable);
check(in_array('tags%3Alock', tree(own_file('portable')), true), 'the lock has a portable name');

foreach ([fn () => $store->replace('no/name', null, ''), fn () => (new DirectoryStore(own_file('none')))->replace('tags', null, '')] as $call) {
    echo thrown($call), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: {segment}.d/store/tags:lock: another process held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
ValueError: Bloom\BuiltInStore::replace(): Argument #1 ($key) must contain only keys of the form NAME or NAME:SUFFIX, with letters and digits as the suffix
Bloom\StoreException: {segment}.d/none: the store's directory cannot be reached: No such file or directory
