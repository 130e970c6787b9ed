--TEST--
Exit codes distinguish a segment with invalid access rights, a segment over its memory limit and a locked filter
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli(settings: '-d bloom.lock_timeout=0');
(new Bloom\Builder(1000, seed: 1))->build()->save("$cli->files/a.bloom");

mkdir("$cli->directory/open");
chmod("$cli->directory/open", 0755);
file_put_contents("$cli->directory/file", '');
foreach (['open', 'file'] as $name) {
    $cli->install("bloom-$name", "-d bloom.path=$cli->directory/$name", ['bloom']);
    $cli->show("bloom-$name load tags a.bloom");
    $cli->show("bloom-$name list");
}
$cli->install('bloom-relative', '-d bloom.path=here', ['bloom']);
$cli->show('bloom-relative list');
$cli->install('bloom-small', "-d bloom.path=$cli->segment -d bloom.memory_limit=5000", ['bloom']);
$cli->show('bloom-small load tags a.bloom');

$cli->run(['load', 'tags', 'a.bloom']);
$lock = fopen(in_segment('tags', $cli->segment), 'r');
check(flock($lock, LOCK_EX), 'locked');
$cli->show(['load', 'tags', 'a.bloom']);
$cli->show(['drop', 'tags']);
fclose($lock);
$cli->show(['drop', 'tags']);
?>
--EXPECT--
$ bloom-open load tags a.bloom
bloom: {dir}/open (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
exit 73
$ bloom-open list
bloom: {dir}/open (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
exit 73
$ bloom-file load tags a.bloom
bloom: {dir}/file: refused: it is not a regular file or directory, or it has several hard links: Not a directory
exit 73
$ bloom-file list
bloom: {dir}/file: refused: it is not a regular file or directory, or it has several hard links: Not a directory
exit 73
$ bloom-relative list
bloom: "here": a segment path must be absolute and shorter than 4,000 bytes
exit 73
$ bloom-small load tags a.bloom
bloom: {dir}/segment/tags: uses 0 bytes, needs 6144 more, limit 5000: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
exit 73
$ bloom load tags a.bloom
bloom: {dir}/segment/tags: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
exit 75
$ bloom drop tags
bloom: {dir}/segment/tags: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
exit 75
$ bloom drop tags
tags: dropped
exit 0
