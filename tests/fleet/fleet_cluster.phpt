--TEST--
Hosts keep every key while a node of their Redis Cluster stalls, refuses writes, restarts from an older file and fails over
--DESCRIPTION--
fault: fleet-stores
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/skip.inc';
skip_fleet('cluster');
?>
--INI--
bloom.path={TMP}/bloom-fleet_cluster
--FILE--
<?php
require __DIR__ . '/fleet.inc';
with_redis_extension();
try_fleet('cluster', SHORT);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
cluster: %s answers, 0 wrong, %f % of %s absent keys definitely not; %s
