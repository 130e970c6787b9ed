--TEST--
phpinfo() lists the filters of the segment, changes nothing, and survives a damaged or foreign segment
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-phpinfo_filters
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{CountingFilter, Filter, LiveFilter};

/** Returns the table of filters that a new process prints. */
function table(string $before = '', array $settings = []): string
{
    $code = "$before ob_start(); (new ReflectionExtension('bloom'))->info(); \$text = ob_get_clean();"
        . 'preg_match("/^segment in force => (.*)$/m", $text, $path); preg_match("/^filters? =>.*?\n\n/ms", $text, $table);'
        . 'echo $path[1] === "none used yet" ? "" : "(in force) ", rtrim($table[0]);';
    return strtr(run($code, $settings), [segment_path() => '{segment}']) . "\n";
}

// Without a segment, and then with an empty one.
echo table();
check(!file_exists(segment_path()), 'phpinfo() creates no segment');
mkdir(segment_path(), 0700);
echo table();
check(tree(segment_path()) === [], 'phpinfo() writes no file');

// All kinds, in the order of their names, and a filter that was never loaded.
$blob = blob_of(keys('a', 900));
Filter::load('tags', $blob);
LiveFilter::create('live', 1000, 0.001, seed: 1)->addMany(range(1, 1000));
CountingFilter::create('counting', 100, seed: 1)->add('one');
$store = new ScriptedStore;
chunked(keys('a', 5000))->publish($store, 'big');
Filter::attach('big', $store, 1 << 20);
thrown(fn () => Filter::sync('never', $store, 0));
$files = tree(segment_path());
echo table();
check(tree(segment_path()) === $files, 'phpinfo() changes no file');
echo 'again in one process: ', strtok(table('$table = fn () => (new ReflectionExtension("bloom"))->info(); ob_start(); $table(); ob_end_clean();'), "\n"), "\n";
$maps = run('$count = fn () => substr_count(file_get_contents("/proc/self/maps"), ' . var_export(segment_path(), true) . ');'
    . 'ob_start(); phpinfo(INFO_MODULES); ob_end_clean(); echo $count();');
check($maps === '0' || !is_readable('/proc/self/maps'), "no mapping remains: $maps");

// The figures of a keyed filter need its secret, and reading the secret fixes no setting either.
if (has_sodium()) {
    file_put_contents(own_file('secret'), str_repeat('ab', 32));
    chmod(own_file('secret'), 0600);
    $secret = ['bloom.secret_file' => own_file('secret')];
    run('Bloom\LiveFilter::create("keyed", 100, keyed: true);', $secret);
    check(preg_match('/^keyed => live => 1 => 0 /m', table('', $secret)) === 1, 'with the secret');
    check(str_contains(table(), "\nkeyed => {segment}/keyed: "), 'without it');
    Filter::drop('keyed');
    check(run('ob_start(); phpinfo(INFO_MODULES); echo preg_match("/^secrets in force.*none used yet$/m", ob_get_clean());', $secret) === '1', 'not in force');
}

// A damaged filter has a row of its own.
file_put_contents(in_segment('tags/control'), str_repeat('x', 100));
echo implode("\n", preg_grep('/^(tags|live) /', explode("\n", table()))), "\n";
foreach (['live', 'counting', 'big', 'never', 'tags'] as $name) {
    remove_tree(in_segment($name));
}

// At most 100 rows.
for ($i = 0; $i < 103; $i++) {
    LiveFilter::create(sprintf('f%03d', $i), 10);
}
$lines = explode("\n", rtrim(table()));
echo count($lines), ' lines: ', $lines[1], ' … ', $lines[100], ' … ', end($lines), "\n";

// A segment that others may read, a file instead of a directory, and an invalid setting.
chmod(segment_path(), 0755);
echo table();
remove_tree(segment_path());
touch(segment_path());
echo table();
unlink(segment_path());
echo table('', ['bloom.path' => 'relative']);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
filters => none: the segment does not exist yet
filter => kind => generation => keys => estimated rate => requested rate
filters => none
filter => kind => generation => keys => estimated rate => requested rate
big => on-demand => 1 => 4996 => 0.158 % => 1 %
counting => counting => 1 => 1 => 9.54e-05 % => 1 %
live => live => 1 => 1000 => 0.0865 % => 0.1 %
tags => loaded => 1 => 899 => 0.379 % => 1 %
again in one process: filter => kind => generation => keys => estimated rate => requested rate
live => live => 1 => 1000 => 0.0865 % => 0.1 %
tags => {segment}/tags: control: this file is not a control page of the bloom extension
102 lines: f000 => live => 1 => 0 => 0 % => 1 % … f099 => live => 1 => 0 => 0 % => 1 % … not shown => 3 more filters
filters => {segment} (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
filters => {segment}: refused: it is not a regular file or directory, or it has several hard links: Not a directory
filters => "relative": a segment path must be absolute and shorter than 4,000 bytes
