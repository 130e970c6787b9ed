--TEST--
A host that has not reached the end of its journal for maxLag answers maybe, and info() reports it, until a sync succeeds
--DESCRIPTION--
fault: added-elsewhere
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_behind
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal, StoreException};

$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
foreach (['bloom', 'ribbon'] as $scheme) {
    $builder = new Builder(1000, seed: 1, scheme: Bloom\Scheme::tryFrom($scheme));
    $builder->add('old');
    $builder->build(builtAt: $scheme === 'bloom' ? 1e9 : 1e9 + 1, mark: $journal->mark())->publish($store, 'tags');
    Filter::drop('tags');
    Filter::sync('tags', $store, 0);
    $tags = Filter::open('tags');
    check($tags->candidates(['absent']) === [] && !$tags->mightContain('absent'), "$scheme: no");
    // A sync shortens the lag that is allowed. The next lookup notices this.
    switched(Filter::sync('tags', $store, 0, maxLag: 0.001));
    usleep(2000);
    check($tags->candidates(['absent', 'x']) === ['absent', 'x'] && $tags->mightContain('absent'), "$scheme: maybe");
    $info = $tags->info();
    echo "$info->warning; ", json_encode($info->journal->isComplete), ' ', $info->lookupFalsePositiveRate, "\n";

    // A failed sync does not help. Neither does the insertion of a key on this host.
    $store->before['read'] = fn () => throw new RuntimeException('cut off');
    $journal->add('new');
    try {
        Filter::sync('tags', $store, 0);
    } catch (StoreException $thrown) {
        echo $thrown->getMessage(), "\n";
    }
    check($tags->mightContain('absent'), "$scheme: still maybe");
    unset($store->before['read']);

    // 0 means any age. A longer time would not apply before an hour has passed.
    Filter::drop('tags');
    switched(Filter::sync('tags', $store, 0, maxLag: 0));
    $tags = Filter::open('tags');
    check(!$tags->mightContain('absent') && $tags->info()->journal->isComplete && $tags->mightContain('new'), "$scheme: no again");
}
foreach ([-1, NAN, 1e10] as $lag) {
    try {
        Filter::sync('tags', $store, maxLag: $lag);
    } catch (ValueError $thrown) {
        echo $thrown->getMessage(), "\n";
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
this host has been behind the journal for longer than maxLag, so every lookup answers maybe: is bloom sync --every running?; false 1
the store failed: RuntimeException: cut off
this host has been behind the journal for longer than maxLag, so every lookup answers maybe: is bloom sync --every running?; false 1
the store failed: RuntimeException: cut off
Bloom\Filter::sync(): Argument #6 ($maxLag) must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds
Bloom\Filter::sync(): Argument #6 ($maxLag) must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds
Bloom\Filter::sync(): Argument #6 ($maxLag) must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds
