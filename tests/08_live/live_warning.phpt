--TEST--
info() warns once the measured rate exceeds the requested rate, and not before
--DESCRIPTION--
fault: over-capacity, saturated
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_warning
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;

foreach (['live', 'counting', 'sliding', 'reverse'] as $kind) {
    $filter = made($kind, 2000, 0.01);
    $info = fn () => $filter->info();
    foreach (keys('k', 1800) as $key) {
        put($filter, $key);
    }
    check($info()->warning === null && $info()->measuredFalsePositiveRate <= 0.01, "$kind: no warning: {$info()->warning}");
    foreach (keys('more', 4000) as $key) {
        put($filter, $key);
    }
    check($info()->measuredFalsePositiveRate > 0.01, "$kind: over its rate");
    echo "$kind: ", preg_replace('/is [\d.]+ %/', 'is N %', $info()->warning), "\n";
    check_held($filter, [...keys('k', 1800), ...keys('more', 4000)], "$kind, over its capacity");
    Filter::drop($kind);
}
// A scalable filter grows before it reaches that point.
$filter = made('scalable', 2000, 0.01);
$filter->addMany(keys('k', 20000));
check($filter->info()->warning === null, 'scalable');

// With every bit set, rates stay finite, and export() throws with the reason.
foreach (['live', 'counting', 'sliding', 'reverse'] as $kind) {
    $filter = made($kind, 1, 0.5);
    for ($i = 0; $filter->info()->fill < 1 && $i < 200_000; $i += 1000) {
        foreach (keys("$i.", 1000) as $key) {
            put($filter, $key);
        }
    }
    $info = $filter->info();
    check($info->fill == 1 && $info->measuredFalsePositiveRate == 1 && is_int($info->estimatedKeys), "$kind: " . json_encode($info, JSON_PARTIAL_OUTPUT_ON_ERROR));
    check($filter->shards()[0]['estimatedKeys'] === 1e15 && json_encode($filter->shards()) !== false, "$kind: a shard that is full");
    check($filter->mightContain('anything') && !put($filter, 'anything'), "$kind: everything is there");
    echo thrown($filter->export(...)), "\n";
    Filter::drop($kind);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
live: the false-positive rate is N %, over the requested 1 %
counting: the false-positive rate is N %, over the requested 1 %
sliding: the false-positive rate is N %, over the requested 1 %
reverse: the false-positive rate is N %, over the requested 1 %
Bloom\FormatException: shard 0: more than 15 of 16 bits are set, so nearly every answer would be maybe
Bloom\FormatException: shard 0: more than 15 of 16 bits are set, so nearly every answer would be maybe
Bloom\FormatException: shard 0: more than 15 of 16 bits are set, so nearly every answer would be maybe
Bloom\FormatException: shard 0: more than 15 of 16 bits are set, so nearly every answer would be maybe
