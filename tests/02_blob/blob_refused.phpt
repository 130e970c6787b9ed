--TEST--
Bytes that are not a complete, valid blob are refused, no matter where they are truncated or which byte is changed
--DESCRIPTION--
fault: not-a-blob
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Blob;

$good = blob_of(keys('k', 40), 40)->toString();
$length = strlen($good);
var_dump($length);
check(Blob::fromString($good)->mightContain('k0'), 'the whole one is accepted');

$texts = [];
for ($cut = 0; $cut < $length; $cut++) {
    $text = thrown(fn () => Blob::fromString(substr($good, 0, $cut)));
    $texts[preg_replace('/\d{2,}|^Bloom\\\\FormatException: \d /', 'N', $text)][] = $cut;
}
foreach ($texts as $text => $cuts) {
    echo min($cuts), '–', max($cuts), " bytes: $text\n";
}

// Changing any single bit or any whole byte makes the blob invalid.
$texts = [];
for ($at = 0; $at < $length; $at++) {
    foreach ([1, 2, 4, 8, 16, 32, 64, 128, 255] as $mask) {
        $bad = $good;
        $bad[$at] = chr(ord($bad[$at]) ^ $mask);
        $text = thrown(fn () => Blob::fromString($bad));
        $texts[preg_replace('/\d{2,}|(?<=version )\d+/', 'N', $text)] = true;
    }
}
ksort($texts);
echo implode("\n", array_keys($texts)), "\n";

// The same for files, truncated at a few representative offsets.
foreach ([0, 1, 7, 511, 512, 4095, 4096, $length - 1] as $cut) {
    file_put_contents(own_file('cut'), substr($good, 0, $cut));
    echo "$cut: ", thrown(fn () => Blob::open(own_file('cut'))), "\n";
    $pipe = popen('cat ' . escapeshellarg(own_file('cut')), 'r');
    check(thrown(fn () => Blob::open($pipe), true) === Bloom\FormatException::class, "cut at $cut from a pipe");
    pclose($pipe);
}
foreach (["\0", str_repeat('x', 1 << 20), $good] as $garbage) {
    file_put_contents(own_file('long'), $good . $garbage);
    echo thrown(fn () => Blob::open(own_file('long'))), "\n";
    echo thrown(fn () => Blob::fromString($good . $garbage)), "\n";
}

// Other kinds of data that a user may mistake for a blob.
foreach ([
    'empty' => '', 'text' => str_repeat("key\n", 300), 'zeros' => str_repeat("\0", 8192),
    'ones' => str_repeat("\xff", 8192), 'gzip' => str_pad("\x1f\x8b\x08", 8192, "\1"),
    'RDB' => str_pad('REDIS0011', 8192, "\0"), 'PHP' => str_pad(serialize(['a' => 1]), 8192),
    'PNG, whose magic looks alike' => str_pad("\x89PNG\r\n\x1a\n", 8192, "\0"),
    'magic alone' => substr($good, 0, 8), 'magic and noise' => substr($good, 0, 8) . str_repeat("\xa5", 8192),
] as $name => $bytes) {
    echo "$name: ", thrown(fn () => Blob::fromString($bytes)), "\n";
}
// If a head claims an enormous size, no memory is allocated for it.
$huge = $good;
foreach ([16, 24, 32] as $field) {
    $huge = substr_replace($huge, pack('P', (1 << 62) + 4096), $field, 8);
}
echo thrown(fn () => Blob::fromString($huge)), "\n";
$pipe = popen('printf %s ' . escapeshellarg(base64_encode($huge)) . ' | base64 -d 2>/dev/null', 'r');
echo thrown(fn () => Blob::open($pipe)), "\n";
pclose($pipe);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
int(5120)
0–9 bytes: Nbytes: too short to be a blob
10–511 bytes: Bloom\FormatException: N bytes: too short to be a blob
512–4095 bytes: Bloom\FormatException: N bytes, but the head alone needs N: the length does not match the head
4096–5119 bytes: Bloom\FormatException: N bytes instead of N: the length does not match the head
Bloom\FormatException: N bytes, but the head alone needs N: the length does not match the head
Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
Bloom\FormatException: format version N: this build reads only blobs of format version N (build the blob again with this version of the extension, or upgrade the extension if the blob's format version is higher)
Bloom\FormatException: head of 0 bytes: the head's size does not match its tables
Bloom\FormatException: head of N bytes: the head's size does not match its tables
Bloom\FormatException: head: the head's checksum does not match
Bloom\FormatException: shard 0: the shard's checksum does not match
0: Bloom\FormatException: {segment}.d/cut: 0 bytes: too short to be a blob
1: Bloom\FormatException: {segment}.d/cut: 1 bytes: too short to be a blob
7: Bloom\FormatException: {segment}.d/cut: 7 bytes: too short to be a blob
511: Bloom\FormatException: {segment}.d/cut: 511 bytes: too short to be a blob
512: Bloom\FormatException: {segment}.d/cut: 512 bytes, but the head alone needs 4096: the length does not match the head
4095: Bloom\FormatException: {segment}.d/cut: 4095 bytes, but the head alone needs 4096: the length does not match the head
4096: Bloom\FormatException: {segment}.d/cut: 4096 bytes instead of 5120: the length does not match the head
5119: Bloom\FormatException: {segment}.d/cut: 5119 bytes instead of 5120: the length does not match the head
Bloom\FormatException: {segment}.d/long: there are bytes after the blob's end: the length does not match the head
Bloom\FormatException: 5121 bytes instead of 5120: the length does not match the head
Bloom\FormatException: {segment}.d/long: there are bytes after the blob's end: the length does not match the head
Bloom\FormatException: 1053696 bytes instead of 5120: the length does not match the head
Bloom\FormatException: {segment}.d/long: there are bytes after the blob's end: the length does not match the head
Bloom\FormatException: 10240 bytes instead of 5120: the length does not match the head
empty: Bloom\FormatException: 0 bytes: too short to be a blob
text: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
zeros: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
ones: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
gzip: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
RDB: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
PHP: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
PNG, whose magic looks alike: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
magic alone: Bloom\FormatException: 8 bytes: too short to be a blob
magic and noise: Bloom\FormatException: format version 2779096485: this build reads only blobs of format version 2 (build the blob again with this version of the extension, or upgrade the extension if the blob's format version is higher)
Bloom\FormatException: 5120 bytes, but the head alone needs 4611686018427392000: the length does not match the head
Bloom\FormatException: 8796093022208 bytes, but the head alone needs 4611686018427392000: the length does not match the head
