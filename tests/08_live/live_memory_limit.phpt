--TEST--
bloom.memory_limit limits creation and growth, but no key is ever refused
--DESCRIPTION--
fault: memory-limit-segment
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_memory_limit
bloom.memory_limit=200000
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;
use Bloom\ScalableFilter;

$text = fn (callable $call) => preg_replace('/\d{5,}/', 'N', thrown($call));
foreach (KINDS as $kind) {
    echo $text(fn () => made($kind, 3_000_000)), "\n";
}
check(Filter::list() === [] && !preg_grep('~/~', tree(segment_path())),
    'no file is left: ' . implode(' ', tree(segment_path())));
$small = made('live', 1000);
put($small, 'a');

// A scalable filter uses the available memory, and then accepts more keys than its capacity.
$filter = ScalableFilter::create('scalable', 1000, 0.01, seed: 8);
for ($added = 0; $filter->info()->growthFailures === 0 && $added < 200_000; $added += 500) {
    check($filter->info()->warning === null, 'no warning before');
    $filter->addMany(keys("k$added.", 500));
}
$info = $filter->info();
check($info->growthFailures > 0 && $info->segmentBytes <= 200_000 && count($info->layers) > 2, "{$info->segmentBytes} bytes, " . count($info->layers) . ' layers');
$filter->addMany(keys('over', 100_000));
$layers = count($info->layers);
$info = $filter->info();
echo preg_replace('/is [\d.]+ %/', 'is N %', $info->warning), "\n";
check(count($info->layers) === $layers && $info->growthFailures < 10_000, "{$info->growthFailures} failures");
check_held($filter, keys('over', 100_000), 'over its capacity');
for ($i = 0; $i < $added; $i += 500) {
    check_held($filter, keys("k$i.", 500), 'within its capacity');
}

// When memory is available again, the filter grows again after a while.
$child = new Child('
    require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    $filter = Bloom\ScalableFilter::open("scalable");
    $layers = count($filter->info()->layers);
    $end = hrtime(true) + 60e9;
    for ($i = 0; hrtime(true) < $end && count($filter->info()->layers) === $layers; $i++) {
        $filter->addMany(keys("room$i.", 1000));
        usleep(20_000);
    }
    check(count($filter->info()->layers) > $layers, "it grew on");
    check(!str_contains($filter->info()->warning, "could be added") && $filter->info()->growthFailures > 0, "and does not say any more that it cannot");
    check_held($filter, keys("room0.", 1000), "those that made it grow");
', ['bloom.memory_limit' => '100M']);
echo $child->end();
check_held($filter, keys('room0.', 1000), 'added elsewhere');
check_held($filter, keys('over', 100_000), 'over its capacity');
check(held($small, 'a'), 'the small one');
Filter::drop('scalable');
check(made('counting', 1000) instanceof Bloom\CountingFilter, 'with room it works');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\SegmentException: {segment}/live: uses 0 bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
Bloom\SegmentException: {segment}/counting: uses 0 bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
Bloom\SegmentException: {segment}/scalable: uses 0 bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
Bloom\SegmentException: {segment}/sliding: uses 0 bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
Bloom\SegmentException: {segment}/reverse: uses 0 bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
the false-positive rate is N %, over the requested 1 %; no layer could be added
