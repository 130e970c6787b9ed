--TEST--
A default segment that another user created first is refused, even for root, and the message names its owner
--DESCRIPTION--
fault: wrong-owner
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
require __DIR__ . '/../lib/default_path.inc';
skip_unless_root();
skip_unless_free('', 'nobody');
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/default_path.inc';

use_own_shm();
$try = '
    foreach (["load" => fn () => Bloom\Filter::load("booth", blob_of(["a"])),
        "create" => fn () => Bloom\LiveFilter::create("seen", 100),
        "find" => fn () => Bloom\Filter::find("booth"),
        "list" => fn () => Bloom\Filter::list(),
        "drop" => fn () => Bloom\Filter::drop("booth")] as $what => $call) {
        echo "$what: ", thrown($call, raw: true), "\n";
    }';
$take = function (int $victim, int $thief) {
    $path = "/dev/shm/php-bloom-$victim";
    mkdir($path, 0700);
    chown($path, $thief);
    return $path;
};
// Root could use any directory, but uses another user's directory only if bloom.path names it.
$path = $take(0, 65534);
echo "root:\n", run($try, ['bloom.path' => '']), "\n";
check(tree($path) === [], 'nothing was made there');
echo run('echo Bloom\Filter::load("booth", blob_of(["a"]))->name();', ['bloom.path' => $path]), "\n";
remove_tree($path);

$path = $take(65534, 0);
echo "nobody:\n", run($try, ['bloom.path' => ''], as_nobody()), "\n";
chmod($path, 0777);
echo "nobody, when anyone may write there:\n", run($try, ['bloom.path' => ''], as_nobody()), "\n";
check(tree($path) === [], 'nothing was made there');
remove_tree($path);
symlink('/dev/shm', $path);
echo "nobody, when it is a link:\n", run('echo thrown(fn () => Bloom\Filter::load("booth", blob_of(["a"])), raw: true);', ['bloom.path' => ''], as_nobody()), "\n";
unlink($path);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
root:
load: Bloom\SegmentException: /dev/shm/php-bloom-0 (owned by user 65534; root may use it only if bloom.path is set): refused: it belongs to another user (run as that user, or use a path of your own)
create: Bloom\SegmentException: /dev/shm/php-bloom-0 (owned by user 65534; root may use it only if bloom.path is set): refused: it belongs to another user (run as that user, or use a path of your own)
find: Bloom\SegmentException: /dev/shm/php-bloom-0 (owned by user 65534; root may use it only if bloom.path is set): refused: it belongs to another user (run as that user, or use a path of your own)
list: Bloom\SegmentException: /dev/shm/php-bloom-0 (owned by user 65534; root may use it only if bloom.path is set): refused: it belongs to another user (run as that user, or use a path of your own)
drop: Bloom\SegmentException: /dev/shm/php-bloom-0 (owned by user 65534; root may use it only if bloom.path is set): refused: it belongs to another user (run as that user, or use a path of your own)
booth
nobody:
load: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0; this process is user 65534): refused: it belongs to another user (run as that user, or use a path of your own)
create: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0; this process is user 65534): refused: it belongs to another user (run as that user, or use a path of your own)
find: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0; this process is user 65534): refused: it belongs to another user (run as that user, or use a path of your own)
list: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0; this process is user 65534): refused: it belongs to another user (run as that user, or use a path of your own)
drop: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0; this process is user 65534): refused: it belongs to another user (run as that user, or use a path of your own)
nobody, when anyone may write there:
load: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0): refused: it belongs to another user (run as that user, or use a path of your own)
create: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0): refused: it belongs to another user (run as that user, or use a path of your own)
find: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0): refused: it belongs to another user (run as that user, or use a path of your own)
list: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0): refused: it belongs to another user (run as that user, or use a path of your own)
drop: Bloom\SegmentException: /dev/shm/php-bloom-65534 (owned by user 0): refused: it belongs to another user (run as that user, or use a path of your own)
nobody, when it is a link:
Bloom\SegmentException: /dev/shm/php-bloom-65534: refused: it is not a regular file or directory, or it has several hard links: Not a directory
