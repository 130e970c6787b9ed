--TEST--
A blob keeps its bytes through save(), open(), toString() and fromString()
--DESCRIPTION--
fault: mode-kept
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Blob;

foreach ([
    [[], 10, []],
    [keys('k', 50), 100, []],
    [keys('k', 20000), 20000, ['source' => 'many']],
    [keys('k', 500), 500, ['shardBytes' => 65536, 'blockBytes' => 65536]],
    [keys('k', 5000), 5000, ['shardBytes' => 1024, 'chunkBytes' => 1024, 'blockBytes' => 8]],
] as [$keys, $capacity, $more]) {
    $blob = blob_of($keys, $capacity, ...$more);
    $bytes = $blob->toString();
    $path = own_file('blob');
    $blob->save($path);
    check(file_get_contents($path) === $bytes, 'the file has the bytes');
    $others = [Blob::open($path), Blob::open("file://$path"), Blob::fromString($bytes)];

    $memory = fopen('php://memory', 'w+');
    fwrite($memory, 'before' . $bytes);
    fseek($memory, 6);
    $others[] = Blob::open($memory);
    $pipe = popen('cat ' . escapeshellarg($path), 'r');
    $others[] = Blob::open($pipe);
    pclose($pipe);
    $others[] = Blob::open('data:application/octet-stream;base64,' . base64_encode($bytes));
    [$one, $two] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    if (strlen($bytes) < 60000) {
        fwrite($one, $bytes);
        fclose($one);
        $others[] = Blob::open($two);
    }
    foreach ($others as $i => $other) {
        check($other->toString() === $bytes, "bytes of $i");
        check($other->info() == $blob->info(), "info of $i");
        foreach (array_slice($keys, 0, 1000) as $key) {
            check($other->mightContain($key), "$key in $i");
        }
    }
    check($blob->info()->bytes === strlen($bytes), 'its size');
    check(count($keys) - $blob->info()->keys <= count($keys) * 0.01, 'its keys');
}

// save() accepts a relative path, applies the umask to a new file, and keeps the mode of an existing one.
chdir(own_file());
umask(027);
$blob->save('relative');
printf("%o %s\n", fileperms('relative') & 0777, file_get_contents('relative') === $bytes ? 'same' : 'other');
umask(022);
foreach ([0640, 0600, 0664, 0400] as $mode) {
    chmod('relative', $mode);
    $blob->save('relative');
    clearstatcache();
    check((fileperms('relative') & 0777) === $mode, sprintf('%o became %o', $mode, fileperms('relative') & 0777));
}
unlink('relative');
$blob->save('relative');
clearstatcache();
printf("%o\n", fileperms('relative') & 0777);
print_r(tree(own_file()));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
640 same
644
Array
(
    [0] => blob
    [1] => relative
)
