--TEST--
Filter::health() is critical if the journal was not read for maxLag or has too many keys, and warns after three quarters of maxLag
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-health_journal
bloom.memory_limit=49096
--FILE--
<?php
require __DIR__ . '/health.inc';
require __DIR__ . '/../lib/journal.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\{Builder, Filter, Journal};

Clock::own();
$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$builder = new Builder(1000, seed: 1);
$builder->addMany(range(1, 100));
$builder->build(builtAt: 1e9, mark: $journal->mark())->publish($store, 'tags');
switched(Filter::sync('tags', $store, 0));
judge('complete', Filter::health('tags', store: $store));
check(Filter::health('tags')->reloadBytes === Filter::open('tags')->info()->bytes + Filter::open('tags')->info()->journal->bytes, 'bytes');

switched(Filter::sync('tags', $store, 0, maxLag: 1000));
judge('in time', Filter::health('tags'));
Clock::advance(800);
judge('late', Filter::health('tags'));
switched(Filter::sync('tags', $store, 0, maxLag: 0.001));
Clock::advance(1);
judge('behind', Filter::health('tags'));
judge('behind and limit', Filter::health('tags', maxRate: 0.01));
Filter::drop('tags'); // otherwise a longer limit would not apply before an hour has passed
switched(Filter::sync('tags', $store, 0, maxLag: 0));
Clock::advance(1000);
judge('any age', Filter::health('tags'));

// The keys need another layer, which exceeds the memory limit.
$journal->add(range(1, 8000));
switched(Filter::sync('tags', $store, 0));
judge('too many keys', Filter::health('tags'));
judge('too many keys for the limit', Filter::health('tags', maxRate: 0.05));
judge('few enough keys for the limit', Filter::health('tags', maxRate: 0.1));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
complete: ok, 0 behind
in time: ok
late: warning; this host has been behind the journal for 13 min %d s; after 16 min 40 s every lookup answers "maybe"
behind: critical; this host has been behind the journal for %f s (at most 0.001 s), so every lookup answers "maybe": is bloom sync --every running?
behind and limit: critical; this host has been behind the journal for %f s (at most 0.001 s), so every lookup answers "maybe": is bloom sync --every running?
any age: ok
too many keys: critical; the journal keys' false-positive rate is 6.07 % (at most 1.5 %, requested 1 %)
too many keys for the limit: critical; the false-positive rate of a lookup is 6.07 % (at most 5 %)
few enough keys for the limit: ok
