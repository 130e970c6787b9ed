--TEST--
The package in pure PHP builds the same maps as the extension, byte for byte, and refuses the same arguments and blobs
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo compare(__DIR__ . '/polyfill_maps.inc');
?>
--EXPECT--
1463
