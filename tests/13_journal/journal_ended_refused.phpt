--TEST--
After a refused end of a journal, an older blob that lacks its keys is refused, too, and one that was built later is not
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_ended_refused
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Blob, Builder, Filter, Journal};

$build = function (array $keys, float $builtAt, ?string $mark = null): Blob {
    $builder = new Builder(1000);
    $builder->addMany($keys);
    return $builder->build(builtAt: $builtAt, mark: $mark);
};
$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$build(['base'], 1e9, $journal->mark())->publish($store, 'tags');
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');
[$first, $second] = [$build(['base'], 1e9 + 1), $build(['base'], 1e9 + 2)];
$journal->add('added');
$publish = fn (Blob $blob, bool $ends) => thrown(fn () => $blob->publish($store, 'tags', endJournal: $ends), true);
check($publish($first, true) === 'Bloom\KindException', 'the blob lacks a key of the journal');
foreach ([false, true] as $ends) {
    check($publish($second, $ends) === 'Bloom\KindException', 'another blob that was built before the end lacks it, too');
    Filter::sync('tags', $store, 0);
    check($tags->mightContain('added'), 'the key is found');
}
// A key that has been deleted since cannot keep the journal from ending: the keys of this blob were read after the end.
check($build(['base', 'other'], microtime(true) + 1)->publish($store, 'tags')['warning'] === null, 'a later blob is published');
Filter::sync('tags', $store, 0);
check($tags->mightContain('other') && !$tags->mightContain('added'), 'hosts serve it');

// A record of a kind that this build does not know may contain keys, so no blob can be compared with it.
$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$build(['base'], 1e9, $journal->mark())->publish($store, 'tags');
$journal->add('base');
$records = &$store->journals['tags:journal'][1];
$bytes = substr_replace(end($records), pack('V', 7), 8, 4);
$records[array_key_last($records)] = substr($bytes, 0, -8) . strrev(hash('xxh3', substr($bytes, 0, -8), true));
try {
    $build(['base'], 1e9 + 1)->publish($store, 'tags', endJournal: true);
    echo "published\n";
} catch (Bloom\BloomException $thrown) {
    check($thrown->getCode() === Bloom\Status::RecordKind->value, "the record is refused: {$thrown->getMessage()}");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
