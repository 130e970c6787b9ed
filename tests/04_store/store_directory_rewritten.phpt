--TEST--
DirectoryStore reads a file again that another process truncates and rewrites in place
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
echo shell_exec('command -v ' . compiler()) ? '' : 'skip no C compiler is installed';
?>
--INI--
bloom.path={TMP}/bloom-store_directory_rewritten
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

// The library is built beside the tests, because many containers mount the temporary directory with noexec.
$shim = __DIR__ . '/store_directory_rewritten.so';
compile_library(__DIR__ . '/store_directory_rewritten.c', $shim);
mkdir($directory = own_file('store'), 0700);
file_put_contents("$directory/tags", str_repeat('x', 3000));
echo run('echo md5((new Bloom\DirectoryStore(' . var_export($directory, true) . '))->getMultiple(["tags"])["tags"]);', [],
    'LD_PRELOAD=' . escapeshellarg(rtrim("$shim:" . getenv('LD_PRELOAD'), ':')) . ' BLOOM_TEST_FILE=' . escapeshellarg(realpath("$directory/tags")))
    === md5(str_repeat('y', 3000)) ? 'read' : 'not read', "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
@unlink(__DIR__ . '/store_directory_rewritten.so');
?>
--EXPECT--
read
