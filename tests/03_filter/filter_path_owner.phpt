--TEST--
Another user's segment is refused, and files that root writes belong to the directory's owner
--DESCRIPTION--
fault: other-user, root
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
?>
--INI--
bloom.path={TMP}/bloom-filter_path_owner
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

chmod(own_file(), 0711);
$path = own_file('theirs');
mkdir($path, 0700);
chown($path, 65534);
chgrp($path, 65534);
mkdir(own_file('mine'), 0700);
$load = 'echo preg_replace("/user \d+/", "user N", str_replace(' . var_export(own_file(), true) . ', "{own}", thrown(fn () => Bloom\Filter::load("booth", blob_of(["a"]))))), "\n";
    echo preg_replace("/user \d+/", "user N", str_replace(' . var_export(own_file(), true) . ', "{own}", thrown(fn () => Bloom\Filter::open("booth")))), "\n";';
echo "root in nobody's segment:\n", run($load, ['bloom.path' => $path]), "\n";
foreach ([$path, ...array_map(fn (string $name): string => in_segment($name, $path), tree($path))] as $entry) {
    check(fileowner($entry) === 65534 && filegroup($entry) === 65534, "$entry belongs to " . fileowner($entry));
    check((fileperms($entry) & 077) === 0, "$entry is for its owner alone");
}
echo "nobody in their own, loaded by root:\n", run('var_dump(Bloom\Filter::open("booth")->mightContain("a"));' . $load, ['bloom.path' => $path], as_nobody()), "\n";
echo "nobody in root's:\n", run($load, ['bloom.path' => own_file('mine')], as_nobody()), "\n";
chmod(own_file('mine'), 0777);
echo "and when anyone may write there:\n", run($load, ['bloom.path' => own_file('mine')], as_nobody()), "\n";
echo "a filter of root's in nobody's segment:\n";
mkdir(in_segment('planted', $path), 0700);
echo run('echo preg_replace("/user \d+/", "user N", str_replace(' . var_export(own_file(), true) . ', "{own}", thrown(fn () => Bloom\Filter::open("planted"))));', ['bloom.path' => $path]), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
root in nobody's segment:
nothing
nothing
nobody in their own, loaded by root:
bool(true)
nothing
nothing
nobody in root's:
Bloom\SegmentException: {segment} (owned by user N; this process is user N): refused: it belongs to another user (run as that user, or use a path of your own)
Bloom\SegmentException: {segment} (owned by user N; this process is user N): refused: it belongs to another user (run as that user, or use a path of your own)
and when anyone may write there:
Bloom\SegmentException: {segment} (owned by user N): refused: it belongs to another user (run as that user, or use a path of your own)
Bloom\SegmentException: {segment} (owned by user N): refused: it belongs to another user (run as that user, or use a path of your own)
a filter of root's in nobody's segment:
Bloom\SegmentException: {segment}/planted (owned by user N): refused: it belongs to another user (run as that user, or use a path of your own)
