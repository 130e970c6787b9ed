--TEST--
While a store hangs, one process of a host waits for it, and the others return at once
--DESCRIPTION--
fault: store-hangs
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_one_waits
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--FILE--
<?php
require __DIR__ . '/../lib/one_waits.inc';

one_waits(new ArrayJournalStore(), 'tags', null, ['0', '0.001']);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
