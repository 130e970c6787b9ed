--TEST--
save() on a full disk leaves the file unchanged and leaves no temporary file behind
--DESCRIPTION--
fault: disk-full
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/tmpfs.inc';
skip_without_tmpfs();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/tmpfs.inc';

echo run_on_tmpfs('64k', '
    $blob = blob_of(keys("k", 50000), 50000);
    file_put_contents("$tmpfs/blob", "what was there");
    echo str_replace($tmpfs, "{tmpfs}", thrown(fn () => $blob->save("$tmpfs/blob"))), "\n";
    echo file_get_contents("$tmpfs/blob"), " ", implode(" ", tree($tmpfs)), "\n";
    blob_of(keys("k", 10))->save("$tmpfs/blob");
    echo implode(" ", tree($tmpfs)), " ", Bloom\Blob::open("$tmpfs/blob")->info()->keys;
'), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\BloomException: {segment}.d/tmpfs/blob: cannot be written: No space left on device
what was there blob
blob 10
