--TEST--
The package in pure PHP builds the same bytes as the extension, and refuses the same arguments
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo compare(__DIR__ . '/polyfill_builders.inc');
?>
--EXPECT--
240
