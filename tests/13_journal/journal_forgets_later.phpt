--TEST--
If a store that has lost records refuses the notice for a while, the host tells the other hosts later, unless a newer version has the keys
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_forgets_later
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal};

/** Publishes a version, loses a record that this host has read, and lets all appends fail. */
function lose(bool $isOwn = false): void
{
    global $store, $journal, $tags;
    $store = new ArrayJournalStore();
    $journal = new Journal('tags', $store);
    Filter::drop('tags');
    publish();
    Filter::sync('tags', $store, 0);
    $tags = Filter::open('tags');
    $saved = $store->journals;
    $journal->add('lost');
    $isOwn || Filter::sync('tags', $store, 0);
    $store->journals = $saved;
    $store->before['append'] = fn () => throw new RuntimeException('the disk is full');
    foreach (range(1, 4) as $i) {
        Filter::sync('tags', $store, 0);
        check(notices() === 0 && $tags->mightContain('lost'), "sync $i keeps the key");
    }
    check($tags->info()->journal->recordsLost, 'the loss is known');
    unset($store->before['append']);
}

function publish(string ...$keys): void
{
    global $store, $journal;
    static $time = 1e9;
    $builder = new Builder(1000, seed: 1);
    $builder->addMany(['old', ...$keys]);
    $builder->build(builtAt: ++$time, mark: $journal->mark())->publish($store, 'tags');
}

function notices(): int
{
    global $store;
    return count(array_filter($store->journals['tags:journal'][1], fn (string $record): bool => unpack('V', $record, 8)[1] === 3));
}

foreach ([false, true] as $isOwn) {
    lose($isOwn);
    foreach (range(1, 3) as $i) {
        Filter::sync('tags', $store, 0);
        check(notices() === 1, "sync $i: one notice");
    }
    check($tags->mightContain('lost') && $tags->mightContain('absent') === $isOwn, 'this host may have the key, but not the records before its own');
    Filter::drop('tags');
    Filter::sync('tags', $store, 0);
    check(Filter::open('tags')->mightContain('lost') && Filter::open('tags')->info()->journal->mayLackKeys, 'another host reads the notice');
}

// A version that was built after the loss needs no notice.
lose();
$journal->add('later');
publish('lost', 'later');
foreach (range(1, 3) as $i) {
    Filter::sync('tags', $store, 0);
    check(notices() === 0 && $tags->mightContain('lost') && !$tags->mightContain('absent'), "sync $i of the next version");
}

// More keys do not keep the host from telling.
lose();
$journal->add('later');
Filter::sync('tags', $store, 0);
check(notices() === 1 && $tags->mightContain('later') && !$tags->mightContain('absent'), 'after another key');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
