--TEST--
history() lists the last 12 loads, and activity() the lookups of each minute
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-counters_history
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Filter, LiveFilter};

$store = new ScriptedStore;
$before = microtime(true);
for ($version = 1; $version <= 14; $version++) {
    chunked([...keys('k', 5000), "new $version"], builtAt: 1.7e9 + $version)->publish($store, 'tags');
    Filter::sync('tags', $store, 0);
}
$tags = Filter::open('tags');
$history = $tags->history();
echo json_encode(array_column($history, 'generation')), ' ', json_encode(array_column($history, 'builtAt')), "\n";
$times = array_column($history, 'loadedAt');
check($times === array_reverse((function ($times) { sort($times); return $times; })($times)), 'the newest is first');
$info = $tags->info();
foreach ($history as $row) {
    check($row['loadedAt'] >= $before - 1 && $row['loadedAt'] < $before + 600, 'the time');
    check($row['seconds'] > 0 && $row['switchSeconds'] > 0 && $row['switchSeconds'] <= $row['seconds'], 'the durations');
    check($row['keys'] > 4900 && $row['bytes'] === $info->bytes, 'the size');
    check($row['bytesFetched'] > 0 && $row['bytesFetched'] < $row['bytes'] / 2, "a sync fetches only changed chunks: $row[bytesFetched]");
}
$counters = $info->counters;
check($history[0]['loadedAt'] === $info->loadedAt && $counters->lastLoadSeconds === $history[0]['seconds'], 'the last load');
check($counters->loadSeconds >= array_sum(array_column($history, 'seconds')) - 1e-9, 'the sum has all loads');
// The first sync fetched all chunks, and the others kept all but a few.
$last = chunked([...keys('k', 5000), 'new 14'], builtAt: 1.7e9 + 14);
$body = array_sum(array_map(fn (string $key): int => strlen($store->values[$key]), chunk_keys($last, 'tags')));
check($counters->bytesFetched + $counters->bytesSaved === 14 * $body, 'each chunk was either fetched or kept');
check($counters->bytesSaved > $counters->bytesFetched, 'most were kept');

$tags->candidates(['k1', 'k2', 'absent']);
$activity = $tags->activity();
check(array_sum(array_column($activity, 'lookups')) === 3 && array_sum(array_column($activity, 'absent')) === 1, 'the lookups of this minute');
check($activity[0]['at'] % 60 === 0 && abs($activity[0]['at'] - time()) < 600, 'the minute');

// A filter that nobody loaded from a blob.
[$row] = LiveFilter::create('live', 1000)->history();
check($row['generation'] === 1 && $row['builtAt'] === null && $row['keys'] === 0 && $row['bytesFetched'] === 0, 'a live filter');
check(Filter::open('live')->activity() === [], 'without lookups');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
[14,13,12,11,10,9,8,7,6,5,4,3] [1700000014,1700000013,1700000012,1700000011,1700000010,1700000009,1700000008,1700000007,1700000006,1700000005,1700000004,1700000003]
