--TEST--
Hosts keep every key while the link to their directory is switched and processes fork
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
try_fleet('directory', SHORT, only: 'fork,move'); // the long form has all faults
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECTF--
directory: %s answers, 0 wrong, %f % of %s absent keys definitely not; %s
