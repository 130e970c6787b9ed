--TEST--
save() without permission leaves the file unchanged and leaves no temporary file behind
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../root.inc';
skip_unless_root();
?>
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
$path = own_file('blob');
file_put_contents($path, 'what was there');
chmod(own_file(), 0755);
echo run('echo thrown(fn () => blob_of(["a"])->save(own_file("blob"))), "\n", thrown(fn () => Bloom\Blob::open(own_file("blob")));', [], as_nobody()), "\n";
chmod($path, 0600);
echo run('echo thrown(fn () => Bloom\Blob::open(own_file("blob")));', [], as_nobody()), "\n";
check(file_get_contents($path) === 'what was there', 'the file is as it was');
check(tree(own_file()) === ['blob'], 'nothing is left: ' . implode(' ', tree(own_file())));
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\BloomException: {segment}.d/blob: cannot be written: Permission denied
Bloom\FormatException: {segment}.d/blob: 14 bytes: shorter than a blob's head
Bloom\BloomException: {segment}.d/blob: cannot be opened: Permission denied
