--TEST--
sync accepts several names and continues if the sync of one filter fails
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
mkdir("$cli->files/store");
$builder = new Bloom\Builder(1000, seed: 1);
$builder->addMany(range(1, 1000));
$builder->build()->save("$cli->files/blob");
foreach (['a', 'b', 'bad'] as $name) {
    $cli->run(['publish', $name, 'blob', 'store']);
}
$cli->write('store/bad', str_repeat('x', 8192));

$cli->show(['sync', 'a', 'b', 'a', 'store']);
$cli->show(['sync', 'missing', 'b', 'store']);
$cli->show(['sync', 'missing', 'bad', 'b', 'store', '--quiet']);
$result = $cli->run(['sync', 'missing', 'b', 'store', '--format=json']);
[$missing, $b] = $result->json();
echo json_encode($missing), " $b[name] ", json_encode($b['switched']), " $result->code $result->errors";

$cli->run(['publish', 'lost', 'blob', 'store']);
array_map(unlink(...), glob("$cli->files/store/lost:chunks/*/*"));
$cli->show(['sync', 'lost', 'store']);
$cli->show(['sync', 'lost', 'b', 'store']);

// If the store cannot be reached, a failed sync is recorded for each name.
$cli->show(['sync', 'a', 'b', 'nowhere']);
$info = $cli->run(['info', '-f', 'a', '--format=json'])->json();
echo "$info[syncFailuresInRow] $info[lastError]\n";

$cli->show(['sync', 'a']);
$cli->show(['sync', 'a', 'no/name', 'store']);
foreach (['0', '', '5x', '1h30m', '-1', '0.0001', '1e3', '20000d'] as $duration) {
    $cli->show(['sync', 'a', 'store', "--every=$duration"]);
}
?>
--EXPECTF--
$ bloom sync a b a store
a: switched to generation 1, %s
b: switched to generation 1, %s
exit 0
$ bloom sync missing b store
b: no change, still generation 1, %s
bloom: missing: missing from the store (bloom list STORE shows the filters that it has)
exit 75
$ bloom sync missing bad b store --quiet
bloom: missing: missing from the store (bloom list STORE shows the filters that it has)
bloom: bad in the store: blob: this is not a bloom blob: the magic bytes do not match
exit 65
{"switched":false,"name":"missing","error":"missing: missing from the store (bloom list STORE shows the filters that it has)"} b false 75 bloom: missing: missing from the store (bloom list STORE shows the filters that it has)
$ bloom sync lost store
bloom: lost: a chunk: missing from the store (publish the blob again)
exit 75
$ bloom sync lost b store
b: no change, still generation 1, %s
bloom: lost: a chunk: missing from the store (publish the blob again)
exit 75
$ bloom sync a b nowhere
bloom: a: the store nowhere does not exist: create the directory, or mount the file system that contains it
bloom: b: the store nowhere does not exist: create the directory, or mount the file system that contains it
exit 66
1 the store nowhere does not exist: create the directory, or mount the file system that contains it
$ bloom sync a
bloom: STORE is missing: write bloom sync NAME... STORE
exit 64
$ bloom sync a no/name store
bloom: NAME: "no/name" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom sync NAME... STORE
exit 64
$ bloom sync a store --every=0
bloom: --every must be between 0.001 and 1,000,000,000 seconds, not "0"
exit 64
$ bloom sync a store --every=
bloom: --every is empty: give a value, or leave the option out (is a shell variable not set?)
exit 64
$ bloom sync a store --every=5x
bloom: --every: "5x" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom sync a store --every=1h30m
bloom: --every: "1h30m" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom sync a store --every=-1
bloom: --every: "-1" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom sync a store --every=0.0001
bloom: --every must be between 0.001 and 1,000,000,000 seconds, not "0.0001"
exit 64
$ bloom sync a store --every=1e3
bloom: --every: "1e3" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom sync a store --every=20000d
bloom: --every must be between 0.001 and 1,000,000,000 seconds, not "20000d"
exit 64
