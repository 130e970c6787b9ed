--TEST--
Hosts with Predis keep every key while their Redis server stalls, refuses writes, restarts from an older file and fails over
--DESCRIPTION--
fault: fleet-stores
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/skip.inc';
skip_fleet('predis');
?>
--INI--
bloom.path={TMP}/bloom-fleet_predis
--FILE--
<?php
require __DIR__ . '/fleet.inc';
with_redis_extension();
try_fleet('predis', SHORT);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
predis: %s answers, 0 wrong, %f % of %s absent keys definitely not; %s
