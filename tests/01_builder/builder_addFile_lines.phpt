--TEST--
addFile() adds one key per line or a field of it, lines end with LF or CR LF, and a line of more than 1 MiB or without the field is refused with its number
--DESCRIPTION--
fault: no-line-ends
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$file = own_file('keys');
function lines(string $text): array
{
    global $file;
    file_put_contents($file, $text);
    $builder = new Bloom\Builder(100, seed: 7);
    $read = $builder->addFile($file);
    check($read === $builder->info()->added, 'every line is a key');
    return [$read, $builder->info()->keys, $builder->build()];
}

foreach ([
    '' => [0, []],
    "\n" => [1, ['']],
    "a" => [1, ['a']],
    "a\n" => [1, ['a']],
    "a\r\n" => [1, ['a']],
    "a\r" => [1, ['a']],
    "a\n\nb" => [3, ['a', '', 'b']],
    "a\r\n\r\nb\r\n" => [3, ['a', '', 'b']],
    "a\rb\n" => [1, ["a\rb"]],
    "a\r\r\n" => [1, ["a\r"]],
    " a \n\tb" => [2, [' a ', "\tb"]],
    "a\0b\n\xff" => [2, ["a\0b", "\xff"]],
    "7\n07\n" => [2, ['7', '07']],
] as $text => [$count, $keys]) {
    [$read, $new, $blob] = lines($text);
    check($read === $count && $new === count($keys), json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE) . " has $count lines, not $read, $new new");
    foreach ($keys as $key) {
        check($blob->mightContain($key), json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE) . ' has ' . json_encode($key, JSON_INVALID_UTF8_SUBSTITUTE));
    }
}

// Lines that are longer than one read, and a CR LF at every position around the end of a read.
foreach ([262143, 262144, 262145, 600000] as $length) {
    foreach (["\n", "\r\n"] as $end) {
        [$read, $new, $blob] = lines(($key = str_repeat('x', $length)) . $end . "last$end");
        check($read === 2 && $blob->mightContain($key) && $blob->mightContain('last'), "a line of $length bytes");
    }
}
// A line has at most 1 MiB, no matter how it is read.
$long = str_repeat('x', 1 << 20);
[$read, , $blob] = lines("a\n$long\nb");
check($read === 3 && $blob->mightContain($long) && $blob->mightContain('b'), 'a line of 1 MiB');
file_put_contents($file, "a\n\n{$long}x\nb\n");
file_put_contents(own_file('zeros'), str_repeat("\0", 1 << 23));
foreach ([1, 3] as $jobs) {
    foreach ([$file, fopen($file, 'rb'), own_file('zeros')] as $source) {
        $builder = new Bloom\Builder(100, seed: 7, jobs: $jobs);
        $message = thrown(fn () => $builder->addFile($source));
        if ($jobs === 1) {
            echo $message, "\n";
        }
        check(str_contains($message, 'line ' . ($builder->info()->added + 1) . ': '), "with $jobs jobs: $message");
        check($builder->info()->added === ($source === own_file('zeros') ? 0 : 2), 'the lines before it were added');
    }
}
// A key can be one field of a line.
foreach ([
    'one:1' => [1, ':', ['one']],
    "one:1\r\ntwo:2:3\nthree\n\n:5\n" => [1, ':', ['one', 'two', 'three', '', '']],
    "a\tb\r\na\tc\td\r" => [2, "\t", ['b', 'c']],
    "::x:y\n" => [3, ':', ['x']],
    "a\0b" => [2, "\0", ['b']],
] as $text => [$field, $delimiter, $keys]) {
    file_put_contents($file, $text);
    $builder = new Bloom\Builder(100, 1e-6, seed: 7);
    check($builder->addFile($file, field: $field, delimiter: $delimiter) === count($keys), json_encode($text));
    check($builder->info()->keys === count(array_unique($keys)), json_encode($text) . ' has no other keys');
    $blob = $builder->build();
    check(array_diff($keys, $blob->candidates($keys)) === [], json_encode($text) . ' has its keys');
}
$pairs = implode('', array_map(fn (int $i): string => "key-$i\t$i\n", range(1, 200_000)));
file_put_contents($file, "{$pairs}short\n$pairs");
foreach ([1, 3] as $jobs) {
    $builder = new Bloom\Builder(200_000, seed: 7, jobs: $jobs);
    $message = thrown(fn () => $builder->addFile($file, null, 2));
    if ($jobs === 1) {
        echo $message, "\n";
    }
    check(str_contains($message, 'line 200001: no field 2: '), "with $jobs jobs: $message");
    check($builder->info()->added === 200_000, 'the lines before it were added');
}
foreach ([['field' => 0], ['field' => 1_001], ['delimiter' => ''], ['field' => 1, 'delimiter' => '::'], ['delimiter' => "\n"], ['delimiter' => "\r"], ['delimiter' => ':']] as $arguments) {
    echo thrown(fn () => $builder->addFile($file, ...$arguments)), "\n";
}
// The same keys as a loop of PHP, with the line of the first error.
for ($seed = 1; $seed <= 40; $seed++) {
    mt_srand($seed);
    $delimiter = ["\t", ':', "\0", "\xff", ' '][mt_rand(0, 4)];
    $field = mt_rand(1, 3);
    $words = [$delimiter, $delimiter, "\r", "\0", '', 'word', "\r\n", "\n", "$delimiter$delimiter$delimiter\n"];
    $text = '';
    for ($i = mt_rand(0, $seed % 10 === 0 ? 40_000 : 400); $i > 0; $i--) {
        $text .= $seed % 3 === 0
            ? $words[mt_rand(0, 8)]
            : $words[mt_rand(0, 5)] . str_repeat("$i$delimiter", 2) . $words[mt_rand(0, 5)] . ["\n", "\r\n"][mt_rand(0, 1)];
    }
    [$keys, $expectedError] = [[], 'nothing'];
    foreach ($text === '' ? [] : explode("\n", preg_replace('/\n\z/', '', $text)) as $line) {
        $fields = explode($delimiter, preg_replace('/\r\z/', '', $line));
        if (!isset($fields[$field - 1])) {
            $expectedError = 'line ' . count($keys) + 1 . ": no field $field: ";
            break;
        }
        $keys[] = $fields[$field - 1];
    }
    file_put_contents($file, $text);
    $loop = new Bloom\Builder(50_000, seed: 7);
    $loop->addMany($keys);
    $expected = $loop->build(builtAt: 5)->toString();
    foreach ([1, 3] as $jobs) {
        $builder = new Bloom\Builder(50_000, seed: 7, jobs: $jobs);
        $said = thrown(fn () => $builder->addFile($file, null, $field, $delimiter));
        check(str_contains($said, $expectedError), "seed $seed, $jobs jobs: $said");
        check($builder->build(builtAt: 5)->toString() === $expected, "seed $seed, $jobs jobs: the keys");
    }
}
mt_srand(20240101);
$keys = [];
for ($i = 0; $i < 40000; $i++) {
    $keys[] = str_repeat(chr(97 + $i % 26), mt_rand(0, 40)) . $i;
}
file_put_contents($file, implode("\r\n", $keys));
$builder = new Bloom\Builder(40000, seed: 7);
var_dump($builder->addFile($file));
$blob = $builder->build();
foreach ($keys as $key) {
    if (!$blob->mightContain($key)) {
        die("lost: $key\n");
    }
}
$same = new Bloom\Builder(40000, seed: 7);
$same->addMany($keys);
var_dump($same->build(builtAt: 5)->toString() === (function () use ($file) {
    $builder = new Bloom\Builder(40000, seed: 7);
    $builder->addFile($file);
    return $builder->build(builtAt: 5)->toString();
})());
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\BloomException: {segment}.d/keys: line 3: a line can be at most 1,048,576 bytes long (end each key with LF, or add longer keys with add())
Bloom\BloomException: line 3: a line can be at most 1,048,576 bytes long (end each key with LF, or add longer keys with add())
Bloom\BloomException: {segment}.d/zeros: line 1: a line can be at most 1,048,576 bytes long (end each key with LF, or add longer keys with add())
Bloom\BloomException: {segment}.d/keys: line 200001: no field 2: each line must have the field that is the key (fields count from 1, and the delimiter is a tab by default)
ValueError: Bloom\Builder::addFile(): Argument #3 ($field) must be between 1 and 1,000
ValueError: Bloom\Builder::addFile(): Argument #3 ($field) must be between 1 and 1,000
ValueError: Bloom\Builder::addFile(): Argument #4 ($delimiter) must be one byte, but neither CR nor LF
ValueError: Bloom\Builder::addFile(): Argument #4 ($delimiter) must be one byte, but neither CR nor LF
ValueError: Bloom\Builder::addFile(): Argument #4 ($delimiter) must be one byte, but neither CR nor LF
ValueError: Bloom\Builder::addFile(): Argument #4 ($delimiter) must be one byte, but neither CR nor LF
ValueError: Bloom\Builder::addFile(): Argument #3 ($field) must not be null if $delimiter is not a tab
int(40000)
bool(true)
