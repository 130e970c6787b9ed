--TEST--
Thousands of handles and filters leave no mappings or descriptors behind
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_handles
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
use Bloom\Filter;

for ($i = 0; $i < 50; $i++) {
    Filter::load("f$i", blob_of(["k$i"], 10));
}
$handles = [];
for ($round = 0; $round < 200; $round++) {
    for ($i = 0; $i < 50; $i++) {
        $handles[] = $booth = Filter::open("f$i");
        check($booth->mightContain("k$i"), "f$i");
    }
}
$maps = fn () => substr_count(file_get_contents('/proc/self/maps'), segment_path());
check($maps() <= 100, $maps() . ' mappings of 50 filters');
$files = count(glob('/proc/self/fd/*'));
for ($i = 0; $i < 50; $i++) {
    Filter::drop("f$i");
}
foreach (array_slice($handles, 0, 50) as $handle) {
    check(thrown(fn () => $handle->mightContain('x'), true) === Bloom\NotFoundException::class, 'dropped');
}
$handles = $booth = $handle = null;
for ($i = 0; $i < 50; $i++) {
    check(Filter::find("f$i") === null, 'gone');
}
check($maps() === 0, $maps() . ' mappings are left');
check(count(glob('/proc/self/fd/*')) === $files, 'no descriptor is left open');

// Reloads leave no mappings or descriptors behind either.
$booth = Filter::load('booth', blob_of(['a']));
for ($i = 0; $i < 300; $i++) {
    Filter::load('booth', blob_of(["k$i"], 10));
    check($booth->mightContain("k$i"), "k$i");
}
check($maps() === 2, $maps() . ' mappings of one filter');
check(count(glob('/proc/self/fd/*')) === $files, 'no descriptor is left open');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
