--TEST--
health prints one line per filter, the worst first, and has the exit codes of a Nagios plugin or a readiness probe
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
// Hosts load a filter that was built two nights ago.
$builder->build(builtAt: time() - 50 * 3600)->save("$cli->files/blob");
$cli->run(['publish', 'synced', 'blob', 'store']);
$cli->run(['sync', 'synced', 'store']);
$cli->run(['load', 'loaded', 'blob']);

$cli->show(['health']);
$cli->show(['health', 'synced', 'loaded', 'synced', '--max-sync-age=10m']);
$cli->show(['health', 'loaded', 'missing', '--max-build-age=26h']);
$cli->show(['health', 'loaded', '--max-build-age=3d', '--max-rate=0.1%']);
$cli->show(['health', 'synced', '--max-sync-age=0']);
$cli->show(['health', 'synced', '--max-sync-age=1h', '-q']);
$cli->show(['health', 'loaded', 'synced', '--store=store']);
$cli->show(['health', 'synced', '--store=nowhere']);
$cli->show(['health', 'synced', 'missing', '--store=nowhere']);

// A readiness probe ignores ages and warnings.
touch(in_segment('loaded/notes', $cli->segment));
$cli->show(['health', 'loaded', 'synced']);
$cli->show(['health', 'loaded', 'missing', '--ready']);
$cli->show(['health', 'loaded', 'synced', '--ready']);
$cli->show(['health', 'loaded', '--ready', '--max-rate=1%']);
unlink(in_segment('loaded/notes', $cli->segment));

// Syncs fail four times in a row, and then one succeeds.
for ($failures = 1; $failures <= 4; $failures++) {
    $cli->run(['sync', 'synced', 'nowhere']);
    echo $failures, ' ', $cli->run(['health', 'synced'])->code, $cli->run(['health', 'synced', '--max-failures=0'])->code,
        $cli->run(['health', 'synced', '--max-failures=4'])->code, "\n";
}
$cli->show(['health', 'synced']);
$json = $cli->run(['health', 'synced', 'missing', '--format=json']);
[$synced, $missing] = $json->json();
echo $json->code, ' ', json_encode([$synced['status'], $synced['info']['syncFailuresInRow'], $synced['info']['kind']]), ' ',
    str_replace($cli->directory, '{dir}', json_encode($missing, JSON_UNESCAPED_SLASHES)), "\n";
check($synced['syncAge'] < 86_400 && $synced['buildAge'] >= 180000, 'ages');
$cli->run(['sync', 'synced', 'store']);
$cli->show(['health', 'synced', '--max-build-age=soon']);
$cli->show(['health', 'synced', '--max-failures=-1']);
$cli->show(['health', 'synced', '--max-rate=200%']);
$cli->show(['health', 'no/name']);

// health and info report the recorded error of a failed sync.
$cli->run(['sync', 'never', 'store']);
$cli->show(['health', 'never']);
$cli->show(['info', '--filter=never']);
// A filter with a damaged file does not hide the other filters.
foreach (glob(in_segment('loaded/*.bloom', $cli->segment)) as $file) {
    file_put_contents($file, 'damaged');
}
$cli->show(['health', 'synced', 'loaded']);
$cli->show('bloom list | cut -c 1-20');
$cli->show('bloom list 2>/dev/null | cut -c 73-');
chmod($cli->segment, 0755);
$cli->show(['health', 'synced']);
$cli->show(['health']);
chmod($cli->segment, 0700);
$cli->run(['drop', 'synced', 'loaded']);
$cli->show(['health']);
$cli->show(['health', '--ready']);
?>
--EXPECTF--
$ bloom health
loaded: OK: loaded, generation 1, built 2 d 2 h ago
synced: OK: loaded, generation 1, built 2 d 2 h ago, synced %s ago
exit 0
$ bloom health synced loaded synced --max-sync-age=10m
loaded: CRITICAL: never synced
synced: OK: loaded, generation 1, built 2 d 2 h ago, synced %s ago
exit 2
$ bloom health loaded missing --max-build-age=26h
loaded: CRITICAL: built 2 d 2 h ago (at most 26 h)
missing: CRITICAL: {dir}/segment/missing: no such filter is loaded
exit 2
$ bloom health loaded --max-build-age=3d --max-rate=0.1%
loaded: CRITICAL: the false-positive rate of a lookup is 0.508 % (at most 0.1 %)
exit 2
$ bloom health synced --max-sync-age=0
synced: CRITICAL: last synced %s ago (at most 0 s)
exit 2
$ bloom health synced --max-sync-age=1h -q
exit 0
$ bloom health loaded synced --store=store
loaded: WARNING: the store does not have the filter
synced: OK: loaded, generation 1, built 2 d 2 h ago, synced %s ago
exit 1
$ bloom health synced --store=nowhere
synced: UNKNOWN: the store's version is unknown: the store nowhere does not exist: create the directory, or mount the file system that contains it
exit 3
$ bloom health synced missing --store=nowhere
missing: CRITICAL: {dir}/segment/missing: no such filter is loaded
synced: UNKNOWN: the store's version is unknown: the store nowhere does not exist: create the directory, or mount the file system that contains it
exit 2
$ bloom health loaded synced
loaded: WARNING: 1 foreign file in its directory: notes
synced: OK: loaded, generation 1, built 2 d 2 h ago, synced %s ago
exit 1
$ bloom health loaded missing --ready
missing: NOT ready: {dir}/segment/missing: no such filter is loaded
loaded: ready
exit 2
$ bloom health loaded synced --ready
loaded: ready
synced: ready
exit 0
$ bloom health loaded --ready --max-rate=1%
bloom: --ready excludes --max-rate
exit 64
1 020
2 020
3 020
4 220
$ bloom health synced
synced: CRITICAL: 4 syncs failed in a row: the store nowhere does not exist: create the directory, or mount the file system that contains it
exit 2
2 ["critical",4,"loaded"] {"name":"missing","status":"critical","reasons":["{dir}/segment/missing: no such filter is loaded"],"notes":[],"isReady":false,"info":null,"buildAge":null,"syncAge":null,"behind":null,"reloadBytes":null,"freeBytes":null,"foreignFiles":[]}
$ bloom health synced --max-build-age=soon
bloom: --max-build-age: "soon" is not a duration such as 30s, 5m, 1h or 30
exit 64
$ bloom health synced --max-failures=-1
bloom: --max-failures must be greater than or equal to 0, not "-1"
exit 64
$ bloom health synced --max-rate=200%
bloom: --max-rate: "200%" is more than 1, which is 100%
exit 64
$ bloom health no/name
bloom: NAME: "no/name" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom health [NAME...]
exit 64
$ bloom health never
never: CRITICAL: {dir}/segment/never: no such filter is loaded
exit 2
$ bloom info --filter=never
bloom: {dir}/segment/never: no such filter is loaded (bloom list shows those that are)
exit 66
$ bloom health synced loaded
loaded: CRITICAL: {dir}/segment/loaded: 0000000000000001.bloom: too short to be a blob
synced: OK: loaded, generation 1, built 2 d 2 h ago, synced %s ago
exit 2
$ bloom list | cut -c 1-20
NAME    KIND    GENE
loaded  ?           
synced  loaded      
{dir}/segment/loaded: 0000000000000001.bloom: too short to be a blob
exit 0
$ bloom list 2>/dev/null | cut -c 73-
                    AGE
                    ?
%d-%d %d:%d:%d UTC  2 d 2 h
exit 0
$ bloom health synced
synced: CRITICAL: {dir}/segment (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
exit 2
$ bloom health
bloom: {dir}/segment (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
exit 2
$ bloom health
no filters in {dir}/segment
exit 2
$ bloom health --ready
no filters in {dir}/segment
exit 2
