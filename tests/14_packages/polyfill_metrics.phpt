--TEST--
Filter::metrics() of the package in pure PHP has the same samples as that of the extension
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo compare(__DIR__ . '/polyfill_metrics.inc') > 200 ? 'done' : 'too few lines';
?>
--EXPECT--
done
