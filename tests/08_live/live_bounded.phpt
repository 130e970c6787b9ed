--TEST--
A bounded filter refuses a new key when it is full, accepts the keys that it has, and never exceeds its rate
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_bounded
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{CountingFilter, Filter, LiveFilter, RateException, Status};

foreach ([LiveFilter::class, CountingFilter::class] as $class) {
    $filter = $class::create('full', 1000, seed: 1, bounded: true);
    $added = [];
    $refused = 0;
    foreach (keys('k', 3000) as $key) {
        try {
            $filter->add($key);
            $added[] = $key;
        } catch (RateException $thrown) {
            check(Status::from($thrown->getCode()) === Status::Full, 'its status');
            $refused++;
        }
    }
    // A key that is a false positive sets no bit, so it is not refused. A counting filter counts it.
    check($filter->info()->keys === ($class === LiveFilter::class ? 1000 : count($added)) && $refused > 1900, "$class: {$filter->info()->keys} keys, $refused refused");
    check_held($filter, $added, $class);
    check($filter->info()->measuredFalsePositiveRate <= 0.01 && $filter->info()->warning === null && $filter->info()->bounded, "$class: its rate");
    check($filter->add('k1') === false && $filter->addMany(array_slice($added, 0, 100)) === 0, "$class: keys that it has");
    echo thrown(fn () => $filter->add('one more')), "\n";
    echo thrown(fn () => $filter->addMany(['k1', 'one more'])), "\n";
    echo thrown(fn () => $class::create('full', 1000)), "\n";
    check($class::open('full') == $class::create('full', 1000, bounded: true), "$class: opened");
    // It stays bounded in a snapshot.
    $filter->save(own_file('saved'));
    Filter::drop('full');
    $filter = $class::restore('full', own_file('saved'));
    check($filter->info()->bounded && str_starts_with(thrown(fn () => $filter->add('one more')), RateException::class), "$class: restored");
    if ($filter instanceof CountingFilter) {
        // Removing makes room.
        while ($filter->info()->keys >= 1000) {
            $filter->remove(array_pop($added));
        }
        check($filter->add('one more') && $filter->mightContain('one more'), 'after a removal');
    }
    Filter::drop('full');
}

// Several processes exceed the capacity by at most one key each.
LiveFilter::create('shared', 500, seed: 1, bounded: true);
$processes = [];
for ($i = 0; $i < 4; $i++) {
    $processes[] = new Child('$filter = Bloom\LiveFilter::open("shared");
        foreach (keys("process $argv[1] ", 1000) as $key) {
            try {
                $filter->add($key);
            } catch (Bloom\RateException) {
                continue;
            }
            check($filter->mightContain($key), "$key was added");
        }', [], [$i]);
}
foreach ($processes as $process) {
    $said = $process->end();
    check($said === '', $said);
}
$keys = LiveFilter::open('shared')->info()->keys;
check($keys >= 500 && $keys <= 503, "$keys keys");
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\RateException: full: 1000 keys: the filter is full and does not accept more keys (create a larger filter)
Bloom\RateException: full: 1000 keys: the filter is full and does not accept more keys (create a larger filter)
Bloom\KindException: full: it refuses keys when it is full: a filter with that name already exists (drop it first, or use it as it is)
Bloom\RateException: full: 1000 keys: the filter is full and does not accept more keys (create a larger filter)
Bloom\RateException: full: 1000 keys: the filter is full and does not accept more keys (create a larger filter)
Bloom\KindException: full: it refuses keys when it is full: a filter with that name already exists (drop it first, or use it as it is)
