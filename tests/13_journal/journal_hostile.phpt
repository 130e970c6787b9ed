--TEST--
Damaged, forged and foreign records, and stores that answer nonsense, cause typed errors and do not change what is served
--DESCRIPTION--
fault: mark-unfollowed, record-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_hostile
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal, Store};

/** Answers read() with a fixed value. */
class LyingStore extends ArrayJournalStore
{
    public mixed $answer = null;
    public function read(array $positions, int $limit): array
    {
        return $this->answer === null ? parent::read($positions, $limit) : ($this->answer)($positions);
    }
}

// Records of another store. The filter is not loaded yet, so these keys are not inserted here.
$store2 = new ArrayJournalStore();
(new Journal('tags', $store2))->add(['x', 'y']);
(new Journal('other', $store2))->add('x');
$store = new LyingStore();
$journal = new Journal('tags', $store);
$builder = new Builder(1000, seed: 1);
$builder->add('old');
$blob = $builder->build(builtAt: 1e9, mark: $journal->mark());
$blob->publish($store, 'tags');
$journal->add('new');
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');
$served = [$tags->info()->generation, $tags->info()->journal->position];

$record = $store2->journals['tags:journal'][1][2]; // after the one that begins the journal
$foreign = $store2->journals['other:journal'][1][2];
[$epoch, $offset] = explode('-', $served[1]);
$check = fn (string $record): string => bin2hex(substr($record, -8));
$sealed = fn (string $bytes): string => substr($bytes, 0, -8) . strrev(hash('xxh3', substr($bytes, 0, -8), true));
$at = fn (string $record, ?int $after = null, ?string $other = null): string
    => ($other ?? $epoch) . '-' . ($after ?? $offset + 1) . '-' . $check($record);
$cases = [
    'not an array' => fn () => 'x',
    'a list' => fn () => [[$record]],
    'no answer for the name' => fn () => [],
    'a number for the records' => fn () => ['tags:journal' => 5],
    'a number for a record' => fn () => ['tags:journal' => [$at($record) => 5]],
    'no position' => fn () => ['tags:journal' => [$record]],
    'garbage for a position' => fn () => ['tags:journal' => ['here' => $record]],
    'the same position' => fn () => ['tags:journal' => [$at($record, (int) $offset) => $record]],
    'a position that goes back' => fn () => ['tags:journal' => [$at($record, 1) => $record]],
    'another epoch' => fn () => ['tags:journal' => [$at($record, null, '1') => $record]],
    'another check' => fn () => ['tags:journal' => ["$epoch-" . ($offset + 1) . '-0123456789abcdef' => $record]],
    'an empty record' => fn () => ['tags:journal' => [$at($record) => '']],
    'a truncated record' => fn () => ['tags:journal' => [$at($record) => substr($record, 0, -1)]],
    'a longer record' => fn () => ['tags:journal' => [$at($record) => "$record."]],
    'a huge record' => fn () => ['tags:journal' => [$at($record) => str_repeat('x', (1 << 20) + 1)]],
    'a flipped byte' => fn () => ['tags:journal' => [$at($record) => substr_replace($record, 'X', 45, 1)]],
    'another filter\'s record' => fn () => ['tags:journal' => [$at($foreign) => $foreign]],
    'a wrong number of keys' => fn () => ['tags:journal' => [$at($bad = $sealed(substr_replace($record, "\3", 12, 1))) => $bad]],
    'a key beyond the end' => fn () => ['tags:journal' => [$at($bad = $sealed(substr_replace($record, "\xff", 40, 1))) => $bad]],
    'the journal was lost' => fn () => ['tags:journal' => null],
];
foreach ($cases as $what => $answer) {
    $store->answer = $answer;
    try {
        Filter::sync('tags', $store, 0);
        echo "$what: no error\n";
    } catch (Throwable $thrown) {
        echo "$what: ", substr(get_class($thrown), 6), ': ', preg_replace('/[0-9a-f]{12,}/', '#', $thrown->getMessage()), "\n";
    }
    check([$tags->info()->generation, $tags->info()->journal->position] === $served, "$what: nothing has changed");
    check($tags->candidates(['old', 'new', 'absent']) === ['old', 'new'], "$what: the answers");
    try {
        check(Journal::pull($store, ['tags']) === ['tags'], "$what: a pull asks for a sync");
    } catch (Bloom\StoreException) {
        // the answer was refused as a whole
    }
}
// Kinds with the highest bit may be ignored.
$kind = fn (int $number): string => $sealed(substr_replace($record, pack('V', $number), 8, 4));
[$unknown, $optional] = [$kind(9), $kind(0x80000001)];
$store->answer = fn ($positions) => ['tags:journal' => [$at($optional) => $optional]];
switched(Filter::sync('tags', $store, 0));
check($tags->info()->journal->records === 3 && $tags->candidates(['x']) === [], 'an optional kind of record is skipped');
// Any other kind that this build does not know may change what the records mean. The host stops before it, so that it falls behind.
$store->answer = fn ($positions) => ['tags:journal' => []];
switched(Filter::sync('tags', $store, 0, maxLag: 0.001));
$before = $tags->info()->journal->position;
$store->answer = fn ($positions) => ['tags:journal' => [$at($unknown, $offset + 2) => $unknown, $at($optional, $offset + 3) => $optional]];
echo 'an unknown kind: ', thrown(fn () => Filter::sync('tags', $store, 0)), "\n";
check(str_contains($tags->info()->lastError, 'kind 9'), 'lastError shows the kind');
check($tags->info()->journal->position === $before, 'an unknown kind of record is not passed');
for ($i = 0; $i < 1000 && !$tags->mightContain('absent'); $i++) {
    usleep(10_000);
}
check($i < 1000, 'the host answers maybe');

// Loading needs the journal, and a journal needs a mark.
foreach ([
    fn () => Filter::load('tags', $blob),
    fn () => Filter::load('tags', blob_of(['a']), journal: $store),
    fn () => Filter::attach('other', $store, 1 << 20),
    fn () => new Journal('tags', new class implements Store {
        public function getMultiple(array $keys): array { return []; }
        public function missing(array $keys): array { return $keys; }
        public function set(string $key, string $value): void {}
        public function replace(string $key, ?string $expected, string $value): bool { return true; }
        public function deleteMultiple(array $keys): void {}
    }),
    fn () => new Journal('no/name', $store),
    fn () => (new Builder(10))->build(mark: 'x'),
    fn () => (new Bloom\ReverseIndexBuilder(5, 10))->build(mark: $journal->mark()),
    fn () => $journal->add(['a', 1.5]),
    fn () => $journal->add(null),
    fn () => $journal->add(str_repeat('x', 1 << 20)),
] as $call) {
    $store->answer = null;
    $store->values['other'] = $store->values['tags'];
    try {
        $call();
        echo "no error\n";
    } catch (Throwable $thrown) {
        echo preg_replace('/class@anonymous.*?, and|and Bloom.Store@anonymous.*? does/s', 'and it does', $thrown->getMessage()), "\n";
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
not an array: StoreException: the store failed: TypeError: LyingStore::read(): Return value must be of type array, string returned
a list: StoreException: tags: the journal does not continue from the blob's mark (build and publish the filter again with a new mark)
no answer for the name: StoreException: tags: the journal does not continue from the blob's mark (build and publish the filter again with a new mark)
a number for the records: StoreException: tags:journal: the store returned a value of the wrong type
a number for a record: StoreException: tags:journal: the store returned a value of the wrong type
no position: StoreException: tags:journal: no position: the store returned an invalid position in the journal
garbage for a position: StoreException: tags:journal: here: the store returned an invalid position in the journal
the same position: StoreException: tags:journal: #-3-#: the store returned an invalid position in the journal
a position that goes back: StoreException: tags:journal: #-1-#: the store returned an invalid position in the journal
another epoch: StoreException: tags:journal: 1-4-#: the store returned an invalid position in the journal
another check: StoreException: tags:journal: #-4-#: the store returned an invalid position in the journal
an empty record: FormatException: tags:journal: a journal record is damaged or larger than 1 MiB
a truncated record: FormatException: tags:journal: a journal record is damaged or larger than 1 MiB
a longer record: FormatException: tags:journal: a journal record is damaged or larger than 1 MiB
a huge record: FormatException: tags:journal: a journal record is damaged or larger than 1 MiB
a flipped byte: FormatException: tags:journal: a journal record is damaged or larger than 1 MiB
another filter's record: FormatException: tags:journal: a journal record belongs to a different filter
a wrong number of keys: FormatException: tags:journal: a journal record is damaged or larger than 1 MiB
a key beyond the end: FormatException: tags:journal: a journal record is damaged or larger than 1 MiB
the journal was lost: StoreException: tags: the journal does not continue from the blob's mark (build and publish the filter again with a new mark)
an unknown kind: Bloom\FormatException: tags:journal: kind 9: this build does not know the kind of a journal record (upgrade the extension here, or build and publish the filter with a new mark)
tags: the blob has a mark, so it can only be loaded together with its journal (pass a store that implements JournalStore)
tags: the blob has no mark, so it has no journal (build it with a mark)
other: an on-demand filter, a reverse index, a map or a filter of another system cannot follow a journal (build it without a mark)
Bloom\Journal::__construct(): Argument #2 ($store) must implement Bloom\JournalStore to keep a journal, and it does not
Bloom\Journal::__construct(): Argument #1 ($name) must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
Bloom\Builder::build(): Argument #3 ($mark) must be the output of Journal::mark() or bloom mark
mark: an on-demand filter, a reverse index, a map or a filter of another system cannot follow a journal (build it without a mark)
Bloom\Journal::add(): Argument #1 ($keys) must contain only values of type string|int, float given at position 1
Bloom\Journal::add(): Argument #1 ($keys) must be of type string|int|iterable, null given
Bloom\Journal::add(): Argument #1 ($keys) must contain only keys of at most 1048460 bytes, 1048576 given: a journal stores whole keys
