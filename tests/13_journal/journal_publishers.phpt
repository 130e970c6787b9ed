--TEST--
A slow publisher whose mark the journal no longer has replaces no head, also if the journal is trimmed while it sets its head
--DESCRIPTION--
fault: mark-trimmed
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_publishers
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Blob, Filter, Journal};

$store = new ArrayJournalStore;
$journal = new Journal('tags', $store);
$build = function (int $builtAt, int $number) use (&$journal): Blob {
    $journal->add("before $number");
    $mark = $journal->mark();
    $journal->add("after $number");
    $builder = new Bloom\Builder(1000, seed: 1);
    $builder->addMany(keys("v$number.", 100));
    return $builder->build(builtAt: $builtAt, mark: $mark);
};
$heads = fn (): array => [$GLOBALS['store']->values['tags'], $GLOBALS['store']->values['tags:versions'] ?? null];
/** Syncs on a host that has nothing. */
$host = function () use ($store): string {
    thrown(fn () => Filter::drop('tags'));
    return thrown(fn () => Filter::sync('tags', $store, 0));
};
$build(1, 1)->publish($store, 'tags', retain: 2);
$build(2, 2)->publish($store, 'tags', retain: 2);

foreach (['built before the others' => [3, 4, 5], 'built after the others' => [9, 7, 8]] as $which => [$slowAt, $firstAt, $secondAt]) {
    echo "-- a slow publisher is overtaken by two others, $which\n";
    $slow = $build($slowAt, 10 * $slowAt);
    $others = [$build($firstAt, 10 * $firstAt), $build($secondAt, 10 * $secondAt)];
    $store->before['set'] = function () use ($store, $others, &$then): void {
        unset($store->before['set']);
        array_map(fn (Blob $blob) => $blob->publish($store, 'tags', retain: 2), $others);
        $then = [$store->values['tags'], $store->values['tags:versions']];
    };
    echo thrown(fn () => $slow->publish($store, 'tags', retain: 2)), "\n";
    check($heads() === $then, 'both heads are those of the others');
    check(Blob::fetch($store, 'tags')->toString() === $others[1]->toString(), 'the last one is complete');
    echo 'host: ', $host(), ', rollback: ', thrown(fn () => Blob::rollback($store, 'tags')), "\n";
    Blob::unpin($store, 'tags');
}

echo "-- the journal is trimmed just after the head was set\n";
$before = $heads();
$new = $build(20, 50);
$isFirst = true;
$store->before['read'] = function () use ($store, $before, &$isFirst): void {
    if ($store->values['tags'] !== $before[0] && $isFirst) {
        $isFirst = false;
        $store->trim('tags:journal', $store->last('tags:journal')[0]);
    }
};
echo thrown(fn () => $new->publish($store, 'tags', retain: 2)), "\n";
unset($store->before['read']);
check(!$isFirst && $heads()[0] === $before[0], 'the head is back');
check(!isset($store->values['tags:staged']), 'no staged head is left');

echo "-- the same for the first version of a name\n";
$store = new ArrayJournalStore;
$journal = new Journal('tags', $store);
$new = $build(1, 1);
$store->before['read'] = function () use ($store): void {
    if (isset($store->values['tags'])) {
        unset($store->before['read'], $store->journals['tags:journal']);
    }
};
echo thrown(fn () => $new->publish($store, 'tags', retain: 2)), "\n";
check(!isset($store->values['tags']), 'nothing is published');
// The next publishes delete the chunks of that version.
array_map(fn (int $number) => $build(1 + $number, $number)->publish($store, 'tags', retain: 2), [2, 3, 4]);
$chunks = preg_grep('/:[0-9a-f]{32}$/', array_keys($store->values));
check(count($chunks) === 2, 'the chunks of two versions are left: ' . implode(' ', $chunks));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- a slow publisher is overtaken by two others, built before the others
Bloom\BusyException: tags: a version that was built later is published: another process has changed the filter in the meantime
host: nothing, rollback: nothing
-- a slow publisher is overtaken by two others, built after the others
Bloom\StoreException: tags: the journal does not continue from the blob's mark (build and publish the filter again with a new mark)
host: nothing, rollback: nothing
-- the journal is trimmed just after the head was set
Bloom\StoreException: tags: the journal does not continue from the blob's mark (build and publish the filter again with a new mark)
-- the same for the first version of a name
Bloom\StoreException: tags: the journal does not continue from the blob's mark (build and publish the filter again with a new mark)
