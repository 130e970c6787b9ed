--TEST--
Entries in the segment that are not regular files owned by the same user are refused or skipped
--DESCRIPTION--
fault: garbage-file, wrong-file-type, wrong-owner
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_path_entries_refused
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['a']));
$at = segment_path();
$fresh = fn (string $code) => rtrim(run('echo thrown(function () { ' . $code . ' });')) . "\n";
$open = 'check(Bloom\Filter::open("booth")->mightContain("a"), "a");';

mkdir(in_segment('open'), 0755);
chmod(in_segment('open'), 0755);
touch(in_segment('file'));
symlink(in_segment('booth'), in_segment('link'));
mkdir(in_segment('has space'), 0700);
var_dump(Filter::list());
foreach (['open', 'file', 'link'] as $name) {
    echo "$name: ", thrown(fn () => Filter::open($name)), "\n";
    echo "$name: ", thrown(fn () => Filter::load($name, blob_of(['x']))), "\n";
}
check(Filter::open('booth')->mightContain('a'), 'the link was not written through');

$control = in_segment('booth/control');
$kept = file_get_contents($control);
$put = function (string $bytes) use ($control) {
    @unlink($control);
    file_put_contents($control, $bytes);
    chmod($control, 0600);
};
foreach (['' => 'empty', substr($kept, 0, 4095) => 'short', $kept . 'x' => 'long', str_repeat("\0", 4096) => 'zeros', str_repeat("\xff", 4096) => 'ones'] as $bytes => $name) {
    $put($bytes);
    echo "control $name: ", $fresh($open);
}
$put(substr_replace($kept, pack('P', 99), 8, 8));
echo 'control of another layout: ', $fresh($open);
$put($kept);
chmod($control, 0644);
echo 'control others may read: ', $fresh($open);
chmod($control, 0600);
link($control, "$at/hard");
echo 'control with a second link: ', $fresh($open);
unlink("$at/hard");
unlink($control);
symlink('/etc/hostname', $control);
echo 'control a symlink: ', $fresh($open);
unlink($control);
exec('mkfifo -m 600 ' . escapeshellarg($control));
echo 'control a FIFO: ', $fresh($open);
unlink($control);
echo 'no control: ', $fresh($open);
$put($kept);

// A modified generation file is not served, so it never causes the answer "no".
$file = in_segment('booth/0000000000000001.bloom');
$blob = file_get_contents($file);
foreach (['cut' => substr($blob, 0, -1), 'head changed' => substr_replace($blob, 'x', 100, 1), 'empty' => '', 'long' => $blob . 'x'] as $name => $bytes) {
    unlink($file);
    file_put_contents($file, $bytes);
    chmod($file, 0600);
    echo "generation $name: ", $fresh($open);
}
unlink($file);
echo 'generation missing: ', $fresh($open);
check($booth->mightContain('a'), 'of a process that had it mapped the answer is not no');
Filter::load('booth', blob_of(['c']));
echo 'a load heals it: ', $fresh('check(Bloom\Filter::open("booth")->mightContain("c"), "c");');
check($booth->mightContain('c'), 'the handle follows');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
array(1) {
  [0]=>
  string(5) "booth"
}
open: Bloom\SegmentException: {segment}/open (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
open: Bloom\SegmentException: {segment}/open (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
file: Bloom\SegmentException: {segment}/file: refused: it is not a regular file or directory, or it has several hard links: Not a directory
file: Bloom\SegmentException: {segment}/file: refused: it is not a regular file or directory, or it has several hard links: Not a directory
link: Bloom\SegmentException: {segment}/link: refused: it is not a regular file or directory, or it has several hard links: Not a directory
link: Bloom\SegmentException: {segment}/link: refused: it is not a regular file or directory, or it has several hard links: Not a directory
control empty: Bloom\SegmentException: {segment}/booth: control: this file is not a control page of the bloom extension
control short: Bloom\SegmentException: {segment}/booth: control: this file is not a control page of the bloom extension
control long: Bloom\SegmentException: {segment}/booth: control: this file is not a control page of the bloom extension
control zeros: Bloom\SegmentException: {segment}/booth: control: this file is not a control page of the bloom extension
control ones: Bloom\SegmentException: {segment}/booth: control: this file is not a control page of the bloom extension
control of another layout: Bloom\SegmentException: {segment}/booth: control: this file is not a control page of the bloom extension
control others may read: Bloom\SegmentException: {segment}/booth: control (mode 0644): refused: group or others may access it (directories must be 0700, files 0600)
control with a second link: Bloom\SegmentException: {segment}/booth: control: refused: it is not a regular file or directory, or it has several hard links
control a symlink: Bloom\SegmentException: {segment}/booth: control: refused: it is not a regular file or directory, or it has several hard links: Too many levels of symbolic links
control a FIFO: Bloom\SegmentException: {segment}/booth: control: refused: it is not a regular file or directory, or it has several hard links
no control: Bloom\NotFoundException: {segment}/booth: control: no such filter is loaded
generation cut: Bloom\FormatException: {segment}/booth: 6143 bytes instead of 6144: the length does not match the head
generation head changed: Bloom\FormatException: {segment}/booth: head: the head's checksum does not match
generation empty: Bloom\FormatException: {segment}/booth: 0000000000000001.bloom: too short to be a blob
generation long: Bloom\FormatException: {segment}/booth: 6145 bytes instead of 6144: the length does not match the head
generation missing: Bloom\SegmentException: {segment}/booth: generation file 0000000000000001.bloom is missing: the operating system refused the operation
a load heals it: nothing
