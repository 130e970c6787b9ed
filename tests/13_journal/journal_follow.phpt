--TEST--
A sync finds every key that was added to the journal since the mark, and later syncs read only what is new
--DESCRIPTION--
fault: added-elsewhere
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_follow
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal};

$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$journal->add('before the mark');
$mark = $journal->mark();
check($journal->mark() === $mark, 'a mark does not change the journal');
$journal->add('while the keys are read');
$builder = new Builder(1000, seed: 1);
$builder->addMany(['before the mark', 'old']);
$blob = $builder->build(builtAt: 1e9, mark: $mark);
check($blob->info()->mark === $mark && Bloom\Blob::fromString($blob->toString())->info()->mark === $mark, 'the blob has the mark');
$blob->publish($store, 'tags');
var_dump($journal->add(['new', 5, 'new']), $journal->add(new ArrayIterator(['again'])), $journal->add([]));
$keys = ['before the mark', 'while the keys are read', 'old', 'new', '5', 'again'];

$store->calls = [];
var_dump(switched(Filter::sync('tags', $store)));
echo implode(' ', $store->calls), "\n";
$tags = Filter::open('tags');
check($tags->candidates($keys) === $keys && $tags->candidates(['x' => 'new', 'y' => 'absent']) === ['x' => 'new'], 'candidates()');
foreach ($keys as $key) {
    check($tags->mightContain($key), $key);
}
check($tags->candidates(['absent', 'other']) === [] && !$tags->mightContain('absent'), 'absent keys');
$info = $tags->info()->journal;
echo "$info->records records, $info->keys keys, ", $info->isComplete ? 'complete' : 'behind', ", maxLag $info->maxLag\n";

// The process that adds a key finds it at once. Another host would need a sync.
$journal->add('now');
check($tags->mightContain('now') && $tags->info()->journal->records === $info->records, 'found before the sync');

// A sync without news calls the store once.
$store->calls = [];
usleep(2000);
var_dump(switched(Filter::sync('tags', $store, 0.001)));
check($tags->info()->journal->records === $info->records + 1, 'one more record');
usleep(2000);
Filter::sync('tags', $store, 0.001);
echo implode(' ', $store->calls), "\n";

// A published version is noticed in the journal, so the next sync loads it.
Builder::like($blob)->build(builtAt: 2e9 - 1e9 + 1, mark: $journal->mark())->publish($store, 'tags');
$store->calls = [];
usleep(2000);
var_dump(switched(Filter::sync('tags', $store, 0.001)));
echo implode(' ', $store->calls), "\n";
check(!$tags->mightContain('new') && $tags->info()->journal->records === 1, 'keys before the new mark are the next build\'s');

// Several filters are pulled in one call. Those that need a sync are returned.
$store->calls = [];
echo implode(' ', Journal::pull($store, ['tags', 'not-loaded'])), ': ', implode(' ', $store->calls), "\n";

// A sync of a name that pull() returns is due, although the journal was read just now.
Builder::like($blob)->build(builtAt: 1e9 + 2, mark: $journal->mark())->publish($store, 'tags');
echo implode(' ', Journal::pull($store, ['tags'])), ': ', Filter::sync('tags', $store)->name, "\n";
echo implode(' ', Journal::pull($store, ['tags'])), ': ', Filter::sync('tags', $store)->name, "\n";

// The switch loses no file.
$files = preg_replace('/[0-9a-f]{16}\.added/', '*.added', tree(segment_path()));
sort($files);
echo implode(' ', $files), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
int(3)
int(1)
int(0)
bool(true)
getMultiple getMultiple read read
4 records, 4 keys, complete, maxLag 60
bool(false)
read read
bool(true)
read getMultiple getMultiple read read
not-loaded: read
tags: Switched
: NotDue
tags tags/*.added tags/0000000000000003.bloom tags/control
