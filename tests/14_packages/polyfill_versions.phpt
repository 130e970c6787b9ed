--TEST--
The package in pure PHP rolls back, pins and lists versions like the extension
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo compare(__DIR__ . '/polyfill_versions.inc');
?>
--EXPECT--
38
