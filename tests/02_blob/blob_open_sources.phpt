--TEST--
Blob::open() names the file that it cannot open or read, and reports progress
--DESCRIPTION--
fault: not-a-blob
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Blob;

echo thrown(fn () => Blob::open(own_file('missing'))), "\n";
echo thrown(fn () => @Blob::open(own_file())), "\n";
foreach (['', "a\0b", null, 5, [], stream_context_create()] as $wrong) {
    echo thrown(fn () => Blob::open($wrong)), "\n";
}
$closed = fopen('php://memory', 'r');
fclose($closed);
echo thrown(fn () => Blob::open($closed)), "\n";
foreach ([null, [], new stdClass] as $wrong) {
    echo @thrown(fn () => Blob::fromString($wrong)), "\n";
}

// Progress is reported about every 4 MiB. The last report has the whole size.
$blob = blob_of([], 1, 0, bitsPerKey: 1.0, shardBytes: 1024);
$builder = new Bloom\Builder(10_000_000, seed: 1, source: 'large');
$builder->addMany(keys('k', 100));
$blob = $builder->build(1.0, 5);
$blob->save(own_file('large'));
$reports = [];
$again = Blob::open(own_file('large'), function (int $bytes, int $total) use (&$reports) {
    $reports[] = [$bytes, $total];
});
check(count($reports) >= 3, count($reports) . ' reports');
check(end($reports) === [$blob->info()->bytes, $blob->info()->bytes], 'the last is the whole');
for ($i = 1; $i < count($reports); $i++) {
    check($reports[$i][0] >= $reports[$i - 1][0] && $reports[$i][1] === $reports[0][1], 'they rise');
}
echo thrown(fn () => Blob::open(own_file('large'), fn () => throw new RuntimeException('stop'))), "\n";
$stream = fopen(own_file('large'), 'r');
echo thrown(fn () => Blob::open($stream, function () use ($stream) {
    fclose($stream);
})), "\n";
echo run('Bloom\Blob::open(own_file("large"), function () { exit("left"); });'), "\n";
check($again->mightContain('k99'), 'it works');

// A blob's memory does not count towards memory_limit.
echo run('$blob = Bloom\Blob::open(own_file("large")); var_dump($blob->mightContain("k5"));', ['memory_limit' => '4M']), "\n";

// A message has the URL, but not its user and password, which may contain an @.
$url = 'http://me:sec@ret@127.0.0.1:1/a@b';
foreach ([fn () => Bloom\Blob::open($url), fn () => (new Bloom\Builder(9))->addFile($url), fn () => (new Bloom\Builder(9))->build()->save($url)] as $call) {
    $said = @thrown($call);
    check(str_starts_with($said, 'Bloom\BloomException: http://127.0.0.1:1/a@b: '), $said);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\BloomException: {segment}.d/missing: cannot be opened: No such file or directory
Bloom\BloomException: {segment}.d: cannot be opened: Is a directory
ValueError: Bloom\Blob::open(): Argument #1 ($file) must be a path without null bytes
ValueError: Bloom\Blob::open(): Argument #1 ($file) must be a path without null bytes
TypeError: Bloom\Blob::open(): Argument #1 ($file) must be of type string|resource, null given
TypeError: Bloom\Blob::open(): Argument #1 ($file) must be of type string|resource, int given
TypeError: Bloom\Blob::open(): Argument #1 ($file) must be of type string|resource, array given
TypeError: Bloom\Blob::open(): supplied resource is not a valid stream resource
TypeError: Bloom\Blob::open(): supplied resource is not a valid stream resource
Bloom\FormatException: 0 bytes: too short to be a blob
TypeError: Bloom\Blob::fromString(): Argument #1 ($bytes) must be of type string, array given
TypeError: Bloom\Blob::fromString(): Argument #1 ($bytes) must be of type string, stdClass given
RuntimeException: stop
Bloom\BloomException: The stream was closed during the read
left
bool(true)
