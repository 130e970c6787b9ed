--TEST--
A new store takes eight edits, and then it passes the suite of all stores
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/recipe.inc';
skip_without_generators();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/recipe.inc';

copy_tree('new-store');
$from = __DIR__ . '/new_store';
$edit = fn (string $name) => file_get_contents("$from/$name");
insert('src/php/classes.h', '/* new stores: above */', $edit('classes.h.row'));                       // 1
copy("$from/array_store.c", "$tree/src/php/store/array_store.c");                                      // 2
file_put_contents("$tree/stubs/bloom.stub.php", $edit('stub.php.end'), FILE_APPEND);                   // 3
run_in_tree('scripts/arginfo');                                                                        // 4
run_in_tree('scripts/manifest');                                                                       // 5
$url = 'packages/kit/src/StoreUrl.php';
insert($url, '// new schemes: above', "        'array',\n");                                              // 6
insert($url, '// parsers of new schemes: above', "            'array' => self::ofArray(),\n");
insert($url, '/** Returns a hint if an IPv6', $edit('StoreUrl.php.method'));
// 7: use.inc calls the suite. 8 is a section of docs/stores.md.
use_tree("$from/use.inc");
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
the suite of all stores has run
a copy has its own values: [["a"],[]]
Bloom\BloomException: This store is already constructed
TypeError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) must contain only strings, array given
Exception: Serialization of 'Bloom\ArrayStore' is not allowed
the URL: Bloom\ArrayStore, true
invalid URL of a store: "other:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached:, array: (write dir:PATH for a directory with a colon in its name)
