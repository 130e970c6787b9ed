--TEST--
The package in pure PHP refuses unsigned blobs of a store like the extension
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/twin.inc';
$key = sys_get_temp_dir() . '/bloom-polyfill_signatures.key';
touch($key);
chmod($key, 0600);
file_put_contents($key, str_repeat('0123456789abcdef', 4) . "\n");
putenv('TWIN_SETTINGS=-d bloom.signing_key_file=' . escapeshellarg($key));
echo compare(__DIR__ . '/polyfill_signatures.inc');
unlink($key);
?>
--EXPECT--
6
