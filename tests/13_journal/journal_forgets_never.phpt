--TEST--
A wrong answer of a store, a replica that lags, a lost head or a damaged file cause no notice of a loss, and no host denies a key
--DESCRIPTION--
fault: store-forgets
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_forgets_never
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal};

/** A store whose reads of journals can be replaced. */
class UnfaithfulStore extends ArrayJournalStore
{
    /** @var (callable(array<string, string>): (array<string, mixed>|null))|null */
    public $answer = null;
    public function read(array $positions, int $limit): array
    {
        return ($this->answer !== null ? ($this->answer)($positions) : null) ?? parent::read($positions, $limit);
    }
}

$store = new UnfaithfulStore();
$journal = new Journal('tags', $store);
$builtAt = 1e9;
$all = ['old'];
$notices = fn (): int => count(array_filter($store->journals['tags:journal'][1], fn (string $record): bool => unpack('V', $record, 8)[1] === 3));
$publish = function (int $seed = 1) use ($store, $journal, &$all, &$builtAt): void {
    $mark = $journal->mark();
    $builder = new Builder(1000, seed: $seed);
    $builder->addMany($all);
    $builder->build(builtAt: ++$builtAt, mark: $mark)->publish($store, 'tags', retain: 2);
};
$publish();
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');
$holds = function (string $what, int $expected = 0) use ($tags, $notices, &$all): void {
    check($tags->candidates($all) === $all, "$what: all keys are found");
    check($notices() === $expected, "$what: $expected notices, {$notices()} found");
};
$sync = function () use ($store): void {
    try {
        Filter::sync('tags', $store, 0);
    } catch (Bloom\StoreException) {
        // the store's answers contradict each other
    }
};
$journal->add($all[] = 'read');
Filter::sync('tags', $store, 0);

// "The journal does not have this position", once: as the first, second and each later answer of a sync.
foreach (range(0, 6) as $wrong) {
    $asked = 0;
    $store->answer = fn (array $positions): ?array => $asked++ === $wrong ? array_fill_keys(array_keys($positions), null) : null;
    $sync();
    $holds("answer $wrong is null");
    $asked = 0;
    $store->answer = fn (array $positions): ?array => $asked++ === $wrong ? array_fill_keys(array_keys($positions), []) : null;
    $sync();
    $holds("answer $wrong is empty");
    $store->answer = null;
    $sync();
    $holds("after answer $wrong");
}

// Reads come from a replica that lags behind this host, appends go to the primary.
$replica = clone $store;
$journal->add($all[] = 'not replicated');
Filter::sync('tags', $store, 0);
$store->answer = fn (array $positions): array => $replica->read($positions, 1 << 20);
foreach (range(1, 3) as $i) {
    $sync();
    $holds("a replica lags, sync $i");
}
$journal->add($all[] = 'not replicated either');
$sync();
$holds('a replica lags behind a record of this host');
$store->answer = null;
$sync();
$holds('the replica has caught up');

// The head is lost, or older.
$heads = $store->values;
$store->values = [];
$sync();
$holds('the head is missing');
$store->values = $heads;

// A loss, while the journal's end moves at each read.
$saved = $store->journals;
$journal->add($all[] = 'lost');
Filter::sync('tags', $store, 0);
$store->journals = $saved;
$store->answer = function () use ($store): ?array {
    static $left = 5;
    if ($left-- > 0) {
        $store->journals['tags:journal'][1][++$store->journals['tags:journal'][2]] = $store->journals['tags:journal'][1][1];
    }
    return null;
};
$sync();
$store->answer = null;
$sync();
check($notices() <= 1, 'at most one notice');
$holds('the end moves', $notices());

// The next version has another seed, so that the keys cannot be copied: maybe, until another one.
$publish(2);
$sync();
$holds('another seed', $notices());
$publish(3);
$sync();
$holds('yet another seed', $notices());
check(!$tags->mightContain('absent') && !$tags->info()->journal->mayLackKeys, 'the host has recovered');

// A host without the right to append keeps its keys, and follows new versions.
$saved = $store->journals;
$journal->add($all[] = 'lost again');
Filter::sync('tags', $store, 0);
$store->journals = $saved;
$store->before['append'] = fn () => throw new RuntimeException('NOPERM');
$before = $notices();
$sync();
$holds('appends are refused', $before);
check($tags->info()->journal->recordsLost && str_contains($tags->info()->lastError, 'lost journal records'), 'the loss is reported');
unset($store->before['append']);
$publish(3);
$sync();
$holds('the next version'); // it has trimmed the earlier notice
check(!$tags->mightContain('absent') && !$tags->info()->journal->recordsLost, 'the next version ends the report');

// The served file is damaged, and the store has lost the newest keys.
$saved = $store->journals;
$journal->add($all[] = 'lost and damaged');
Filter::sync('tags', $store, 0);
$store->journals = $saved;
$file = glob(in_segment('tags/*.bloom'))[0];
chmod($file, 0600);
$bytes = file_get_contents($file);
$stream = fopen($file, 'r+');
fseek($stream, strlen($bytes) - 100);
fwrite($stream, ~substr($bytes, -100, 1));
fclose($stream);
Filter::sync('tags', $store, 0, force: true);
$holds('the file is damaged', 1);
check($tags->info()->damages > 0, 'the damage was found');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
