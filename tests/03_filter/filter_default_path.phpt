--TEST--
Without bloom.path the segment is /dev/shm/php-bloom-<uid> with mode 0700
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/default_path.inc';
skip_unless_free();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/default_path.inc';

use_own_shm();
// If /dev/shm is not its own, the test runs only if the directory does not exist, and removes it afterwards.
echo run('
    $path = "/dev/shm/php-bloom-" . user_id();
    umask(0);
    check(!file_exists($path), "free");
    $booth = Bloom\Filter::load("phpt_default_path", blob_of(["a"]));
    check($booth->info()->segment === $path, $booth->info()->segment);
    printf("%o %o\n", fileperms($path) & 07777, fileperms(in_segment("phpt_default_path", $path)) & 07777);
    Bloom\Filter::drop("phpt_default_path");
    remove_tree($path);
', ['bloom.path' => '']), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
700 700
