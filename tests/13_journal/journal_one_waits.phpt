--TEST--
While a store with a journal hangs, one process of a host waits for it, and the others return at once
--DESCRIPTION--
fault: store-hangs
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_one_waits
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--FILE--
<?php
require __DIR__ . '/../lib/one_waits.inc';

$store = new ArrayJournalStore();
one_waits($store, 'tags', (new Bloom\Journal('tags', $store))->mark(), ['0', '0.001', 'pull']);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
