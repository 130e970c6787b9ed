--TEST--
A segment path that is not a directory or is writable by others is refused, and the message gives the path and the reason
--DESCRIPTION--
fault: invalid-name, wrong-file-type
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_path_refused
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$attempt = fn (string $path) => str_replace(own_file(), '{own}', run('
    foreach ([fn () => Bloom\Filter::load("booth", blob_of(["a"])), fn () => Bloom\Filter::find("booth"), fn () => Bloom\Filter::list()] as $call) {
        echo preg_replace("/user \d+/", "user N", thrown($call, raw: true)), "\n";
    }', ['bloom.path' => $path])) . "\n";
foreach (['relative/path', '.', 'x', str_repeat('/x', 2100)] as $path) {
    echo strlen($path) < 100 ? $path : 'very long', ":\n", preg_replace('/\/x\S*/', '/x…', $attempt($path));
}
$path = own_file('segment');
foreach ([0770, 0707, 0750, 0701, 01777] as $mode) {
    mkdir($path);
    chmod($path, $mode);
    printf("mode %o:\n%s", $mode, $attempt($path));
    rmdir($path);
}
touch($path);
echo "a file:\n", $attempt($path);
unlink($path);
mkdir(own_file('real'), 0700);
symlink(own_file('real'), $path);
echo "a symlink:\n", $attempt($path), tree(own_file('real')) ? "it was followed\n" : '';
foreach (['/', '//', '/.', '/./'] as $end) {
    check($attempt("$path$end") === $attempt($path), "a symlink with $end at its end: " . $attempt("$path$end"));
}
check(tree(own_file('real')) === [], 'no symlink was followed');
unlink($path);
symlink(own_file('nowhere'), $path);
echo "a dangling symlink:\n", $attempt($path), file_exists(own_file('nowhere')) ? "it was followed\n" : '';
unlink($path);
exec('mkfifo ' . escapeshellarg($path));
echo "a FIFO:\n", $attempt($path);
unlink($path);
echo "no parent:\n", $attempt(own_file('no/parent'));
echo "a trailing slash, dots, an odd name:\n";
foreach (['slash/', 'dots/../dots2', 'sp ace', 'ünïcode'] as $name) {
    @mkdir(own_file('dots'), 0700);
    echo run('Bloom\Filter::load("booth", blob_of(["a"])); echo implode(" ", Bloom\Filter::list());', ['bloom.path' => own_file($name)]), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
relative/path:
Bloom\SegmentException: "relative/path": a segment path must be absolute and shorter than 4,000 bytes
Bloom\SegmentException: "relative/path": a segment path must be absolute and shorter than 4,000 bytes
Bloom\SegmentException: "relative/path": a segment path must be absolute and shorter than 4,000 bytes
.:
Bloom\SegmentException: ".": a segment path must be absolute and shorter than 4,000 bytes
Bloom\SegmentException: ".": a segment path must be absolute and shorter than 4,000 bytes
Bloom\SegmentException: ".": a segment path must be absolute and shorter than 4,000 bytes
x:
Bloom\SegmentException: "x": a segment path must be absolute and shorter than 4,000 bytes
Bloom\SegmentException: "x": a segment path must be absolute and shorter than 4,000 bytes
Bloom\SegmentException: "x": a segment path must be absolute and shorter than 4,000 bytes
very long:
Bloom\SegmentException: "/x… a segment path must be absolute and shorter than 4,000 bytes
Bloom\SegmentException: "/x… a segment path must be absolute and shorter than 4,000 bytes
Bloom\SegmentException: "/x… a segment path must be absolute and shorter than 4,000 bytes
mode 770:
Bloom\SegmentException: {own}/segment (mode 0770): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 0770): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 0770): refused: group or others may access it (directories must be 0700, files 0600)
mode 707:
Bloom\SegmentException: {own}/segment (mode 0707): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 0707): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 0707): refused: group or others may access it (directories must be 0700, files 0600)
mode 750:
Bloom\SegmentException: {own}/segment (mode 0750): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 0750): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 0750): refused: group or others may access it (directories must be 0700, files 0600)
mode 701:
Bloom\SegmentException: {own}/segment (mode 0701): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 0701): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 0701): refused: group or others may access it (directories must be 0700, files 0600)
mode 1777:
Bloom\SegmentException: {own}/segment (mode 1777): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 1777): refused: group or others may access it (directories must be 0700, files 0600)
Bloom\SegmentException: {own}/segment (mode 1777): refused: group or others may access it (directories must be 0700, files 0600)
a file:
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
a symlink:
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
a dangling symlink:
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
a FIFO:
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
Bloom\SegmentException: {own}/segment: refused: it is not a regular file or directory, or it has several hard links: Not a directory
no parent:
Bloom\SegmentException: {own}/no/parent: the segment's directory cannot be created: No such file or directory (set bloom.path to a directory on a tmpfs that this user can create)
nothing
nothing
a trailing slash, dots, an odd name:
booth
booth
booth
booth
