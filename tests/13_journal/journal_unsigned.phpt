--TEST--
With a signing key, writers and mark() continue behind a record that hosts refuse, and a new version repairs the hosts
--DESCRIPTION--
fault: record-unsigned, record-withheld
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--INI--
bloom.path={TMP}/bloom-journal_unsigned
bloom.signing_key_file={TMP}/bloom-journal_unsigned.d/keys
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal};

/** Returns the record that a host with other settings would append. */
function record_elsewhere(string $keyFile): string
{
    return hex2bin(run('require ' . var_export(__DIR__ . '/../lib/journal.inc', true) . '; $store = new ArrayJournalStore; (new Bloom\Journal("tags", $store))->add("forged");
        echo bin2hex(end($store->journals["tags:journal"][1]));', ['bloom.signing_key_file' => $keyFile, 'bloom.path' => own_file('elsewhere')]));
}

ring('keys', 'current');
ring('foreign-keys', 'foreign');
$signed = record_elsewhere(own_file('foreign-keys'));
$records = [
    'unsigned' => record_elsewhere(''),
    'foreign' => $signed,
    'damaged' => substr_replace($signed, $signed[60] ^ "\1", 60, 1),
];
$store = new ArrayJournalStore();
$builtAt = 1e9;
$all = [];
$publish = function () use ($store, &$all, &$builtAt): void {
    $mark = (new Journal('tags', $store))->mark();
    $builder = new Builder(1000, seed: 1);
    $builder->addMany($all);
    $builder->build(builtAt: ++$builtAt, mark: $mark)->sign('tags')->publish($store, 'tags');
};
$publish();
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');
foreach ($records as $what => $record) {
    $journal = new Journal('tags', $store);
    $journal->add($all[] = "before $what");
    Filter::sync('tags', $store, 0);
    $position = $tags->info()->journal->position;
    // The misconfigured host appends.
    $store->append('tags:journal', [$record]);
    // Writers continue: those that know the end, and new ones.
    $journal->add($all[] = "after $what");
    (new Journal('tags', $store))->add($all[] = "after $what, again");
    check($tags->candidates($all) === $all, "$what: this host finds its own keys");
    echo "$what: ", preg_replace('/fingerprint [0-9a-f]{16}/', 'fingerprint #', thrown(fn () => Filter::sync('tags', $store, 0))), "\n";
    check($tags->info()->journal->position === $position, "$what: hosts stop before the record");
    // A new version repairs them.
    $publish();
    check(switched(Filter::sync('tags', $store, 0)), "$what: the next version is loaded");
    $journal->add($all[] = "in the next version, $what");
    Filter::sync('tags', $store, 0);
    check($tags->candidates($all) === $all && !$tags->mightContain('forged'), "$what: all keys are found");
    check($tags->info()->journal->records === 2 && $tags->info()->journal->isComplete && !$tags->info()->journal->recordsLost,
        "$what: the host follows the journal again: " . json_encode($tags->info()->journal));
}

// A store hides the last record from the next writer, which appends its own in its place. A host that had read or added it
// notices. Nobody else could.
foreach (['added' => false, 'read' => true] as $what => $reads) {
    $publish();
    Filter::sync('tags', $store, 0);
    $before = $store->journals;
    (new Journal('tags', $store))->add($all[] = "hidden after it was $what");
    $reads && Filter::sync('tags', $store, 0);
    $store->journals = unserialize(base64_decode(run('require ' . var_export(__DIR__ . '/../lib/journal.inc', true) . '; $store = new ArrayJournalStore;
        $store->journals = unserialize(base64_decode("' . base64_encode(serialize($before)) . '")); (new Bloom\Journal("tags", $store))->add("in its place");
        echo base64_encode(serialize($store->journals));', ['bloom.path' => own_file('elsewhere')])));
    check(switched(Filter::sync('tags', $store, 0)), "$what: the version is loaded again");
    check($tags->candidates($all) === $all && $tags->mightContain('in its place'), "$what: no key is denied");
    echo "$what: ", $tags->info()->journal->recordsLost ? 'noticed' : 'not noticed', "; ", $tags->info()->lastError, "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
unsigned: Bloom\SignatureException: tags:journal: a journal record is not signed, but signing keys are configured (set bloom.signing_key_file where keys are added, or unset it here)
foreign: Bloom\SignatureException: fingerprint #: a journal record is signed with a key that is not configured (add the key to bloom.signing_key_file)
damaged: Bloom\FormatException: tags:journal: a journal record is damaged or larger than 1 MiB
added: noticed; tags:journal: the store has lost journal records (build and publish the filter again with a new mark)
read: noticed; tags:journal: the store has lost journal records (build and publish the filter again with a new mark)
