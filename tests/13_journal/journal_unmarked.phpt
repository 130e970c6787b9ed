--TEST--
No key can be added that no host would find: versions without a mark, ended, lost and rolled back journals
--DESCRIPTION--
fault: add-before-version, no-mark
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_unmarked
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Blob, Builder, DirectoryStore, Filter, Journal, JournalStore, Status, Store};

/** Builds a blob. The builds are a second apart.
 *
 * @param bool $isLate the blob is built after the records that the journal has so far */
function build(array $keys, ?string $mark = null, bool $isLate = false): Blob
{
    static $time = 1e9;
    $time = $isLate ? max($time, microtime(true)) : $time;
    $builder = new Builder(1000, seed: 1);
    $builder->addMany($keys);
    return $builder->build(builtAt: ++$time, mark: $mark);
}

/** Shows what a call throws, with the words that name its remedy. */
function refused(string $what, callable $call, Status $status, string $remedy): void
{
    try {
        $call();
        echo "$what: NOT REFUSED\n";
    } catch (Throwable $thrown) {
        check(get_class($thrown) === 'Bloom\KindException' && $thrown->getCode() === $status->value
            && str_contains($thrown->getMessage(), $remedy), "$what: " . get_class($thrown) . ': ' . $thrown->getMessage());
    }
}

/** @return list<int> the kinds of the records in a journal */
function kinds(JournalStore $store, string $name): array
{
    $start = explode('-', $store->last("$name:journal")[0])[0] . '-0-0000000000000000';
    $records = $store->read(["$name:journal" => $start], PHP_INT_MAX)["$name:journal"] ?? [];
    return array_map(fn (string $record): int => unpack('V', $record, 8)[1], array_values($records));
}

const MARK = "take (new Journal(\$name, \$store))->mark()";
const CLOSED = 'take a mark with Journal::mark() or bloom mark';

/** Checks what holds in each store. $lose loses the journal of a filter. */
function try_store(JournalStore $store, callable $lose): void
{
    $add = fn (string $key, string $name) => (new Journal($name, $store))->add($key);
    $closed = fn (string $what, string $name) => refused($what, fn () => $add('refused', $name), Status::JournalClosed, CLOSED);
    $serves = function (string $name, string ...$keys) use ($store): void {
        Filter::sync($name, $store, 0);
        check(Filter::open($name)->candidates($keys) === $keys, "$name: finds " . implode(' ', $keys));
        check(!Filter::open($name)->mightContain('refused'), "$name: refused nothing");
        Filter::drop($name);
    };

    // A published version that never had a journal.
    build(['old'])->publish($store, 'plain');
    $closed('a version without a mark', 'plain');
    check($store->missing(['plain:journal']) === ['plain:journal'], 'publishing and refusing create no journal');
    build(['old', 'new'])->publish($store, 'plain');

    // A site begins to add before its first build.
    check($add('early', 'first') === 1 && $add('earlier', 'first') === 1 && kinds($store, 'first') === [5, 1, 1], 'before the first version');
    refused('a first version without a mark', fn () => build(['early'])->publish($store, 'first'), Status::MarkRequired, MARK);
    check($store->missing(['first']) === ['first'], 'nothing was published');
    build(['old', 'early', 'earlier'], (new Journal('first', $store))->mark())->publish($store, 'first');
    $add('later', 'first');
    $serves('first', 'old', 'early', 'earlier', 'later');

    // A build forgets its mark.
    refused('a later version without a mark', fn () => build(['old'])->publish($store, 'first'), Status::MarkRequired, 'endJournal or --end-journal');
    $serves('first', 'old', 'early', 'earlier', 'later');
    check($add('and later', 'first') === 1, 'the journal is open as before');

    // The journal ends only with a blob that has its keys.
    $stale = build(['old', 'early', 'earlier', 'later']);
    refused('a blob that lacks a key', fn () => $stale->publish($store, 'first', endJournal: true), Status::BlobLacks, 'read the keys again');
    $closed('after the end', 'first');
    $serves('first', 'later', 'and later');
    foreach ([true, false] as $end) {
        refused('the same blob', fn () => $stale->publish($store, 'first', endJournal: $end), Status::BlobLacks, 'read the keys again');
    }
    check(build(['old', 'and later', 'since'], isLate: true)->publish($store, 'first', endJournal: true)['warning'] === null, 'the keys were read again');
    $closed('after a version without a mark', 'first');
    $serves('first', 'old', 'and later', 'since');
    $before = kinds($store, 'first');
    check(build(['old', 'next'])->publish($store, 'first')['warning'] === null && kinds($store, 'first') === $before, 'the next version needs no option');

    // A mark begins the journal again, at once, because keys are added while the blob is built.
    $mark = (new Journal('first', $store))->mark();
    check($add('while building', 'first') === 1 && (new Journal('first', $store))->mark() !== $mark, 'keys are added again');
    refused('a version without a mark during the build', fn () => build(['old'])->publish($store, 'first'), Status::MarkRequired, MARK);
    build(['old'], $mark)->publish($store, 'first');
    $serves('first', 'old', 'while building');
    check($add('after it', 'first') === 1, 'and stays open');

    // The journal ends in one step if the blob has all keys, and while a marked version is built.
    $mark = (new Journal('first', $store))->mark();
    $add('during', 'first');
    build(['old', 'while building', 'after it', 'during'])->publish($store, 'first', endJournal: true);
    $closed('ended in one step', 'first');
    build(['old'], $mark)->publish($store, 'first');
    check($add('again', 'first') === 1, 'the marked version begins the journal again');
    $serves('first', 'old', 'during', 'again');

    // A rollback and a pin to a version without a mark end the journal; what ends them begins it again.
    build(['old'])->publish($store, 'back');
    build(['old', 'new'], (new Journal('back', $store))->mark())->publish($store, 'back');
    $add('lost by the rollback', 'back');
    Blob::rollback($store, 'back');
    $closed('rolled back', 'back');
    $serves('back', 'old');
    Blob::unpin($store, 'back');
    check($add('unpinned', 'back') === 1, 'after unpin');
    $serves('back', 'new', 'lost by the rollback', 'unpinned');
    Blob::rollback($store, 'back');
    Blob::pin($store, 'back');
    build(['old', 'corrected'], (new Journal('back', $store))->mark())->publish($store, 'back');
    $closed('pinned', 'back');
    Blob::unpin($store, 'back');
    $add('after all', 'back');
    $serves('back', 'corrected', 'after all');

    // A rollback and an unpin to a version without a mark fail if they cannot end the journal.
    if ($store instanceof ArrayJournalStore) {
        $ends = function (string $what, callable $call, string $before) use ($store, $add, $closed, $serves): void {
            $store->before['append'] = function () use ($store): void {
                unset($store->before['append']);
                throw new RuntimeException('the append fails');
            };
            check(str_contains(thrown($call), 'the append fails'), "$what fails");
            $add("before the $what", 'ends');
            $serves('ends', $before, "before the $what");
            $call();
            $closed($what, 'ends');
            $serves('ends', 'old');
        };
        build(['old'])->publish($store, 'ends');
        build(['old', 'new'], (new Journal('ends', $store))->mark())->publish($store, 'ends');
        $ends('rollback', fn () => Blob::rollback($store, 'ends'), 'new');
        Blob::unpin($store, 'ends');
        Blob::pin($store, 'ends');
        build(['old', 'before the rollback'], isLate: true)->publish($store, 'ends', endJournal: true);
        (new Journal('ends', $store))->mark();
        $ends('unpin', fn () => Blob::unpin($store, 'ends'), 'new');
    }

    // health() tells what the host knows, and what the store knows.
    build(['old'])->publish($store, 'health');
    $elsewhere = new ArrayJournalStore();
    (new Journal('health', $elsewhere))->add('elsewhere'); // a record of another host, which does not serve the filter yet
    Filter::sync('health', $store, 0);
    $judge = fn (?Store $store = null): string => implode('; ', ($health = Filter::health('health', store: $store))->reasons) ?: $health->status->value;
    check($judge($store) === 'ok', 'a filter without a journal: ' . $judge($store));
    $mark = (new Journal('health', $store))->mark();
    check($judge($store) === 'ok', 'no key is missing yet: ' . $judge($store));
    $store->append('health:journal', [$elsewhere->journals['health:journal'][1][2]]);
    check($judge() === 'ok' && str_starts_with($judge($store), 'keys are added to the filter\'s journal, but the served version does not follow it'), $judge($store));
    $add('here', 'health');
    $add('here, too', 'health');
    check(Filter::health('health')->status->value === 'critical' && str_starts_with($judge(), '2 keys were added to the filter\'s journal, but'), $judge());
    refused('health', fn () => build(['old'])->publish($store, 'health'), Status::MarkRequired, MARK);
    build(['old'], $mark)->publish($store, 'health');
    Filter::sync('health', $store, 0);
    check($judge() === 'ok' && $judge($store) === 'ok' && $add('followed', 'health') === 1 && $judge() === 'ok', $judge($store));
    $serves('health', 'here', 'elsewhere', 'followed');

    // The store loses the journal.
    build(['old'], (new Journal('lost', $store))->mark())->publish($store, 'lost');
    $add('key', 'lost');
    $lose('lost:journal');
    $closed('a lost journal', 'lost');
    refused('no mark after a loss', fn () => build(['old'])->publish($store, 'lost'), Status::MarkRequired, MARK);
    build(['old', 'key'], (new Journal('lost', $store))->mark())->publish($store, 'lost');
    $add('found', 'lost');
    $serves('lost', 'old', 'key', 'found');

    try {
        build(['old'], (new Journal('lost', $store))->mark())->publish($store, 'lost', endJournal: true);
    } catch (ValueError $thrown) {
        echo $thrown->getMessage(), "\n";
    }
}

$files = own_file('store');
mkdir($files, 0777, true);
try_store(new DirectoryStore($files), fn (string $journal) => unlink("$files/$journal"));
$memory = new ArrayJournalStore();
try_store($memory, function (string $journal) use ($memory): void { unset($memory->journals[$journal]); });
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\Blob::publish(): Argument #5 ($endJournal) must be false for a blob with a mark, because hosts follow the journal of such a blob
Bloom\Blob::publish(): Argument #5 ($endJournal) must be false for a blob with a mark, because hosts follow the journal of such a blob
