--TEST--
health reports which filters are loaded and recently synced
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
$cli->run(['publish', 'synced', 'blob', 'store']);
$cli->run(['sync', 'synced', 'store']);
$cli->run(['load', 'loaded', 'blob']);

$cli->show(['health', 'synced']);
$cli->show(['health', 'synced', 'loaded', 'synced', '--max-age=10m']);
$cli->show(['health', 'loaded', 'missing']);
sleep(1);
$cli->show(['health', 'synced', '--max-age=1']);
$cli->run(['sync', 'synced', 'store']);
$cli->show(['health', 'synced', '--max-age=1h', '-q']);

// Syncs fail three times in a row, and then one succeeds.
for ($failures = 1; $failures <= 3; $failures++) {
    $cli->run(['sync', 'synced', 'nowhere']);
    echo $failures, ' ', $cli->run(['health', 'synced'])->code, $cli->run(['health', 'synced', '--max-failures=0'])->code,
        $cli->run(['health', 'synced', '--max-failures=3'])->code, "\n";
}
$cli->show(['health', 'synced']);
$json = $cli->run(['health', 'synced', 'missing', '--format=json']);
[$synced, $missing] = $json->json();
echo $json->code, ' ', json_encode([$synced['healthy'], $synced['syncFailuresInRow'], $synced['kind'], $synced['generation']]), ' ',
    str_replace($cli->directory, '{dir}', json_encode($missing, JSON_UNESCAPED_SLASHES)), "\n";
check(is_float($synced['syncedSecondsAgo']) && $synced['syncedSecondsAgo'] < 60 && is_float($synced['builtAt']), 'times');
$cli->run(['sync', 'synced', 'store']);
$cli->show(['health', 'synced']);
$cli->show(['health']);
$cli->show(['health', 'synced', '--max-age=soon']);
$cli->show(['health', 'synced', '--max-failures=-1']);
$cli->show(['health', 'no/name']);

// health and info report the recorded error of a failed sync. A refused segment, below, fails the whole command.
$cli->run(['sync', 'never', 'store']);
$cli->show(['health', 'never']);
$cli->show(['info', '--filter=never']);
// A filter with a damaged file does not hide the other filters.
foreach (glob("$cli->segment/loaded/*.bloom") as $file) {
    file_put_contents($file, 'damaged');
}
$cli->show(['health', 'loaded', 'synced']);
$cli->show('bloom list | cut -c 1-20');
chmod($cli->segment, 0755);
$cli->show(['health', 'synced']);
?>
--EXPECTF--
$ bloom health synced
synced: healthy, loaded, generation 1, synced %d s ago
exit 0
$ bloom health synced loaded synced --max-age=10m
synced: healthy, loaded, generation 1, synced %d s ago
loaded: NOT healthy: never synced
exit 1
$ bloom health loaded missing
loaded: healthy, loaded, generation 1
missing: NOT healthy: {dir}/segment/missing: no such filter is loaded
exit 1
$ bloom health synced --max-age=1
synced: NOT healthy: last synced %d s ago
exit 1
$ bloom health synced --max-age=1h -q
exit 0
1 010
2 010
3 110
$ bloom health synced
synced: NOT healthy: 3 syncs failed in a row: the store nowhere is missing or not a directory
exit 1
1 [false,3,"loaded",1] {"name":"missing","healthy":false,"problems":["{dir}/segment/missing: no such filter is loaded"],"kind":null,"generation":null,"builtAt":null,"syncedSecondsAgo":null,"syncFailuresInRow":null,"fetchFailures":null,"fetchFailuresInRow":null,"fetchPause":null,"journalLag":null,"journalRecords":null,"lastError":null,"verifiedAt":null,"verifyProgress":null,"damages":null,"damagedAt":null}
$ bloom health synced
synced: healthy, loaded, generation 1, synced %d s ago
exit 0
$ bloom health
bloom: Not enough arguments (missing: "names").
exit 64
$ bloom health synced --max-age=soon
bloom: --max-age: "soon" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom health synced --max-failures=-1
bloom: --max-failures must be 0 or more
exit 64
$ bloom health no/name
bloom: NAME must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
exit 64
$ bloom health never
never: NOT healthy: {dir}/segment/never: the last sync failed (never: missing from the store): no such filter is loaded
exit 1
$ bloom info --filter=never
bloom: {dir}/segment/never: the last sync failed (never: missing from the store): no such filter is loaded
exit 66
$ bloom health loaded synced
loaded: NOT healthy: {dir}/segment/loaded: 0000000000000001.bloom: shorter than a blob's head
synced: healthy, loaded, generation 1, synced %d s ago
exit 1
$ bloom list | cut -c 1-20
NAME    KIND    GENE
loaded  ?           
synced  loaded      
{dir}/segment/loaded: 0000000000000001.bloom: shorter than a blob's head
exit 0
$ bloom health synced
bloom: {dir}/segment (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
exit 73
