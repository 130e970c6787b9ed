--TEST--
Filters of the package in pure PHP give the same answers, errors and statistics as those of the extension
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo compare(__DIR__ . '/polyfill_filters.inc');
?>
--EXPECT--
27
