--TEST--
create() with $exclusive throws if the filter exists, and of several processes exactly one creates it
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_exclusive
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{CountingFilter, Filter, KindException, LiveFilter, ReverseIndex, ScalableFilter, SlidingFilter, Status};

$create = [
    'live' => fn () => LiveFilter::create('f', 100, exclusive: true),
    'counting' => fn () => CountingFilter::create('f', 100, exclusive: true),
    'scalable' => fn () => ScalableFilter::create('f', 100, exclusive: true),
    'sliding' => fn () => SlidingFilter::create('f', 100, 0.01, 1e6, exclusive: true),
    'reverse' => fn () => ReverseIndex::create('f', 500, 100, exclusive: true),
];
foreach ($create as $kind => $make) {
    $filter = $make();
    put($filter, 'k');
    foreach ($create as $other) {
        try {
            $other();
            check(false, "$kind: created");
        } catch (KindException $thrown) {
            check(Status::from($thrown->getCode()) === Status::Exists, "$kind: " . $thrown->getMessage());
        }
    }
    check(held($filter, 'k') && $filter->info()->kind->value === $kind, "$kind: unchanged");
    Filter::drop('f');
}
Filter::load('f', blob_of(['k']));
echo thrown($create['live']), "\n";
Filter::drop('f');

// A drop makes the name free. The processes create it at the same moment.
for ($round = 0; $round < 20; $round++) {
    $processes = [];
    for ($i = 0; $i < 4; $i++) {
        $processes[$i] = new Child('echo "ready\n"; fgets(STDIN);
            try {
                Bloom\LiveFilter::create("race", 1000, exclusive: true)->add($argv[1]);
                echo "created";
            } catch (Bloom\KindException) {
                echo "exists";
            }', [], ["by $i"]);
    }
    foreach ($processes as $process) {
        check($process->hear() === 'ready', 'ready');
    }
    foreach ($processes as $process) {
        $process->say('go');
    }
    $said = array_map(fn (Child $process) => $process->end(), $processes);
    check(array_count_values($said) == ['created' => 1, 'exists' => 3], implode(' ', $said));
    check(LiveFilter::open('race')->candidates(['by 0', 'by 1', 'by 2', 'by 3']) === array_filter(['by 0', 'by 1', 'by 2', 'by 3'], fn ($i) => $said[$i] === 'created', ARRAY_FILTER_USE_KEY), 'its key');
    Filter::drop('race');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\KindException: f: a filter with that name already exists (drop it first, or use it as it is)
