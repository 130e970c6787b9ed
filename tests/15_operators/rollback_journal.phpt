--TEST--
A rollback and a pin of a filter with a journal keep all keys that were added since the served version's build
--DESCRIPTION--
fault: bad-version
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-rollback_journal
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Blob, Builder, Filter, Journal};

$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$added = [];
$version = 0;
/** Adds a key, and builds a version: a good one contains all keys so far. */
function night(bool $isGood = true): void
{
    global $store, $journal, $added, $version;
    $mark = $journal->mark();
    $builder = new Builder(1000, seed: 1);
    $builder->addMany($isGood ? $added : ['bad']);
    $builder->build(builtAt: ++$version * 1000.0, mark: $mark)->publish($store, 'tags');
}
function add(string $key): void
{
    global $journal, $added;
    $added[] = $key;
    $journal->add($key);
}
/** Syncs as a command does every second: it reads the head only if the journal says so. */
function sync(): string
{
    global $store, $added;
    $result = Filter::sync('tags', $store, 0.0000001)->value;
    $tags = Filter::open('tags');
    check($tags->candidates($added) === $added, 'all keys are there: ' . implode(', ', array_diff($added, $tags->candidates($added))));
    $info = $tags->info();
    return "$result " . $info->builtAt / 1000 . ($info->rolledBackAt ? ' rolled back' : '') . ($info->pinnedSince ? ' pinned' : '');
}

add('before one');
night();
Filter::sync('tags', $store, 0);
add('before two');
night();
add('after two');
echo sync(), "\n";
Blob::rollback($store, 'tags');
echo sync(), ", ", sync(), "\n";
add('while rolled back');
echo sync(), "\n";
remove_tree(segment_path());
Filter::sync('tags', $store, 0);
echo 'after a reboot: ', sync(), "\n";
night();
echo sync(), "\n";
// The bad version's keys are missing, but the journal still has what the previous one needs.
add('before the bad one');
night(isGood: false);
Blob::rollback($store, 'tags');
add('after the rollback');
Filter::sync('tags', $store, 0);
echo sync(), "\n";
night();
echo sync(), "\n";

echo "-- pinned for three nights\n";
Blob::pin($store, 'tags');
add('pinned');
for ($i = 0; $i < 3; $i++) {
    night();
    add("pinned $i");
    echo sync(), "\n";
}
remove_tree(segment_path());
Filter::sync('tags', $store, 0);
echo 'after a reboot: ', sync(), "\n";
$records = count($store->journals['tags:journal'][1]);
Blob::unpin($store, 'tags');
echo sync(), "\n";
night();
echo sync(), "\n";
check(count($store->journals['tags:journal'][1]) < $records, 'the next night trims the journal');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
switched 2
switched 1 rolled back, current 1 rolled back
current 1 rolled back
after a reboot: current 1 rolled back
switched 3
current 3 rolled back
switched 5
-- pinned for three nights
current 5 pinned
current 5 pinned
current 5 pinned
after a reboot: current 5 pinned
switched 8
switched 9
