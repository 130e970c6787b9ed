--TEST--
Filter::health() gives the status and reason of each broken rule, and is Ok if no rule is broken
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-health_rules
--FILE--
<?php
require __DIR__ . '/health.inc';
use Bloom\{Builder, CountingFilter, DirectoryStore, Filter, LiveFilter, ReverseIndex, ScalableFilter, SlidingFilter};

// The ages of builds and syncs.
Filter::load('loaded', blob_of(range(1, 1000), builtAt: time() - 50 * 3600 - 60));
judge('no limits', Filter::health('loaded'));
judge('build in time', Filter::health('loaded', maxBuildAge: 51 * 3600));
judge('old build', Filter::health('loaded', maxBuildAge: 26 * 3600.0));
judge('never synced', Filter::health('loaded', maxSyncAge: 1e9));
$store = new DirectoryStore(own_file());
blob_of(range(1, 1000), builtAt: 1e9)->publish($store, 'synced');
switched(Filter::sync('synced', $store));
judge('synced', Filter::health('synced', maxSyncAge: 3600));
usleep(2000);
judge('old sync', Filter::health('synced', maxSyncAge: 0));
$old = Filter::health('synced');
check($old->buildAge > 7e8 && $old->syncAge < 3600 && Filter::health('loaded')->syncAge === null, 'ages');

// Not loaded. An old build or a wrong limit does not change that.
judge('missing', Filter::health('missing', maxBuildAge: 0, maxSyncAge: 0, maxRate: 0));
check(Filter::health('missing')->info === null, 'no info');

// False positives.
judge('small maxRate', Filter::health('loaded', maxRate: 0.001));
judge('large maxRate', Filter::health('loaded', maxRate: 0.02));
$live = LiveFilter::create('live', 1000, seed: 1);
$live->addMany(range(1, 850));
judge('85 % of the capacity', Filter::health('live'));
$live->addMany(range(1, 950));
judge('95 % of the capacity', Filter::health('live'));
$live->addMany(range(1, 6000));
judge('six times the capacity', Filter::health('live'));
judge('allowed', Filter::health('live', maxRate: 0.5));

// Answers "definitely not" that the application has checked.
$checked = Filter::load('checked', blob_of(range(1, 1000)));
$checked->confirm(0, 0, 7);
judge('checked answers', Filter::health('checked'));
$checked->confirm(0, 0, 3, 2);
judge('denied keys', Filter::health('checked'));

// The capacity of the other live kinds.
LiveFilter::create('bounded', 10, seed: 1, bounded: true)->addMany(range(1, 10));
judge('bounded', Filter::health('bounded'));
CountingFilter::create('counting', 1000, seed: 1)->addMany(range(1, 950));
judge('counting', Filter::health('counting'));
SlidingFilter::create('sliding', 1000, 0.01, 1e6, 1)->addMany(range(1, 950));
judge('sliding', Filter::health('sliding'));
ScalableFilter::create('scalable', 100, seed: 1)->addMany(range(1, 950));
judge('scalable', Filter::health('scalable'));
$index = ReverseIndex::create('index', 500, 1000, seed: 1);
$index->addMany(7, range(1, 500));
judge('reverse index', Filter::health('index'));
$index->addMany(7, range(1, 950));
judge('reverse index, nearly full', Filter::health('index'));
check(Filter::health('live')->reloadBytes === null && Filter::health('scalable')->reloadBytes === Filter::open('scalable')->info()->bytes
    && Filter::health('loaded')->reloadBytes === Filter::open('loaded')->info()->bytes, 'bytes of the next file');

// A class does not matter, and several reasons are listed, the worst first.
judge('subclass', LiveFilter::health('loaded', 0, 0, 0.001));

// Failed syncs.
for ($i = 1; $i <= 4; $i++) {
    thrown(fn () => Filter::sync('synced', new DirectoryStore('/nowhere'), 0));
    judge("$i failures", Filter::health('synced'));
}
judge('allowed failures', Filter::health('synced', maxFailures: 4));

// Arguments.
foreach ([['no/name'], ['x', -1.0], ['x', null, 1e10], ['x', NAN], ['x', null, null, 1.5], ['x', null, null, -0.1], ['x', null, null, null, -1]] as $arguments) {
    echo thrown(fn () => Filter::health(...$arguments)), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
no limits: ok
build in time: ok
old build: critical; built 2 d 2 h ago (at most 26 h)
never synced: critical; never synced
synced: ok
old sync: critical; last synced %f s ago (at most 0 s)
missing: critical, not ready; {segment}/missing: no such filter is loaded
small maxRate: critical; the false-positive rate of a lookup is 0.508 % (at most 0.1 %)
large maxRate: ok
85 % of the capacity: ok
95 % of the capacity: warning; it has about 950 keys and a capacity of 1000
six times the capacity: critical; the false-positive rate is 29.7 % (at most 1.5 %, requested 1 %); it has about 5997 keys and a capacity of 1000
allowed: warning; it has about 5997 keys and a capacity of 1000
checked answers: ok
denied keys: critical; lookups denied keys that exist: 2 of 10 that the application checked, last %s ago
bounded: critical; full: it has 10 keys and refuses new ones
counting: warning; it has about 950 keys and a capacity of 1000
sliding: warning; it has about 950 keys and a capacity of 1000
scalable: ok
reverse index: ok
reverse index, nearly full: warning; it has about 949 keys and a capacity of 1000
subclass: critical; never synced; the false-positive rate of a lookup is 0.508 % (at most 0.1 %); built 2 d 2 h ago (at most 0 s)
1 failures: ok
2 failures: ok
3 failures: ok
4 failures: critical; 4 syncs failed in a row: /nowhere: the store's directory cannot be reached: No such file or directory
allowed failures: ok
ValueError: Bloom\Filter::health(): Argument #1 ($name) must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
ValueError: Bloom\Filter::health(): Argument #2 ($maxBuildAge) must be between 0 and 1,000,000,000 seconds
ValueError: Bloom\Filter::health(): Argument #3 ($maxSyncAge) must be between 0 and 1,000,000,000 seconds
ValueError: Bloom\Filter::health(): Argument #2 ($maxBuildAge) must be between 0 and 1,000,000,000 seconds
ValueError: Bloom\Filter::health(): Argument #4 ($maxRate) must be between 0 and 1
ValueError: Bloom\Filter::health(): Argument #4 ($maxRate) must be between 0 and 1
ValueError: Bloom\Filter::health(): Argument #5 ($maxFailures) must be greater than or equal to 0
