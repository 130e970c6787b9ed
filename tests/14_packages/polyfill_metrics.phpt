--TEST--
Filter::metrics() in the pure PHP package returns the same samples as in the extension
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo compare(__DIR__ . '/polyfill_metrics.inc') > 200 ? 'done' : 'too few lines';
?>
--EXPECT--
done
