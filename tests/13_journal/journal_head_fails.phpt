--TEST--
A published version that cannot be loaded keeps no host from the journal of the served version, and is tried again after growing pauses
--DESCRIPTION--
fault: unloadable-version
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_head_fails
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal, Status, SyncResult};

Clock::own();
Clock::stop(); // no pause ends because the machine is busy

/** Adds a key as another host does: only to the store. The records were written while this host served nothing. */
$other = new ArrayJournalStore();
foreach (range(1, 20) as $i) {
    (new Journal('tags', $other))->add("other $i");
}
$records = array_values(preg_grep('/other/', $other->journals['tags:journal'][1]));
$store = new ArrayJournalStore();
$add = fn (int $i): ?string => $store->append('tags:journal', [$records[$i - 1]]);
$journal = new Journal('tags', $store);
$blob = null;
$publish = function (string $key, float $at) use ($store, $journal, &$blob): array {
    $builder = new Builder(1000, seed: 1);
    $builder->add($key);
    $before = array_keys($store->values);
    $blob = $builder->build(builtAt: $at, mark: $journal->mark());
    $blob->publish($store, 'tags');
    return array_values(array_diff(array_keys($store->values), $before, ['tags', 'tags:versions', 'tags:publisher']));
};
$sync = function (float $ttl = 0.001) use ($store): string {
    usleep(2000); // the ttl
    $store->calls = [];
    try {
        $result = Filter::sync('tags', $store, $ttl)->name;
    } catch (Bloom\BloomException $thrown) {
        $result = Status::from($thrown->getCode())->name;
    }
    return "$result: " . implode(' ', $store->calls);
};
/** Ends the pause of the version, as time does. */
$end_pause = function (): void {
    $file = fopen(in_segment('tags/control'), 'r+');
    fseek($file, 824); // load_retry_ms
    fwrite($file, pack('P', 1));
};
$paused_for = fn (): int => unpack('P', file_get_contents(in_segment('tags/control')), 824)[1] - intdiv(hrtime(true), 1_000_000);

$publish('first', 1e9);
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');
$chunk = $publish('second', 1e9 + 1)[0];
unset($store->values[$chunk]);

// The journal is read first. The chunk is fetched once, although the head is read again to see whether it has changed.
$add(1);
echo $sync(), "\n";
check($tags->mightContain('other 1') && !$tags->mightContain('absent'), 'the key is found after a failed load');
$info = $tags->info();
echo "$info->syncFailures of $info->syncs syncs, $info->loadFailures loads failed: $info->loadError; ", json_encode($info->lastError), "\n";

// During the pause, only the journal is read.
$add(2);
echo $sync(), "\n";
check($tags->mightContain('other 2') && !$tags->mightContain('absent'), 'the key is found during the pause');
check(Journal::pull($store, ['tags']) === [], 'a pull does not ask for a sync during the pause');

// Each pause is twice as long as the one before, a quarter more or less.
foreach ([2000, 4000, 8000, 16_000] as $i => $pause) {
    $end_pause();
    $add(3 + $i);
    check(Journal::pull($store, ['tags']) === ['tags'], 'a pull asks for a sync after the pause');
    check(str_starts_with($sync(), 'StoreMissing: read getMultiple getMultiple getMultiple'), 'tried again');
    check($paused_for() <= $pause * 1.25 && $paused_for() >= $pause * 0.75, "pause $pause: " . $paused_for());
    check($tags->mightContain('other ' . 3 + $i), 'found');
}
$health = Filter::health('tags');
echo $health->status->name, ': ', implode('; ', $health->reasons), "\n";

// A ttl of 0 tries at once.
echo $sync(0), "\n";

// A publish that writes missing chunks again appends a notice, which ends the pause. One that finds all chunks does not.
check($sync() === 'Paused: read', 'the pause goes on');
$ends = fn (): int => count($store->journals['tags:journal'][1]);
$before = $ends();
$blob->publish($store, 'tags');
check($ends() === $before + 1, 'a notice');
$blob->publish($store, 'tags');
check($ends() === $before + 1, 'no second notice');
echo $sync(), "\n";
check($tags->info()->builtAt === 1e9 + 1 && $tags->info()->loadFailuresInRow === 0 && Filter::health('tags')->reasons === [], 'loaded');
unset($store->values[$publish('third', 1e9 + 2)[0]]);
echo $sync(), "\n", $sync(), "\n";
$publish('fourth', 1e9 + 3);
echo $sync(), "\n";
check($tags->mightContain('fourth') && $tags->info()->builtAt === 1e9 + 3, 'another version is loaded at once');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
StoreMissing: read getMultiple getMultiple getMultiple
0 of 2 syncs, 1 loads failed: a chunk: missing from the store; null
Paused: read
Critical: 5 loads of the published version failed in a row, so an older one is served: a chunk: missing from the store
StoreMissing: read getMultiple getMultiple getMultiple
Switched: read getMultiple getMultiple read read
StoreMissing: read getMultiple getMultiple getMultiple
Paused: read
Switched: read getMultiple getMultiple read read

