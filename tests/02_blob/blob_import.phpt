--TEST--
An imported filter gives the answers of the program that wrote it, and bytes that are not a whole filter are refused
--DESCRIPTION--
fault: foreign-dump
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-blob_import
bloom.signing_key_file={TMP}/bloom-blob_import.d/signing-keys
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/foreign.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Blob;
use Bloom\Filter;
use Bloom\ForeignFormat;

file_put_contents(own_file('signing-keys'), str_repeat('5a', 32) . "\n");
chmod(own_file('signing-keys'), 0600);
$absent = absent_keys();
$signed = fn (Blob $blob, string $name = 'tags'): Blob => has_sodium() ? $blob->sign($name) : $blob;

foreach (FOREIGN as $name => [$format]) {
    $blob = foreign_blob($name);
    $info = $blob->info();
    check($info->scheme === Bloom\Scheme::Foreign && $info->format->value === trim($format, '[]'), "$name: format");
    check($blob->candidates($keys = foreign_keys($name)) === $keys, "$name: its keys");
    check(array_values($blob->candidates($absent)) === foreign_maybes($name), "$name: the answers to absent keys");
    check($blob->mightContain('key:0') && $blob->mightContain($absent[7]) === in_array($absent[7], foreign_maybes($name), true), "$name: one by one");
    check(abs($info->keys - count($keys)) <= count($keys) * 0.02 && $info->keys === $info->estimatedKeys, "$name: $info->keys keys");
    check($info->builtAt === 1_700_000_000.0 && $info->seed === 0 && $info->groups === null && $info->mark === null, "$name: head");
    $expected = count(foreign_maybes($name)) / count($absent);
    check(abs($info->measuredFalsePositiveRate - $expected) < 0.004, "$name: rate $info->measuredFalsePositiveRate, found $expected");
    check($info->fill > 0.0005 && $info->fill <= 0.6, "$name: fill $info->fill");
    check(Blob::fromString($blob->toString())->info() == $info, "$name: round trip");
    echo "$name {$info->format->name} $info->layers $info->digest\n";
}

// The zeros after a layer do not count.
check(round(foreign_blob('guava64-1000')->info()->fill, 2) === 0.52, 'fill of 9,600 bits in two shards');

// Like any other blob, it can be published, fetched, synced and signed.
$blob = $signed(foreign_blob('redisbloom-dump-1000'));
$store = new ScriptedStore;
$blob->publish($store, 'tags');
check(Blob::fetch($store, 'tags')->toString() === $blob->toString(), 'fetched');
check(switched(Filter::sync('tags', $store, 0)), 'synced');
check(array_values(Filter::open('tags')->candidates($absent)) === foreign_maybes('redisbloom-dump-1000'), 'served');
check(Blob::versions($store, 'tags')[0]->checksum === $blob->info()->checksum, 'listed');

// A key that was added since the last import changes a chunk.
$more = $signed(foreign_blob('redisbloom-nonscaling-dump-1000', 1_700_000_001));
check($more->publish($store, 'tags')['chunksWritten'] === 1 && switched(Filter::sync('tags', $store, 0)), 'the next import');

// What an imported filter cannot do.
$builder = new Bloom\Builder(1500, seed: 1);
$builder->add('key');
foreach ([
    fn () => Bloom\Builder::like($blob),
    fn () => Bloom\ReverseIndexBuilder::like($blob),
    fn () => new Bloom\Builder(1500, scheme: Bloom\Scheme::Foreign),
    fn () => $blob->merge($builder->build()),
    fn () => Bloom\LiveFilter::import('live', $signed(foreign_blob('redisbloom-dump-1000'), 'live')),
    fn () => Bloom\LiveFilter::create('live', 1500)->merge($blob),
    fn () => Filter::attach('large', store_of($signed(foreign_blob('guava64-1000'), 'large'), 'large'), 1 << 20),
] as $call) {
    echo thrown($call), "\n";
}
$head = substr(foreign_blob('guava64-1000')->toString(), 0, 4096);
$marked = substr(substr_replace($head, pack('P', 1), 320, 8), 0, -8);
echo thrown(fn () => Blob::fromString($marked . strrev(hash('xxh3', $marked, true)))), "\n";

// Arguments.
$string = foreign_bytes('valkeyprob-1000');
$prob = ForeignFormat::ValkeyProb;
foreach ([
    fn () => Blob::import($string, $prob),
    fn () => Blob::import($string, $prob, 1000),
    fn () => Blob::import($string, $prob, 0, 0.01),
    fn () => Blob::import($string, $prob, 1000, 0.0),
    fn () => Blob::import($string, $prob, 1000, NAN),
    fn () => Blob::import($string, null, 1000, 0.01),
    fn () => Blob::import(foreign_bytes('guava64-1000'), ForeignFormat::Guava, 1000, 0.01),
    fn () => Blob::import(foreign_bytes('guava64-1000'), ForeignFormat::Guava, source: str_repeat('x', 129)),
    fn () => Blob::import(foreign_bytes('guava64-1000'), ForeignFormat::Guava, builtAt: -1.0),
] as $call) {
    echo thrown($call, class: true), preg_match('/Argument #\d \(\$\w+\)/', thrown($call), $found) ? " $found[0]" : ' ?', "\n";
}

// A valkeyprob string does not contain its size, but a wrong size rarely explains its length.
foreach ([[999, 0.01], [1000, 0.011], [10_000, 0.01], [1000, 0.02], [500, 0.01]] as [$capacity, $rate]) {
    check(thrown(fn () => Blob::import($string, $prob, $capacity, $rate), class: true) === 'Bloom\FormatException', "$capacity, $rate");
}

check($signed(Blob::import($string, $prob, 1001, 0.01))->candidates(foreign_keys('valkeyprob-1000')) !== foreign_keys('valkeyprob-1000'), 'only lookups find this out');

// Only the payload of DUMP is recognized, and a format that is given must be the right one.
foreach (['guava64-1000', 'valkeyprob-1000', 'redisbloom-scandump-1000'] as $name) {
    $code = 0;
    try {
        Blob::import(foreign_bytes($name));
    } catch (Bloom\FormatException $error) {
        $code = $error->getCode();
    }
    check($code === Bloom\Status::ForeignFormat->value, "$name is not guessed");
}
foreach (['redisbloom-dump-1000' => ForeignFormat::ValkeyBloom, 'valkeybloom-dump-1000' => ForeignFormat::RedisBloom,
    'guava64-1000' => ForeignFormat::RedisBloom, 'valkeyprob-1000' => ForeignFormat::Guava] as $name => $other) {
    check(thrown(fn () => Blob::import(foreign_bytes($name), $other), class: true) === 'Bloom\FormatException', "$name as $other->value");
}

// No part of a file is a whole filter. A dump has a checksum, so no bit of it may differ, either.
foreach (['redisbloom-dump-10', 'valkeybloom-dump-10', 'guava64-1000'] as $name) {
    $bytes = foreign_bytes($name);
    $format = ForeignFormat::tryFrom(FOREIGN[$name][0]);
    for ($length = 0; $length < strlen($bytes); $length += 7) {
        check(str_starts_with(thrown(fn () => Blob::import(substr($bytes, 0, $length), $format)), 'Bloom\FormatException'), "$length bytes of $name");
    }
    check(thrown(fn () => Blob::import("$bytes\0", $format), class: true) === 'Bloom\FormatException', "$name and a byte");
    for ($i = $format === null ? 0 : strlen($bytes); $i < strlen($bytes); $i += 5) {
        $changed = $bytes;
        $changed[$i] = chr(ord($changed[$i]) ^ 1 << $i % 8);
        check(thrown(fn () => Blob::import($changed), class: true) === 'Bloom\FormatException', "byte $i of $name");
    }
}

// A filter without keys would deny all of them.
foreach ([[foreign_bytes('redisbloom-dump-0')], ['', $prob, 1000, 0.01], [substr(foreign_bytes('guava64-1000'), 0, 6) . str_repeat("\0", 1200), ForeignFormat::Guava]] as $arguments) {
    try {
        Blob::import(...$arguments);
        echo "accepted\n";
    } catch (Bloom\FormatException $error) {
        check($error->getCode() === Bloom\Status::ForeignEmpty->value, 'empty: ' . $error->getMessage());
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
redisbloom-dump-1000 RedisBloom 4 MurmurHash64A
redisbloom-scandump-1000 RedisBloom 4 MurmurHash64A
redisbloom-nonscaling-dump-1000 RedisBloom 1 MurmurHash64A
redisbloom-dump-10 RedisBloom 1 MurmurHash64A
valkeybloom-dump-1000 ValkeyBloom 4 SipHash-1-3
valkeybloom-nonscaling-dump-1000 ValkeyBloom 1 SipHash-1-3
valkeybloom-dump-10 ValkeyBloom 1 SipHash-1-3
guava64-1000 Guava 1 MurmurHash3 x64_128
guava32-1000 Guava 1 MurmurHash3 x64_128
valkeyprob-1000 ValkeyProb 1 MurmurHash3 x64_128
ValueError: Bloom\Builder::like(): Argument #1 ($previous) must not be an imported filter (build a new one)
ValueError: Bloom\ReverseIndexBuilder::like(): Argument #1 ($previous) must be a reverse index (for other blobs use Bloom\Builder::like())
ValueError: Bloom\Builder::__construct(): Argument #9 ($scheme) must not be Bloom\Scheme::Foreign without a $format: Blob::import() makes other such blobs
Bloom\KindException: scheme foreign: an imported filter cannot be extended, merged or held on demand
Bloom\KindException: scheme foreign: an imported filter cannot be extended, merged or held on demand
Bloom\KindException: scheme foreign: an imported filter cannot be extended, merged or held on demand
Bloom\KindException: large: an imported filter cannot be extended, merged or held on demand
Bloom\FormatException: head: a reserved byte is not zero
ValueError Argument #3 ($capacity)
ValueError Argument #4 ($falsePositiveRate)
ValueError Argument #3 ($capacity)
ValueError Argument #4 ($falsePositiveRate)
ValueError Argument #4 ($falsePositiveRate)
ValueError Argument #3 ($capacity)
ValueError Argument #3 ($capacity)
ValueError Argument #5 ($source)
ValueError Argument #6 ($builtAt)
