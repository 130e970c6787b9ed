--TEST--
With a signing key, a store can withhold the newest records, but not drop, insert, move or change a record unnoticed
--DESCRIPTION--
fault: record-withheld
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--INI--
bloom.path={TMP}/bloom-journal_signed
bloom.signing_key_file={TMP}/bloom-journal_signed.d/keys
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal};

ring('keys', 'current', 'earlier');
$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$journal->add(['before']);
$mark = $journal->mark();
check(preg_match('/^\d+-2-[0-9a-f]{16}-[0-9a-f]{64}$/', $mark) === 1, 'the mark has a link');
$builder = new Builder(1000, seed: 1);
$builder->add('before');
$builder->build(builtAt: 1e9, mark: $mark)->sign('tags')->publish($store, 'tags');
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');
// Two writers append in turn. Each must notice that the other one has appended.
$other = new Journal('tags', $store);
foreach (range(1, 4) as $i) {
    ($i % 2 ? $journal : $other)->add("key $i");
}
$store->calls = [];
$other->add('again');
echo 'a writer that knows the end: ', implode(' ', $store->calls), "\n";
$store->calls = [];
$journal->add('and again');
echo 'another writer has appended: ', implode(' ', $store->calls), "\n";

$honest = $store->journals['tags:journal'];
[$epoch, $records, $last] = $honest;
$first = $last - 5; // the first record that this host has not read
$position = $tags->info()->journal->position;
$unsigned = new ArrayJournalStore();
$plain = run('require ' . var_export(__DIR__ . '/../lib/journal.inc', true) . '; $store = new ArrayJournalStore; (new Bloom\Journal("tags", $store))->add("forged");
    echo bin2hex($store->journals["tags:journal"][1][2]);', ['bloom.signing_key_file' => '', 'bloom.path' => own_file('other')]);
ring('keys', 'foreign');
$foreign = run('require ' . var_export(__DIR__ . '/../lib/journal.inc', true) . '; $store = new ArrayJournalStore; (new Bloom\Journal("tags", $store))->add("forged");
    echo bin2hex($store->journals["tags:journal"][1][2]);', ['bloom.path' => own_file('other')]);
ring('keys', 'current', 'earlier');
$sealed = fn (string $bytes): string => substr($bytes, 0, -8) . strrev(hash('xxh3', substr($bytes, 0, -8), true));
$renumber = fn (array $list): array => array_combine(range(1, count($list)), array_values($list));
$cases = [
    'delayed' => [array_slice($records, 0, $last - 2, true), $last - 2],
    'the first new record is dropped' => [$renumber(array_diff_key($records, [$first => 1])), $last - 1],
    'a record in the middle is dropped' => [$renumber(array_diff_key($records, [$last - 2 => 1])), $last - 1],
    'two records are swapped' => [array_replace($records, [$last - 2 => $records[$last - 3], $last - 3 => $records[$last - 2]]), $last],
    'a record is repeated' => [array_replace($records, [$last + 1 => $records[$last]]), $last + 1],
    'a record is unsigned' => [array_replace($records, [$last => hex2bin($plain)]), $last],
    'a record has a foreign signature' => [array_replace($records, [$last => hex2bin($foreign)]), $last],
    'a record is changed' => [array_replace($records, [$last => $sealed(substr_replace($records[$last], 'X', 80, 1))]), $last],
];
foreach ($cases as $what => [$list, $end]) {
    // A host that has read the journal only up to the first new record.
    Filter::drop('tags');
    $store->journals['tags:journal'] = [$epoch, array_slice($records, 0, $first - 1, true), $first - 1];
    Filter::sync('tags', $store, 0);
    $tags = Filter::open('tags');
    $store->journals['tags:journal'] = [$epoch, $list, $end];
    try {
        Filter::sync('tags', $store, 0);
        echo "$what: ok, ", implode(' ', $tags->candidates(['key 1', 'key 2', 'key 3', 'key 4', 'again', 'and again', 'forged'])), "\n";
    } catch (Bloom\BloomException $thrown) {
        echo "$what: ", substr(get_class($thrown), 6), ': ', preg_replace('/fingerprint [0-9a-f]{16}/', 'fingerprint #', $thrown->getMessage()), "\n";
    }
}
$store->journals['tags:journal'] = $honest;
Filter::sync('tags', $store, 0);
check(count($tags->candidates(['key 1', 'key 2', 'key 3', 'key 4', 'again', 'and again'])) === 6, 'the honest journal');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
a writer that knows the end: append
another writer has appended: append last append
delayed: ok, key 1 key 2 key 3 key 4
the first new record is dropped: SignatureException: tags:journal: a journal record was dropped, inserted or moved
a record in the middle is dropped: SignatureException: tags:journal: a journal record was dropped, inserted or moved
two records are swapped: SignatureException: tags:journal: a journal record was dropped, inserted or moved
a record is repeated: SignatureException: tags:journal: a journal record was dropped, inserted or moved
a record is unsigned: SignatureException: tags:journal: a journal record is not signed, but signing keys are configured (set bloom.signing_key_file where keys are added, or unset it here)
a record has a foreign signature: SignatureException: fingerprint #: a journal record is signed with a key that is not configured (add the key to bloom.signing_key_file)
a record is changed: SignatureException: tags:journal: a journal record was altered: its signature does not match
