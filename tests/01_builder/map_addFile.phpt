--TEST--
addFile() of a map reads a key, a TAB and a value from each line, and names the number of a line that is none
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, MapBuilder};

$file = own_file('pairs');
/** @return array{int, Blob} */
$read = function (string $text, int $bits = 8) use ($file): array {
    file_put_contents($file, $text);
    $builder = new MapBuilder(100, $bits, seed: 7);
    return [$builder->addFile($file), $builder->build()];
};
foreach ([
    '' => [],
    "a\t1" => ['a' => 1],
    "a\t1\n" => ['a' => 1],
    "a\t1\r\n" => ['a' => 1],
    "a\t1\r\nb\t2\r\n" => ['a' => 1, 'b' => 2],
    "a\t255\nb\t0" => ['a' => 255, 'b' => 0],
    "a\t007\n" => ['a' => 7],
    "\t5\n" => ['' => 5],
    "a\tb\t6\n\t\t7\n" => ["a\tb" => 6, "\t" => 7],
    "a\r\t8\n" => ["a\r" => 8],
    " a \t9\n\xff\0\t10" => [' a ' => 9, "\xff\0" => 10],
    "7\t1\n" => [7 => 1],
] as $text => $pairs) {
    [$lines, $blob] = $read($text);
    check($lines === count($pairs) && $blob->info()->keys === count($pairs), json_encode($text, 512) . " has $lines lines");
    foreach ($pairs as $key => $value) {
        check($blob->get($key) === $value, json_encode($text, 512) . " has $key");
    }
}
[, $blob] = $read("min\t-9223372036854775808\nmax\t9223372036854775807\nm\t-1\nz\t-0\nlong\t000000000000000000000000000012", 64);
check([$blob->get('min'), $blob->get('max'), $blob->get('m'), $blob->get('z'), $blob->get('long')] === [PHP_INT_MIN, PHP_INT_MAX, -1, 0, 12], '64 bits');
[, $blob] = $read("a\t" . PHP_INT_MAX, 63);
check($blob->get('a') === PHP_INT_MAX, '63 bits');

// Bad lines, as the second of three.
foreach ([
    8 => ['no tab', '', "a\t", "a\t ", "a\t 1", "a\t1 ", "a\t+1", "a\t-1", "a\t-0", "a\t1.0", "a\t1e1", "a\t0x1", "a\t256", "a\t1\r\r",
        "a\t99999999999999999999999999", "a\t18446744073709551616", "a 1", "1\tb", "a\t1\t", "a\t\xd9\xa1"],
    63 => ["a\t9223372036854775808", "a\t-1"],
    64 => ["a\t9223372036854775808", "a\t-9223372036854775809", "a\t-", "a\t--1", "a\t18446744073709551615"],
] as $bits => $bad) {
    foreach ($bad as $line) {
        foreach (["$line\nc\t3\n", $line === '' ? "\n" : $line] as $rest) {
            file_put_contents($file, "first\t1\n$rest");
            $builder = new MapBuilder(100, $bits);
            $text = thrown(fn () => $builder->addFile($file));
            check(str_starts_with($text, 'Bloom\BloomException: {segment}.d/pairs: line 2: no value ') && str_contains($text, ': a line must be a key'), json_encode($line, 512) . " with $bits bits: $text");
            check($builder->info()->keys === 1 && $builder->build()->get('first') === 1, 'the line before it is set');
        }
    }
}
file_put_contents($file, "first\t1\nnone\n");
echo thrown(fn () => (new MapBuilder(100, 8))->addFile($file)), "\n";
echo thrown(fn () => (new MapBuilder(100, 8))->addFile(fopen($file, 'r'))), "\n";
echo thrown(fn () => (new MapBuilder(100, 8))->addFile('data:,none')), "\n";
echo thrown(fn () => @(new MapBuilder(100, 8))->addFile(own_file('missing'))), "\n";
file_put_contents($file, "a\t1\n" . str_repeat('x', 1 << 20) . "\t1\n");
echo thrown(fn () => (new MapBuilder(100, 8))->addFile($file)), "\n";
// A line of 1 MiB, and one that two reads contain.
foreach ([(1 << 20) - 2, 262140, 262141, 262142, 262143] as $length) {
    [$lines, $blob] = $read(($key = str_repeat('x', $length)) . "\t7\r\nb\t8"[0] . ($length < 1 << 19 ? "7\r\nb\t8" : "7"));
    check($blob->get($key) === 7, "a key of $length bytes");
}

// Streams, many lines and progress.
$text = '';
$expected = [];
for ($i = 0; $i < 60_000; $i++) {
    $text .= "a key with a long text, so that the file has more than four MiB, and the number $i\t" . ($i * 7919 & 0xFFFFF) . "\r\n";
    $expected["a key with a long text, so that the file has more than four MiB, and the number $i"] = $i * 7919 & 0xFFFFF;
}
file_put_contents($file, $text);
file_put_contents("$file.gz", gzencode($text, 1));
$made = [];
foreach ([$file, "compress.zlib://$file.gz", fopen($file, 'r')] as $n => $source) {
    $reports = [];
    $builder = new MapBuilder(60_000, 20, 0.01, seed: 9, jobs: $n + 1);
    $lines = $builder->addFile($source, function (int $bytes, int $keys) use (&$reports) {
        $reports[] = [$bytes, $keys];
    });
    check($lines === 60_000 && count($reports) >= ($n === 0 ? 2 : 1), "$n: $lines lines, " . count($reports) . ' reports');
    check(end($reports) === [strlen($text), 60_000] && $reports[0][1] > 0, 'the reports');
    $made[] = $builder->build(builtAt: 1.0)->toString();
}
check($made[0] === $made[1] && $made[0] === $made[2], 'the same bytes');
$blob = Blob::fromString($made[0]);
foreach ($expected as $key => $value) {
    if ($blob->get($key) !== $value) {
        die("wrong: $key\n");
    }
}
// An exception of the callback ends the reading.
$builder = new MapBuilder(60_000, 20);
echo thrown(fn () => $builder->addFile($file, fn () => throw new DomainException('enough'))), "\n";
check($builder->info()->keys > 0 && $builder->info()->keys < 60_000, 'the lines before it are set');
// A stream is read from its position.
$stream = fopen($file, 'r');
fgets($stream);
check((new MapBuilder(60_000, 20))->addFile($stream) === 59_999, 'without the first line');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\BloomException: {segment}.d/pairs: line 2: no value from 0 to 255: a line must be a key, a TAB and a value that fits into the value bits
Bloom\BloomException: line 2: no value from 0 to 255: a line must be a key, a TAB and a value that fits into the value bits
Bloom\BloomException: data:,none: line 1: no value from 0 to 255: a line must be a key, a TAB and a value that fits into the value bits
Bloom\BloomException: {segment}.d/missing: cannot be opened: No such file or directory
Bloom\BloomException: {segment}.d/pairs: line 2: a line can be at most 1,048,576 bytes long (end each key with LF, or add longer keys with add())
DomainException: enough
