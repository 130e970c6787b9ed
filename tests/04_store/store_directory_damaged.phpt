--TEST--
Damaged or replaced files in a directory store neither hang a process nor change the served version; after a repair, the next sync succeeds
--DESCRIPTION--
fault: other-filter, wrong-file-type
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_directory_damaged
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{DirectoryStore, Filter};

mkdir(own_file('store'), 0700);
$store = new DirectoryStore(own_file('store'));
$old = chunked(keys('old', 5000), builtAt: 1);
chunked(keys('new', 5000))->publish($store, 'booth');
$head = own_file('store/booth');
$chunk = glob(own_file('store') . '/booth:chunks/*/*')[0];
$faults = [
    'nothing' => fn () => null,
    'an empty file' => fn (string $path) => touch($path),
    'a file cut' => fn (string $path) => file_put_contents($path, substr(file_get_contents("$path.kept"), 0, -1)),
    'a file with a changed byte' => fn (string $path) => file_put_contents($path, flipped(file_get_contents("$path.kept"), 500)),
    'a file of zeros' => fn (string $path) => file_put_contents($path, str_repeat("\0", filesize("$path.kept"))),
    'a directory' => fn (string $path) => mkdir($path),
    'a pipe that nobody writes' => fn (string $path) => shell_exec('mkfifo ' . escapeshellarg($path)),
    'a link to nothing' => fn (string $path) => symlink('nothing', $path),
    'a link to itself' => fn (string $path) => symlink(basename($path), $path),
    'a link to a device without end' => fn (string $path) => symlink('/dev/zero', $path),
    'a link to another file' => fn (string $path) => symlink($path === $head ? $chunk : $head, $path),
];
foreach ($faults as $what => $make) {
    foreach (['head' => $head, 'chunk' => $chunk] as $where => $path) {
        $name = "$what for a $where";
        Filter::drop('booth');
        $booth = Filter::load('booth', $old);
        rename($path, "$path.kept");
        $make($path);
        $said = thrown(fn () => Filter::sync('booth', $store, 0), raw: true);
        $info = $booth->info();
        check($booth->candidates(keys('old', 5000)) === keys('old', 5000) && $info->generation === 1,
            "$name: the old version is still served");
        // lastError has at most 250 bytes.
        check(str_contains($said, ": {$info->lastError}"), "$name: {$info->lastError}");
        echo "$name: ", plain_errors(str_replace([$path, basename($path)], '{path}', $said)), "\n";
        is_dir($path) ? rmdir($path) : @unlink($path);
        rename("$path.kept", $path);
        check(switched(Filter::sync('booth', $store, 0)) && $booth->candidates(keys('new', 5000)) === keys('new', 5000) && $booth->info()->syncFailuresInRow === 0,
            "$name: the next sync succeeds");
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
nothing for a head: Bloom\StoreException: {path}: missing from the store
nothing for a chunk: Bloom\StoreException: a chunk: missing from the store
an empty file for a head: Bloom\FormatException: 0 bytes: too short to be a blob
an empty file for a chunk: Bloom\FormatException: booth:{path}: the chunk's bytes do not match its digest
a file cut for a head: Bloom\FormatException: 4095 bytes, but the head alone needs 4096: the length does not match the head
a file cut for a chunk: Bloom\FormatException: booth:{path}: the chunk's bytes do not match its digest
a file with a changed byte for a head: Bloom\FormatException: head: the head's checksum does not match
a file with a changed byte for a chunk: Bloom\FormatException: booth:{path}: the chunk's bytes do not match its digest
a file of zeros for a head: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
a file of zeros for a chunk: Bloom\FormatException: booth:{path}: the chunk's bytes do not match its digest
a directory for a head: Bloom\StoreException: {path}: cannot be read: Is a directory
a directory for a chunk: Bloom\StoreException: {path}: cannot be read: Is a directory
a pipe that nobody writes for a head: Bloom\StoreException: {path}: cannot be read: Invalid argument
a pipe that nobody writes for a chunk: Bloom\StoreException: {path}: cannot be read: Invalid argument
a link to nothing for a head: Bloom\StoreException: {path}: missing from the store
a link to nothing for a chunk: Bloom\StoreException: a chunk: missing from the store
a link to itself for a head: Bloom\StoreException: {path}: cannot be read: Too many levels of symbolic links
a link to itself for a chunk: Bloom\StoreException: {path}: cannot be read: Too many levels of symbolic links
a link to a device without end for a head: Bloom\StoreException: {path}: cannot be read: Invalid argument
a link to a device without end for a chunk: Bloom\StoreException: {path}: cannot be read: Invalid argument
a link to another file for a head: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
a link to another file for a chunk: Bloom\StoreException: {path}: 4096 bytes, at most 1024: the store's value is larger than allowed (publish the filter again, with force if a chunk is too large)
