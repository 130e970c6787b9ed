--TEST--
The store keeps the last `retain` versions with all their chunks, and nothing else, also if publishers are killed or the store fails at any call
--DESCRIPTION--
fault: collect-killed
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_retain
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Blob;

// Each version shares most chunks with the others and has some of its own.
$blobs = array_map(fn (int $number) => chunked([...keys('k', 5000), ...keys("v$number", 3)], builtAt: 1_700_000_000 + $number), range(0, 9));
$sums = array_map(fn (Blob $blob): string => $blob->info()->checksum, $blobs);
$numbers = array_flip($sums);
$publish = fn (ScriptedStore $store, int $number, int $retain = 3) => $blobs[$number]->publish($store, 'booth', retain: $retain)['warning'];
/** Returns the numbers of the versions that the store lists; the ones that hosts serve are in brackets. */
$list = fn (ScriptedStore $store): string => implode(' ', array_map(
    fn ($one) => $one->isServed ? "[{$numbers[$one->checksum]}]" : $numbers[$one->checksum],
    Blob::versions($store, 'booth')
));
/** Checks that the store has all chunks of these versions, and no other chunk. */
$has = function (ScriptedStore $store, array $numbers, string $when, bool $exactly = true) use ($blobs): void {
    $needed = array_unique(array_merge(...array_map(fn (int $number) => chunk_keys($blobs[$number], 'booth'), $numbers)));
    check(array_diff($needed, $store->chunks('booth')) === [], "$when: chunks are missing");
    check(!$exactly || array_diff($store->chunks('booth'), $needed) === [], "$when: chunks are left");
};

echo "-- retain\n";
foreach ([1, 2, 3, 5] as $retain) {
    $store = new ScriptedStore;
    foreach (range(0, 6) as $number) {
        check($publish($store, $number, $retain) === null, 'no warning');
        $has($store, range(max(0, $number - $retain + 1), $number), "retain $retain, version $number");
    }
    echo "$retain: ", $list($store), "\n";
}
check($publish($store, 7, 2) === null, 'lowered');
$has($store, [6, 7], 'lowered');
echo 'lowered: ', $list($store), "\n";
check($publish($store, 7, 1) === null, 'the same version again, with fewer');
$has($store, [7], 'the same again');
echo 'the same again: ', $list($store), "\n";
foreach ([0, -1, 101] as $retain) {
    echo thrown(fn () => $publish($store, 8, $retain)), "\n";
}

echo "-- labels\n";
$store = new ScriptedStore;
array_map(fn (int $number) => $publish($store, $number), [0, 1, 2]);
echo json_encode(array_map(fn ($one) => $one->label, Blob::versions($store, 'booth'))), "\n";

echo "-- rolled back to the oldest, and again, and then published\n";
Blob::rollback($store, 'booth', $sums[0]);
echo $list($store), "\n";
Blob::rollback($store, 'booth');
echo $list($store), "\n";
Blob::rollback($store, 'booth', $sums[1]);
echo $list($store), "\n";
echo thrown(fn () => Blob::rollback($store, 'booth', $sums[2])), "\n", thrown(fn () => Blob::rollback($store, 'booth', 'x')), "\n";
Blob::rollback($store, 'booth', $sums[0]);
$publish($store, 3);
echo $list($store), "\n";
$has($store, [3, 0, 1], 'rolled back');

echo "-- a pinned version leaves the list\n";
Blob::pin($store, 'booth', $sums[0]);
array_map(fn (int $number) => $publish($store, $number), [4, 5, 6]);
echo $list($store), "\n";
$has($store, [0, 4, 5, 6], 'pinned');
Blob::unpin($store, 'booth');
echo $list($store), "\n";
$has($store, [0, 4, 5, 6], 'unpinned');
$publish($store, 7);
echo $list($store), "\n";
$has($store, [5, 6, 7], 'after the pin');
Blob::pin($store, 'booth', $sums[5]);
array_map(fn (int $number) => $publish($store, $number), [8, 9]);
Blob::pin($store, 'booth', $sums[9]);
echo $list($store), "\n";

echo "-- an old version again\n";
$store = new ScriptedStore;
array_map(fn (int $number) => $publish($store, $number), [0, 1, 2, 0, 1]);
echo $list($store), "\n";
$has($store, [0, 1, 2], 'an old version again');

echo "-- killed, or refused by the store, at each call\n";
foreach (['killed', 'fails', 'down'] as $fault) {
    $outcomes = [];
    for ($step = 1, $calls = 1; $calls >= $step - 1 && $step < 100; $step++) {
        $store = new ScriptedStore;
        array_map(fn (int $number) => $publish($store, $number), [0, 1, 2, 3]);
        Blob::rollback($store, 'booth', $sums[1]);
        $calls = 0;
        $store->script = function () use (&$calls, $step, $fault) {
            $calls++;
            $isFault = $fault === 'down' ? $calls >= $step : $calls === $step;
            return !$isFault ? null : ($fault === 'killed' ? Fiber::suspend() : throw new DomainException('down'));
        };
        $fiber = new Fiber(fn () => thrown(fn () => $publish($store, 5)));
        $fiber->start();
        $killed[] = $fiber; // it is never resumed
        $store->script = null;
        $said = $list($store);
        $outcomes[$said] = ($outcomes[$said] ?? 0) + 1;
        $found = Blob::versions($store, 'booth', verify: true);
        foreach ($found as $i => $one) {
            check($one->missingChunks === 0 || ($i >= 3 && !$one->isServed), "$fault, step $step: version $i is complete: $said");
        }
        $store->values['booth:publisher'] = '';
        array_map(fn (int $number) => $publish($store, $number), [6, 7, 8]);
        echo $list($store) === '[8] 7 6' ? '' : "$fault, step $step: {$list($store)}\n";
        // A killed publisher may leave chunks that it has written before it took the lock.
        $has($store, [6, 7, 8], "$fault, step $step", str_contains($said, '5'));
    }
    echo "$fault: ", json_encode($outcomes), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- retain
1: [6]
2: [6] 5
3: [6] 5 4
5: [6] 5 4 3 2
lowered: [7] 6
the same again: [7]
ValueError: Bloom\Blob::publish(): Argument #6 ($retain) must be between 1 and 100
ValueError: Bloom\Blob::publish(): Argument #6 ($retain) must be between 1 and 100
ValueError: Bloom\Blob::publish(): Argument #6 ($retain) must be between 1 and 100
-- labels
["current","previous","earlier"]
-- rolled back to the oldest, and again, and then published
2 1 [0]
2 1 [0]
2 [1] 0
Bloom\StoreException: version 169a70e78b21711d: missing from the store
ValueError: Bloom\Blob::rollback(): Argument #3 ($checksum) must be a version's checksum of 16 hexadecimal digits
[3] 0 1
-- a pinned version leaves the list
6 5 4 [0]
[6] 5 4 0
[7] 6 5
[9] 8 7 5
-- an old version again
[1] 0 2
-- killed, or refused by the store, at each call
killed: {"3 2 [1]":17,"3 [1] 2":1,"[5] 1 2 3":7,"[5] 1 2":3}
fails: {"3 2 [1]":17,"3 [1] 2":1,"[5] 1 2":6,"[5] 1 2 3":4}
down: {"3 2 [1]":17,"3 [1] 2":1,"[5] 1 2 3":7,"[5] 1 2":3}
