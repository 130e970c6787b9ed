--TEST--
Blob::open() throws a typed error and never causes SIGBUS if the file is truncated, overwritten or hole-punched during the read
--DESCRIPTION--
fault: file-changed-while-read
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Blob;

// The file is 12 MB long. The progress callback runs every 4 MiB or so, so it can change the file in the middle of the
// read. Each case runs in its own process, so that a crash is reported.
$builder = new Bloom\Builder(10_000_000, seed: 1);
$builder->addMany(keys('k', 1000));
$builder->build(1.0)->save(own_file('whole'));
$bytes = filesize(own_file('whole'));
check($bytes > 9 << 20, 'it is read in several steps');

function opened(string $change): string
{
    copy(own_file('whole'), own_file('blob'));
    // The numbers depend on PHP's stream buffers.
    return preg_replace('~\d+~', 'N', run('
        $file = own_file("blob");
        $bytes = filesize($file);
        $done = false;
        echo thrown(function () use ($file, $bytes, &$done) {
            Bloom\Blob::open($file, function () use ($file, $bytes, &$done) {
                if (!$done) { $done = true; ' . $change . ' }
            });
        }), $done ? "" : " (not changed)";
    ')) . "\n";
}

echo 'cut in the body: ', opened('ftruncate(fopen($file, "r+"), $bytes - 5_000_000);');
echo 'cut to nothing: ', opened('ftruncate(fopen($file, "r+"), 0);');
echo 'made longer: ', opened('file_put_contents($file, "more", FILE_APPEND);');
echo 'overwritten behind: ', opened('$f = fopen($file, "r+"); fseek($f, -4096, SEEK_END); fwrite($f, str_repeat("\xff", 4096));');
echo 'cut, and as long again, with a hole: ',
    opened('$f = fopen($file, "r+"); ftruncate($f, 8192); ftruncate($f, $bytes); fseek($f, -1, SEEK_END); fwrite($f, "x");');
echo 'overwritten where it has been read: ', opened('$f = fopen($file, "r+"); fwrite($f, str_repeat("\0", 4096));'), "\n";

// A truncated head, read from a pipe, whose size is unknown.
foreach ([0, 100, 511, 512, 4096] as $part) {
    $file = popen('head -c ' . $part . ' ' . escapeshellarg(own_file('whole')), 'r');
    echo "$part bytes: ", thrown(fn () => Blob::open($file)), "\n";
    pclose($file);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
cut in the body: Bloom\FormatException: {segment}.d/blob: N bytes instead of N: the length does not match the head
cut to nothing: Bloom\FormatException: {segment}.d/blob: N bytes instead of N: the length does not match the head
made longer: Bloom\FormatException: {segment}.d/blob: there are bytes after the blob's end: the length does not match the head
overwritten behind: Bloom\FormatException: {segment}.d/blob: shard N: the shard's checksum does not match
cut, and as long again, with a hole: Bloom\FormatException: {segment}.d/blob: shard N: the shard's checksum does not match
overwritten where it has been read: nothing

0 bytes: Bloom\FormatException: 0 bytes: too short to be a blob
100 bytes: Bloom\FormatException: 100 bytes: too short to be a blob
511 bytes: Bloom\FormatException: 511 bytes: too short to be a blob
512 bytes: Bloom\FormatException: the head is truncated: the length does not match the head
4096 bytes: Bloom\FormatException: the head is truncated: the length does not match the head
