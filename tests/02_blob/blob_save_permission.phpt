--TEST--
save() without permission leaves the file unchanged, and a file that it replaces never becomes accessible to more users
--DESCRIPTION--
fault: mode-kept, no-permission
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$path = own_file('blob');
file_put_contents($path, 'what was there');
chmod(own_file(), 0755);
echo run('echo thrown(fn () => blob_of(["a"])->save(own_file("blob"))), "\n", thrown(fn () => Bloom\Blob::open(own_file("blob")));', [], as_nobody()), "\n";
chmod($path, 0600);
echo run('echo thrown(fn () => Bloom\Blob::open(own_file("blob")));', [], as_nobody()), "\n";
check(file_get_contents($path) === 'what was there', 'the file is as it was');
check(tree(own_file()) === ['blob'], 'nothing is left: ' . implode(' ', tree(own_file())));

const ME = 65534, OTHER = 65533;
/** Saves a blob over a file as a user, and returns who may do what with the new file. */
function replaced(int $mode, int $owner, int $group, int $directory, int $user): string
{
    remove_tree(own_file('shared'));
    mkdir(own_file('shared'));
    chmod(own_file('shared'), 0777);
    chown(own_file('shared'), $directory);
    file_put_contents($file = own_file('shared/blob'), 'what was there');
    chown($file, $owner);
    chgrp($file, $group);
    chmod($file, $mode);
    echo run('umask(022); blob_of(["a"])->save(own_file("shared/blob"));', [], $user === 0 ? '' : "setpriv --reuid=$user --regid=$user --clear-groups");
    clearstatcache();
    check(count(tree(own_file('shared'))) === 1, 'nothing is left');
    return fileowner($file) . ':' . filegroup($file) . ' ' . decoct(fileperms($file) & 07777);
}
foreach ([
    'my file' => [[0640, ME, ME, ME, ME], ME . ':' . ME . ' 640'],
    'my file of a group in which I am not' => [[0664, ME, OTHER, ME, ME], ME . ':' . ME . ' 644'],
    'a file of another user in my directory' => [[0666, OTHER, OTHER, ME, ME], ME . ':' . ME . ' 644'],
    'a private one' => [[0600, OTHER, OTHER, ME, ME], ME . ':' . ME . ' 600'],
    'root, a file of the owner of the directory' => [[0640, ME, OTHER, ME, 0], extension_loaded('bloom') ? ME . ':' . OTHER . ' 640' : '0:0 600'],
    'root, a file of another user' => [[0660, OTHER, OTHER, ME, 0], '0:0 600'],
    'root, its own file' => [[0640, 0, OTHER, ME, 0], extension_loaded('bloom') ? '0:' . OTHER . ' 640' : '0:0 600'],
] as $which => [$arguments, $expected]) {
    $now = replaced(...$arguments);
    check($now === $expected, "$which: $now, not $expected");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\BloomException: {segment}.d/blob: cannot be written: Permission denied
Bloom\FormatException: {segment}.d/blob: 14 bytes: too short to be a blob
Bloom\BloomException: {segment}.d/blob: cannot be opened: Permission denied
