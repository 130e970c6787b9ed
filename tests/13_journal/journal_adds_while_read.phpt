--TEST--
A key that is added here while a sync reads the journal does not look as if the store had lost it
--DESCRIPTION--
fault: store-forgets
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_adds_while_read
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal, SyncResult};

$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$builder = new Builder(1000);
$builder->add('old');
$builder->build(mark: $journal->mark())->publish($store, 'tags');
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');

foreach (range(1, 5) as $i) {
    // The sync has computed the position that it asks for when this key is added, and its answer has the key's record.
    $store->before['read'] = function () use ($store, $journal, $i): void {
        unset($store->before['read']);
        $journal->add("added $i");
    };
    check(Filter::sync('tags', $store, 0) === SyncResult::Current, "sync $i reads the record");
    $store->calls = [];
    check(Filter::sync('tags', $store, 0) === SyncResult::Current, "the sync after it loads nothing");
    check(array_count_values($store->calls)['read'] === 1, 'it reads the journal once');
    check($tags->mightContain("added $i") && !$tags->mightContain('absent'), "key $i is found");
}

// The record of this host is still missed if the store loses it after it was read.
$saved = $store->journals;
$store->before['read'] = function () use ($store, $journal): void {
    unset($store->before['read']);
    $journal->add('lost');
};
Filter::sync('tags', $store, 0);
$store->journals = $saved;
Filter::sync('tags', $store, 0);
check($tags->mightContain('lost') && $tags->info()->journal->recordsLost, 'a loss is noticed');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
