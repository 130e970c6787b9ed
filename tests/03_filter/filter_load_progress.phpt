--TEST--
load() reports progress, and changes nothing if the callback throws or exits
--DESCRIPTION--
fault: callback-throws
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_load_progress
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$builder = new Bloom\Builder(10_000_000, seed: 1);
$builder->addMany(keys('new', 100));
$large = $builder->build(1.0, 5);
$booth = Filter::load('booth', blob_of(['old']));
$files = tree(segment_path());

$reports = [];
$seen = null;
Filter::load('other', $large, function (int $bytes, int $total) use (&$reports, &$seen) {
    $reports[] = [$bytes, $total];
    $seen ??= Filter::find('other') !== null;
});
$size = $large->info()->bytes;
check(count($reports) >= 3 && end($reports) === [$size, $size], json_encode($reports));
check($seen === false, 'not served before it is whole');
Filter::drop('other');

echo thrown(fn () => Filter::load('booth', $large, fn () => throw new RuntimeException('stop'))), "\n";
check($booth->mightContain('old') && !$booth->mightContain('new1'), 'the old one is served');
check(tree(segment_path()) === $files, 'nothing is left: ' . implode(' ', tree(segment_path())));

$large->save(own_file('large'));
foreach ([
    'exit' => 'exit("left");',
    'fatal' => 'eval("class A extends NoSuchClass {}");',
    'memory' => exhaust_memory(),
] as $name => $end) {
    $text = run('Bloom\Filter::load("booth", Bloom\Blob::open(own_file("large")), function () { ' . $end . ' });');
    echo "$name: ", preg_match('/left|Fatal error: [A-Z][a-z]+/', $text, $match) ? $match[0] : $text, "\n";
    check($booth->mightContain('old'), "$name: the old one is served");
    check(tree(segment_path()) === $files, "$name: nothing is left: " . implode(' ', tree(segment_path())));
}

// A callback that loads, drops and looks up the same name.
$inner = 0;
Filter::load('booth', $large, function () use ($booth, &$inner) {
    if ($inner++ === 0) {
        check($booth->mightContain('old'), 'lookups work inside');
        Filter::load('booth', blob_of(['inner']));
        check($booth->mightContain('inner'), 'so does a load');
    }
});
check($booth->mightContain('new1') && !$booth->mightContain('inner'), 'the outer one ended later and is served');
echo thrown(fn () => Filter::load('booth', $large, fn () => Filter::drop('booth'))), "\n";
echo thrown(fn () => $booth->mightContain('new1')), "\n";
Filter::load('booth', blob_of(['old']));
check($booth->mightContain('old'), 'and it goes on');
Filter::drop('booth');
check(tree(segment_path()) === [], 'nothing is left: ' . implode(' ', tree(segment_path())));
echo thrown(fn () => Filter::load('booth', 'text')), "\n";
echo thrown(fn () => Filter::load('booth', $large, 'no_function')), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
RuntimeException: stop
exit: left
fatal: Fatal error: Uncaught
memory: Fatal error: Allowed
nothing
nothing
TypeError: Bloom\Filter::load(): Argument #2 ($blob) must be of type Bloom\Blob, string given
TypeError: Bloom\Filter::load(): Argument #3 ($progress) must be a valid callback or null, function "no_function" not found or invalid function name
