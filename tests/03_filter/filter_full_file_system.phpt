--TEST--
A load on a full file system fails and keeps the served version
--DESCRIPTION--
fault: no-space
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/tmpfs.inc';
skip_without_tmpfs();
?>
--INI--
bloom.path={TMP}/bloom-filter_full_file_system
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/tmpfs.inc';

$size = blob_of(keys('a', 20000), 20000)->info()->bytes;
echo run_on_tmpfs('128k', '
    $text = fn (callable $call) => preg_replace("/\d{5,}/", "N", str_replace($tmpfs, "{tmpfs}", thrown($call)));
    $booth = Bloom\Filter::load("booth", blob_of(keys("a", 20000), 20000));
    echo $text(fn () => Bloom\Filter::load("booth", blob_of(keys("b", 100000), 100000))), "\n";
    check($booth->mightContain("a1"), "the old one is served");
    check(!preg_grep("/tmp$/", tree("$tmpfs/segment")), "no staged file is left");

    // The file system is completely full, so not even a control page fits.
    file_put_contents("$tmpfs/ballast", str_repeat("x", 16384));
    @file_put_contents("$tmpfs/rest", str_repeat("x", 200000));
    echo $text(fn () => Bloom\Filter::load("small", blob_of(["a"], 1))), "\n";
    echo $text(fn () => Bloom\Filter::load("booth", blob_of(keys("b", 20000), 20000))), "\n";
    check($booth->candidates(keys("a", 20000)) === keys("a", 20000), "every page is served");
    check(Bloom\Filter::list() === ["booth"], "list");
    unlink("$tmpfs/rest");
    unlink("$tmpfs/ballast");
    Bloom\Filter::load("booth", blob_of(keys("b", 20000), 20000));
    check($booth->mightContain("b1"), "with room it works");
    Bloom\Filter::drop("booth");
    Bloom\Filter::drop("small");
    echo implode(" ", tree($tmpfs)), "\n";
', ['bloom.path' => own_file('tmpfs/segment')]), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\SegmentException: {segment}/booth: needs N bytes, N free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
Bloom\SegmentException: {segment}/small: needs 5120 bytes, 0 free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
Bloom\SegmentException: {segment}/booth: needs N bytes, 0 free: the file system has too little free space (free some space, raise --shm-size if you use Docker, or set bloom.path to a larger tmpfs)
segment
