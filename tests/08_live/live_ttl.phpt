--TEST--
A filter with a time to live is dropped when it ends: for open(), find(), create(), list(), handles and other processes
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_ttl
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\{CountingFilter, Filter, LiveFilter, NotFoundException, ReverseIndex, ScalableFilter, SlidingFilter};

Clock::own();
Clock::stop(); // a busy machine may need longer than the times to live of this test

$create = [
    'live' => fn (?float $ttl) => LiveFilter::create('f', 100, ttl: $ttl),
    'counting' => fn (?float $ttl) => CountingFilter::create('f', 100, ttl: $ttl),
    'scalable' => fn (?float $ttl) => ScalableFilter::create('f', 100, ttl: $ttl),
    'sliding' => fn (?float $ttl) => SlidingFilter::create('f', 100, 0.01, 1e6, ttl: $ttl),
    'reverse' => fn (?float $ttl) => ReverseIndex::create('f', 500, 100, ttl: $ttl),
];
foreach ($create as $kind => $make) {
    $before = microtime(true);
    $filter = $make(1000);
    put($filter, 'k');
    $at = $filter->info()->expiresAt;
    check($at > $before + 999 && $at < microtime(true) + 1001, "$kind: expires at $at");
    // An existing filter keeps its time to live.
    check(abs($make(5)->info()->expiresAt - $at) < 1 && abs($make(null)->info()->expiresAt - $at) < 1, "$kind: opened");
    check(held($filter, 'k') && Filter::list() === ['f'], "$kind: it is there");
    Filter::drop('f');
    check($make(null)->info()->expiresAt === null, "$kind: without a time to live");
    Filter::drop('f');

    // What notices the end, and frees the memory.
    foreach (['open' => fn () => Filter::open('f'), 'find' => fn () => Filter::find('f'), 'list' => fn () => Filter::list(),
        'load' => fn () => Filter::load('f', blob_of(['k'])), 'create' => fn () => $make(1000), 'exclusive' => fn () => LiveFilter::create('f', 5, exclusive: true)] as $what => $call) {
        $old = $make(0.01);
        put($old, 'k');
        Clock::advance(0.011);
        $result = match ($what) {
            'open' => thrown($call, class: true),
            'find', 'list' => $call(),
            default => $call()->info()->keys,
        };
        check($result === ['open' => NotFoundException::class, 'find' => null, 'list' => [], 'load' => 1, 'create' => 0, 'exclusive' => 0][$what], "$kind, $what: " . json_encode($result));
        clearstatcache();
        check(is_dir(in_segment('f')) === in_array($what, ['load', 'create', 'exclusive'], true), "$kind, $what: its files");
        Filter::drop('f');
    }
}

// Handles of this process and of another one notice the end within a second or so, and adds no longer succeed.
$filter = LiveFilter::create('f', 100, ttl: 0.5);
$filter->add('k');
$reader = new Child('
    $filter = Bloom\Filter::open("f");
    echo $filter->mightContain("k") ? "found\n" : "not found\n";
    for ($i = 0; $i < 60_000; $i++) {
        try {
            check($filter->mightContain("k"), "the key is found until the end");
        } catch (Bloom\NotFoundException) {
            exit("dropped");
        }
        usleep(1000);
    }');
check($reader->hear() === 'found', 'another process finds the key');
for ($i = 0; $i < 60_000 && thrown(fn () => $filter->mightContain('k'), class: true) === 'nothing'; $i++) {
    usleep(1000);
}
echo thrown(fn () => $filter->mightContain('k')), "\n", thrown(fn () => $filter->add('k')), "\n", $reader->end(), "\n";
clearstatcache();
check(Filter::list() === [] && !file_exists(in_segment('f')), 'nothing is left');

// A snapshot keeps the time that is left.
$filter = LiveFilter::create('f', 100, ttl: 1000);
$at = $filter->info()->expiresAt;
$filter->save(own_file('saved'));
Filter::drop('f');
check(abs(Filter::restore('f', own_file('saved'))->info()->expiresAt - $at) < 2, 'restored');
Filter::drop('f');
// Its time also ends while it is only a snapshot.
LiveFilter::create('f', 100, ttl: 0.01)->save(own_file('saved'));
Clock::advance(0.011);
echo thrown(fn () => Filter::restore('f', own_file('saved'))), "\n";
foreach ([0.0, -1.0, NAN, 1.1e9, 0.001] as $ttl) {
    echo thrown(fn () => LiveFilter::create('f', 100, ttl: $ttl)), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\NotFoundException: f: the filter was dropped
Bloom\NotFoundException: f: the filter was dropped
dropped
Bloom\NotFoundException: f: the time to live of the saved filter has expired
ValueError: Bloom\LiveFilter::create(): Argument #6 ($ttl) must be between 0.01 and 1,000,000,000 seconds
ValueError: Bloom\LiveFilter::create(): Argument #6 ($ttl) must be between 0.01 and 1,000,000,000 seconds
ValueError: Bloom\LiveFilter::create(): Argument #6 ($ttl) must be between 0.01 and 1,000,000,000 seconds
ValueError: Bloom\LiveFilter::create(): Argument #6 ($ttl) must be between 0.01 and 1,000,000,000 seconds
ValueError: Bloom\LiveFilter::create(): Argument #6 ($ttl) must be between 0.01 and 1,000,000,000 seconds
