--TEST--
A name has 1 to 128 of the characters A-Z a-z 0-9 . _ - and does not start with . or -
--DESCRIPTION--
fault: invalid-name
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_names
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$blob = blob_of(['a']);
$good = ['a', 'A', '0', '_', '_x', 'a.b', 'a-b', 'a..b', 'booth_tags', 'x.bloom', 'control', 'a.tmp', str_repeat('n', 128)];
foreach ($good as $name) {
    check(Filter::load($name, $blob)->name() === $name, $name);
    check(Filter::open($name)->mightContain('a'), "$name works");
}
sort($good);
check(Filter::list() === $good, 'list() is sorted: ' . implode(' ', Filter::list()));
foreach (['', '.', '..', '.a', '-a', '/', 'a/b', '../a', 'a b', "a\0", "\0", "a\n", 'ä', 'a:b', 'a\\b', str_repeat('n', 129), str_repeat('n', 100000)] as $bad) {
    foreach ([
        fn () => Filter::open($bad), fn () => Filter::find($bad), fn () => Filter::drop($bad),
        fn () => Filter::load($bad, $blob),
        fn () => Filter::sync($bad, new Bloom\DirectoryStore(own_file())),
        fn () => $blob->publish(new Bloom\DirectoryStore(own_file()), $bad),
        fn () => Bloom\Blob::fetch(new Bloom\DirectoryStore(own_file()), $bad),
    ] as $i => $call) {
        $text = thrown($call);
        check(str_starts_with($text, 'ValueError: Bloom\\') && str_contains($text, 'must be 1 to 128 of the characters'), "$i for " . json_encode(substr($bad, 0, 9)) . ": $text");
    }
}
echo thrown(fn () => Filter::open('a/b')), "\n";
echo thrown(fn () => $blob->publish(new Bloom\DirectoryStore(own_file()), '')), "\n";
foreach ($good as $name) {
    check(Filter::drop($name) === true, "dropped $name");
}
check(Filter::list() === [] && tree(segment_path()) === [], 'nothing is left: ' . implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ValueError: Bloom\Filter::open(): Argument #1 ($name) must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
ValueError: Bloom\Blob::publish(): Argument #2 ($name) must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
