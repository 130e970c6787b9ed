--TEST--
Hosts keep every key while processes fork and die, and while the directory of the store is restored and moved
--DESCRIPTION--
fault: fleet-stores
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/skip.inc';
skip_fleet('directory');
?>
--INI--
bloom.path={TMP}/bloom-fleet_directory
--FILE--
<?php
require __DIR__ . '/fleet.inc';
try_fleet('directory', SHORT);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
directory: %s answers, 0 wrong, %f % of %s absent keys definitely not; %s
