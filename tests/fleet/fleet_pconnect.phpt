--TEST--
Hosts with persistent connections keep every key while their Redis server stalls, refuses writes, goes back and fails over
--DESCRIPTION--
fault: fleet-stores
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/skip.inc';
skip_fleet('pconnect');
?>
--INI--
bloom.path={TMP}/bloom-fleet_pconnect
--FILE--
<?php
require __DIR__ . '/fleet.inc';
with_redis_extension();
try_fleet('pconnect', SHORT);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
pconnect: %s answers, 0 wrong, %f % of %s absent keys definitely not; %s
