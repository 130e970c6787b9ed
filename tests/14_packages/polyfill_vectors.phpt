--TEST--
The extension and the package read the golden store alike, and refuse each golden file with the documented error
--DESCRIPTION--
fault: invalid-field, journal-file-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-polyfill_vectors
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/twin.inc';
$script = __DIR__ . '/polyfill_vectors.inc';
$key = sys_get_temp_dir() . '/bloom-vectors-key';
file_put_contents($key, bin2hex(pack('C*', ...range(100, 131))) . "\n");
chmod($key, 0600);
echo compare($script), " lines\n";
$plain = lines_of($script, 'extension');
putenv('TWIN_SETTINGS=-d bloom.signing_key_file=' . escapeshellarg($key)); // the package refuses it
$signed = lines_of($script, 'extension');
echo count($signed), " lines\n", implode("\n", preg_grep('/ instead of |other bytes|rror: |arning: /', [...$plain, ...$signed]));
unlink($key);
?>
--EXPECT--
70 lines
6 lines
