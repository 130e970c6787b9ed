--TEST--
A sync replaces a served file that was overwritten, and fetches only the damaged chunks
--DESCRIPTION--
fault: loaded-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_damaged
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Filter};

$old = chunked(keys('old', 5000), builtAt: 1);
$new = chunked([...keys('old', 5000), 'new-2'], builtAt: 2);
$store = new ScriptedStore;
$old->publish($store, 'booth');
Filter::sync('booth', $store);

/** Returns how many of the old keys the filter finds. */
$found = fn (): int => count(Filter::open('booth')->candidates(keys('old', 5000)));
/** Returns the number of fetched chunks. */
$fetched = fn (): string => implode(', ', preg_grep('/^get/', explode(', ', $store->takeLog())));
$path = fn (): string => in_segment('booth/') . current(preg_grep('/bloom$/', scandir(in_segment('booth'))));

$overwrite = function (string $path, int $at) {
    $file = fopen($path, 'r+');
    fseek($file, $at);
    fwrite($file, str_repeat("\0", 3000));
    fclose($file);
};
$damages = [
    'overwritten' => $overwrite,
    'punched' => fn (string $path, int $at) => shell_exec('fallocate --punch-hole --offset ' . $at . ' --length 3000 ' . escapeshellarg($path)),
];
foreach ($damages as $name => $damage) {
    foreach (['a sync' => false, 'a forced one' => true] as $which => $force) {
        $damage($path(), filesize($path()) - 3000);
        check($found() < 5000, "$name: the damage hides some keys");
        echo "$name: ", preg_replace('~^.*/~', '…/', preg_replace('/shard \d+/', 'shard N', thrown(fn () => Blob::open($path())))), "\n";
        $store->takeLog();
        check(switched(Filter::sync('booth', $store, 0, $force)), 'the sync replaces the damaged file');
        echo "$which: ", $fetched(), ', ', $found(), " keys\n";
        check(!switched(Filter::sync('booth', $store, 0, $force)), 'the next sync changes nothing');
    }
}

// The head in the file is damaged. A worker still uses the copy that it made when it mapped the file.
$overwrite($path(), 520);
check(switched(Filter::sync('booth', $store, 0)), 'a damaged head is replaced');
echo 'head: ', $found(), " keys\n";

$overwrite($path(), filesize($path()) - 3000);
$new->publish($store, 'booth');
$store->takeLog();
check(switched(Filter::sync('booth', $store, 0)), 'the sync loads the next version');
echo 'the next version: ', $fetched(), ', ', $found(), " keys\n";
$info = Filter::open('booth')->info();
echo $info->damages, ' times, ', preg_replace('/\d+/', 'N', $info->lastError), "\n";
check($info->damagedAt >= $info->loadedAt - 60 && $info->damagedAt <= $info->loadedAt,
    'info() reports when the damage was found');
check($info->syncFailures === 0, 'no sync is counted as failed');

// The store fails, so the sync withdraws the damaged version and has no other one.
$booth = Filter::open('booth');
$overwrite($path(), filesize($path()) - 3000);
$store->script = fn () => throw new RuntimeException('down');
check(thrown(fn () => Filter::sync('booth', $store, 0), class: true) === Bloom\StoreException::class, 'the sync fails');
check($booth->mightContain('absent') && !$booth->isComplete(), 'every answer is maybe');
check(!$booth->followsJournal() && $booth->source() === null, 'nothing is known about a version that is not mapped');
$store->script = null;
check(switched(Filter::sync('booth', $store, 0)) && $booth->isComplete() && $booth->source() === '', 'the next sync mends it');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
overwritten: …/0000000000000001.bloom: shard N: the shard's checksum does not match
a sync: get 2, get 3, 5000 keys
overwritten: …/0000000000000003.bloom: shard N: the shard's checksum does not match
a forced one: get 2, get 3, 5000 keys
punched: …/0000000000000005.bloom: shard N: the shard's checksum does not match
a sync: get 2, get 3, 5000 keys
punched: …/0000000000000007.bloom: shard N: the shard's checksum does not match
a forced one: get 2, get 3, 5000 keys
head: 5000 keys
the next version: get 2, get 4, 5000 keys
6 times, the served file is damaged: shard N: the shard's checksum does not match
