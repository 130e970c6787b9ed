--TEST--
A new kind of filter takes eight small edits, and then every call works
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

copy_tree('new-kind');
$from = __DIR__ . '/new_kind';
$edit = fn (string $name) => file_get_contents("$from/$name");
insert('src/segment/kinds.h', '/* add new kinds above this line */', $edit('kinds.h.row'));           // 1
copy("$from/exact.c", "$tree/src/kinds/exact.c");                                                      // 2
insert('src/php/classes.h', '/* new filter classes: above */', $edit('classes.h.row'));                // 3
insert('stubs/bloom.stub.php', '// add new kinds above this line', "    case Exact = 'exact';\n");      // 4
file_put_contents("$tree/stubs/bloom.stub.php", $edit('stub.php.end'), FILE_APPEND);
run_in_tree('scripts/arginfo');                                                                        // 5
file_put_contents("$tree/src/php/filter/create_filter.c", $edit('create.c.end'), FILE_APPEND);         // 6
run_in_tree('scripts/polyfill');                                                                       // 7
run_in_tree('scripts/manifest');                                                                       // 8
foreach (['config.m4', 'config.w32'] as $file) {
    check(str_contains(file_get_contents("$tree/$file"), 'exact.c'), "$file lists the new file");
}

use_tree("$from/use.inc");
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
created: Bloom\ExactSet, exact
absent keys found: 0
new: 10000, again: false
found: 10000, true
others found: 0
opened: Bloom\ExactSet, Bloom\ExactSet
Bloom\SegmentException: set: the file system has too little free space
Bloom\KindException: set: its capacity is 10000, but 20000 was requested: a filter with that name already exists
Bloom\KindException: set: expected a Bloom\LiveFilter, found an exact set: that name is taken by a filter of a different kind
Bloom\KindException: set: expected a live filter, found an exact set: that name is taken by a filter of a different kind
Bloom\KindException: set: expected a Bloom\ExactSet, found a loaded filter: that name is taken by a filter of a different kind
dropped: true
