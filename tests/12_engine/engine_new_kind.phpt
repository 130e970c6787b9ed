--TEST--
A new kind of filter takes seven small edits, and then every call works
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (getenv('BLOOM_TEST_SANITIZE')) {
    die('skip the test also runs without sanitizers');
}
if (!is_file('/usr/lib/php/20220829/build/gen_stub.php')) {
    die("skip scripts/arginfo needs PHP 8.2's php-dev");
}
if (!is_dir('/usr/share/php/PhpParser')) {
    die('skip scripts/arginfo needs php-parser');
}
?>
--FILE--
<?php
require __DIR__ . '/../bloom.inc';

/** Inserts text before the only line of a file of the tree that contains the marker. */
function insert(string $file, string $marker, string $text): void
{
    global $tree;
    $lines = file("$tree/$file");
    $found = array_keys(array_filter($lines, fn ($line) => str_contains($line, $marker)));
    check(count($found) === 1, "$file has one line with '$marker'");
    array_splice($lines, $found[0], 0, [$text]);
    file_put_contents("$tree/$file", $lines);
}

function run_in_tree(string $command): void
{
    global $tree;
    exec('cd ' . escapeshellarg($tree) . " && $command 2>&1", $lines, $code);
    if ($code !== 0) {
        echo "$command failed:\n", implode("\n", array_slice($lines, -40)), "\n";
        exit;
    }
}

// The tree is not in the test's directory in /dev/shm, because many containers forbid executing files there.
$root = dirname(__DIR__, 2);
$tree = "$root/new-kind." . getmypid();
mkdir($tree);
register_shutdown_function('remove_tree', $tree);
exec("cd $root && cp -R config.m4 config.w32 package.xml CHANGELOG.md bloom.c php_bloom.h src stubs scripts $tree");

$from = __DIR__ . '/new_kind';
$edit = fn (string $name) => file_get_contents("$from/$name");
insert('src/segment/kinds.h', '/* add new kinds above this line */', $edit('kinds.h.row'));           // 1
copy("$from/exact.c", "$tree/src/kinds/exact.c");                                                      // 2
insert('src/php/classes.h', '/* new filter classes: above */', $edit('classes.h.row'));                // 3
insert('stubs/bloom.stub.php', '// add new kinds above this line', "    case Exact = 'exact';\n");      // 4
file_put_contents("$tree/stubs/bloom.stub.php", $edit('stub.php.end'), FILE_APPEND);
run_in_tree('scripts/arginfo');                                                                        // 5
file_put_contents("$tree/src/php/filter/create_filter.c", $edit('create.c.end'), FILE_APPEND);         // 6
run_in_tree('scripts/manifest');                                                                       // 7
foreach (['config.m4', 'config.w32'] as $file) {
    check(str_contains(file_get_contents("$tree/$file"), 'exact.c'), "$file lists the new file");
}

run_in_tree("BLOOM_BUILD=$tree/build scripts/build");
$php = escapeshellarg(getenv('TEST_PHP_EXECUTABLE') ?: PHP_BINARY);
$segment = escapeshellarg(own_file('segment'));
passthru("$php -n -d extension=$tree/build/plain/modules/bloom.so -d bloom.path=$segment $from/use.inc 2>&1");
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
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
Bloom\KindException: set: expected a Bloom\LiveFilter, found an exact set: a filter of a different kind has that name
Bloom\KindException: set: expected a live filter, found an exact set: a filter of a different kind has that name
Bloom\KindException: set: expected a Bloom\ExactSet, found a loaded filter: a filter of a different kind has that name
dropped: true
