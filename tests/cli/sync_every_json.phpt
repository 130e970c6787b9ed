--TEST--
sync --every --log-format=json prints one JSON object for each event, on the same streams as text
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/sync_every.inc';
skip_without_console();
skip_without_pcntl();
?>
--FILE--
<?php
require __DIR__ . '/sync_every.inc';

$cli = new Cli();
$store = "$cli->files/store";
mkdir($store);
publish($cli, 'a', 1000, 1);
// An existing filter differs from the options, which causes a warning.
ask($cli, 'sync', 'a', $store);
$options = ['--every=0.02', '--log-format=json'];
$syncing = new Syncing($cli, ...$options, ...['--on-demand=1M', 'a', $store]);
check($syncing->awaits('"warning"'), 'a warning');
$syncing->end();
$seen = array_map(json_encode(...), events($cli, 'errors'));

$syncing = new Syncing($cli, ...$options, ...['a', 'b', $store]);
check($syncing->awaits('"filter":"b","status":"StoreMissing"'), 'b is missing');
publish($cli, 'b', 1000, 1);
check($syncing->awaits('"event":"recovered","filter":"b"'), 'b');
publish($cli, 'b', 1001, 2);
check($syncing->awaits('"event":"switched","filter":"b","generation":2'), 'b again');
// Another command drops a filter, and the next sync loads it again.
ask($cli, 'drop', 'a');
check($syncing->awaits('"event":"switched","filter":"a","generation":1'), 'a is loaded again');
rename($store, "$store-away");
check($syncing->awaits('"filter":"a","status":"Store"') && $syncing->awaits('"filter":"b","status":"Store"'), 'away');
rename("$store-away", $store);
check($syncing->awaits('"recovered","filter":"a"') && $syncing->awaits('"recovered","filter":"b","generation":2'), 'back');
echo 'exit ', $syncing->end(), "\n";
$output = events($cli, 'output');
$errors = events($cli, 'errors');

// If a filter follows a journal, a round that fails is one failure.
(new Bloom\Builder(10_000, seed: 1))->build(builtAt: 1_700_000_003, mark: (new Bloom\Journal('j', new Bloom\DirectoryStore($store)))->mark())->publish(new Bloom\DirectoryStore($store), 'j');
ask($cli, 'sync', 'j', $store);
$syncing = new Syncing($cli, ...$options, ...['j', $store]);
check(comes_true(fn (): bool => looks($cli, 'j') > 3), 'it follows j');
rename($store, "$store-away");
check($syncing->awaits('"filter":"j","status":"Store","failures":1,"error":"j: the store '), 'one failure: ' . $syncing->log());
rename("$store-away", $store);
check($syncing->awaits('"recovered","filter":"j"'), 'j is back');
$syncing->end();

/** Returns the events of a stream: each line is a JSON object with the same first fields. */
function events(Cli $cli, string $stream): array
{
    $events = [];
    foreach (file("$cli->directory/$stream", FILE_IGNORE_NEW_LINES) as $line) {
        $fields = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
        check(array_slice(array_keys($fields), 0, 3) === ['time', 'level', 'event'], "the first fields: $line");
        check(preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/', $fields['time']) === 1, "the time: $fields[time]");
        check(abs(strtotime($fields['time']) - time()) < 3600, "the time is now: $fields[time]");
        check(array_key_exists('filter', $fields) || $fields['event'] === 'warning', "the filter: $line");
        $events[] = array_slice($fields, 1);
    }
    return $events;
}

foreach ($output as $fields) {
    if ($fields['event'] === 'switched') {
        check(is_float($fields['seconds']) && is_int($fields['bytesFetched']) && $fields['bytesFetched'] > 0, 'the figures');
        unset($fields['seconds'], $fields['bytesFetched']);
        $switched[] = json_encode($fields);
    } else {
        check($fields['failures'] > 0, 'failures before it');
        unset($fields['failures']);
        $recovered[] = json_encode($fields);
    }
}
echo implode("\n", $switched), "\n", implode("\n", array_unique($recovered)), "\n";
foreach ($errors as $fields) {
    if ($fields['event'] !== 'warning') {
        check($fields['level'] === 'error' && $fields['failures'] > 0 && str_starts_with($fields['error'], $fields['filter']), 'a failure: ' . json_encode($fields));
        $fields['failures'] = 1;
    }
    $seen[] = json_encode($fields, JSON_UNESCAPED_SLASHES);
}
// Later failures may differ, because a sync may be reading when the store disappears.
echo implode("\n", array_slice($seen, 0, 2)), "\n";

$cli->show(['sync', '--log-format=json', 'a', 'store']);
$cli->show(['sync', '--every=1', '--log-format=xml', 'a', 'store']);
?>
--EXPECT--
exit 0
{"level":"info","event":"switched","filter":"b","generation":1,"from":null,"keys":1000}
{"level":"info","event":"switched","filter":"b","generation":2,"from":1,"keys":1001}
{"level":"info","event":"switched","filter":"a","generation":1,"from":null,"keys":1000}
{"level":"notice","event":"recovered","filter":"b","generation":1}
{"level":"notice","event":"recovered","filter":"a","generation":1}
{"level":"notice","event":"recovered","filter":"b","generation":2}
{"level":"warning","event":"warning","message":"a: the loaded filter is kept; drop the filter to apply --on-demand"}
{"level":"error","event":"failed","filter":"b","status":"StoreMissing","failures":1,"error":"b: missing from the store"}
$ bloom sync --log-format=json a store
bloom: --log-format needs --every
exit 64
$ bloom sync --every=1 --log-format=xml a store
bloom: --log-format: "xml" is not one of text, json
exit 64
