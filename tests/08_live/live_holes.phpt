--TEST--
A sparse copy of a file is refused before it can crash the process on a full file system
--DESCRIPTION--
fault: sparse-copy
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/tmpfs.inc';
skip_without_tmpfs();
skip_without_linux_calls();
?>
--INI--
bloom.path={TMP}/bloom-live_holes
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/tmpfs.inc';

$code = <<<'CODE'
require $includes . '/live.inc';
require $includes . '/ondemand.inc';
use Bloom\Filter;

$blob = blob_of(keys('k', 10), 100_000);
$store = store_of($blob, 'ondemand');
$make = function (string $kind) use ($blob, $store): void {
    match ($kind) {
        'loaded' => Filter::load($kind, $blob),
        'ondemand' => Filter::attach($kind, $store, 1 << 17)->mightContain('k1'),
        default => put(made($kind, $kind === 'scalable' ? 200_000 : 20_000), 'k1'),
    };
};
// Returns the result of a process that has not used the filter before. It looks up enough keys to touch every page.
$ask = fn (string $kind): string => run('require ' . var_export("$includes/live.inc", true) . ';
    echo thrown(function () {
        $filter = Bloom\Filter::open("' . $kind . '");
        $before = count($filter->candidates(keys("x", 20000)));
        $filter instanceof Bloom\LoadedFilter || $filter instanceof Bloom\OnDemandFilter || array_map(fn ($key) => put($filter, $key), keys("y", 20000));
        $filter->info();
    });', ['bloom.path' => segment_path()]);
foreach ([...KINDS, 'loaded', 'ondemand'] as $kind) {
    $make($kind);
    $whole = $ask($kind);
    check($whole === 'nothing', "$kind: $whole");
    Filter::drop($kind);
    $make($kind);
    foreach (glob(in_segment("$kind/*.bloom")) as $file) {
        shell_exec('cp -p --sparse=always ' . escapeshellarg($file) . ' ' . escapeshellarg("$tmpfs/copy") . ' && mv ' . escapeshellarg("$tmpfs/copy") . ' ' . escapeshellarg($file));
    }
    shell_exec('cat /dev/zero >' . escapeshellarg("$tmpfs/ballast") . ' 2>/dev/null');
    $said = $ask($kind);
    unlink("$tmpfs/ballast");
    echo "$kind: ", preg_replace(['/\b\d+ of \d+\b/', '/[0-9a-f]{16}/'], ['{some} of {all}', '{number}'], $said), "\n";
    // A load repairs a loaded filter. A live filter has to be created again.
    $kind === 'loaded' || Filter::drop($kind);
    $make($kind);
    $said = $ask($kind);
    check($said === 'nothing', "$kind heals: $said");
    Filter::drop($kind);
}
CODE;
echo run_on_tmpfs('4m', '$includes = ' . var_export(dirname(__DIR__) . '/lib', true) . "; $code", ['bloom.path' => own_file('tmpfs/segment')]), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
live: Bloom\SegmentException: {segment}/live: {number}.bloom: only {some} of {all} bytes are allocated: refused: the file has holes, which can kill the process when the file system is full (load the filter again, or drop it if it is live)
counting: Bloom\SegmentException: {segment}/counting: {number}.bloom: only {some} of {all} bytes are allocated: refused: the file has holes, which can kill the process when the file system is full (load the filter again, or drop it if it is live)
scalable: Bloom\SegmentException: {segment}/scalable: {number}.bloom: only {some} of {all} bytes are allocated: refused: the file has holes, which can kill the process when the file system is full (load the filter again, or drop it if it is live)
sliding: Bloom\SegmentException: {segment}/sliding: {number}.bloom: only {some} of {all} bytes are allocated: refused: the file has holes, which can kill the process when the file system is full (load the filter again, or drop it if it is live)
reverse: Bloom\SegmentException: {segment}/reverse: {number}.bloom: only {some} of {all} bytes are allocated: refused: the file has holes, which can kill the process when the file system is full (load the filter again, or drop it if it is live)
loaded: Bloom\SegmentException: {segment}/loaded: {number}.bloom: only {some} of {all} bytes are allocated: refused: the file has holes, which can kill the process when the file system is full (load the filter again, or drop it if it is live)
ondemand: Bloom\SegmentException: {segment}/ondemand: {number}.bloom: only {some} of {all} bytes are allocated: refused: the file has holes, which can kill the process when the file system is full (load the filter again, or drop it if it is live)
