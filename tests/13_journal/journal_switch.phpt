--TEST--
A key that is added at any moment of a sync is found on the adding host before, during and after the switch
--DESCRIPTION--
fault: add-during-sync
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_switch
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal};

/* The store calls back at each of its methods. Each callback adds a key with a second Journal object, which is what another
 * process would do at that moment. */
$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$added = [];
$add = function (string $when) use ($journal, &$added): void {
    $added[] = $key = "$when " . count($added);
    $journal->add($key);
    $tags = Filter::find('tags');
    check($tags === null || $tags->candidates($added) === $added, "all keys so far are found after $key");
};
$blob = null;
for ($version = 1; $version <= 3; $version++) {
    $mark = $journal->mark();
    $builder = new Builder(1000, seed: 1);
    $builder->addMany($added);
    $add('while building');
    $blob = $builder->build(builtAt: 1e9 + $version, mark: $mark);
    $blob->publish($store, 'tags');
    foreach (['getMultiple', 'read'] as $method) {
        $store->before[$method] = function () use ($add, $method, $store): void {
            [$before, $store->before] = [$store->before, []]; // add() itself calls append() only
            $add("in $method");
            $store->before = $before;
        };
    }
    check(switched(Filter::sync('tags', $store, 0)), "switched to version $version");
    $store->before = [];
    $tags = Filter::open('tags');
    check($tags->candidates($added) === $added, "after switch $version");
    $add('between');
    Filter::sync('tags', $store, 0);
    check($tags->candidates($added) === $added, 'after a sync');
}
// The same with load().
$store->before['read'] = fn () => [$store->before = [], $add('in load')];
Filter::load('tags', $blob, journal: $store);
check($tags->candidates($added) === $added, 'after a load');
echo count($added), " keys\n";

// A reboot: a new segment finds everything with its first sync.
remove_tree(segment_path());
Filter::sync('tags', $store, 0);
check(Filter::open('tags')->candidates($added) === $added, 'after a reboot');

// A second process that stages and announces at the same time makes the first one start again.
$rounds = 0;
$store->before['read'] = function () use ($store, $blob, &$rounds): void {
    if ($rounds++ === 1) { // between the announcement and the last read
        $before = $store->before;
        $store->before = [];
        Filter::load('tags', $blob, journal: $store);
        $store->before = $before;
    }
};
Builder::like($blob)->build(builtAt: 1e9 + 9, mark: $journal->mark())->publish($store, 'tags');
check(switched(Filter::sync('tags', $store, 0)) && Filter::open('tags')->info()->builtAt === 1e9 + 9, 'the sync wins in the end');
echo "$rounds reads\n";
$files = preg_replace('/[0-9a-f]{16}\./', '*.', tree(segment_path()));
sort($files);
echo implode(' ', $files), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
23 keys
6 reads
tags tags/*.added tags/*.bloom tags/control
