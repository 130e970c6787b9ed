--TEST--
A served file that somebody writes over is replaced by a forced sync, and the damaged chunks by the next version
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_damaged
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../stores.inc';
use Bloom\{Blob, Filter};

$old = chunked(keys('old', 5000), builtAt: 1);
$new = chunked([...keys('old', 5000), 'new'], builtAt: 2);
$store = new ScriptedStore;
$old->publish($store, 'booth');
Filter::sync('booth', $store);

/** How many of the old keys are found. */
$found = fn (): int => count(Filter::open('booth')->candidates(keys('old', 5000)));
/** Chunks that were fetched. */
$fetched = fn (): string => implode(', ', preg_grep('/^get/', explode(', ', $store->takeLog())));

$damages = [
    'overwritten' => function (string $path, int $at) {
        $file = fopen($path, 'r+');
        fseek($file, $at);
        fwrite($file, str_repeat("\0", 3000));
        fclose($file);
    },
    'punched' => fn (string $path, int $at) => shell_exec('fallocate --punch-hole --offset ' . $at . ' --length 3000 ' . escapeshellarg($path)),
];
foreach ($damages as $name => $damage) {
    $path = segment_path() . '/booth/' . current(preg_grep('/bloom$/', scandir(segment_path() . '/booth')));
    $damage($path, filesize($path) - 3000);
    check($found() < 5000, "$name: keys are lost");
    echo "$name: ", preg_replace('~^.*/~', '…/', preg_replace('/shard \d+/', 'shard N', thrown(fn () => Blob::open($path)))), "\n";
    $store->takeLog();
    check(!Filter::sync('booth', $store, 0), 'the same version');
    echo 'a sync: ', $fetched(), "\n";
    check(Filter::sync('booth', $store, 0, force: true), 'replaced');
    echo 'a forced one: ', $fetched(), ', ', $found(), " keys\n";
    check(!Filter::sync('booth', $store, 0, force: true), 'and not again');
}

$path = segment_path() . '/booth/' . current(preg_grep('/bloom$/', scandir(segment_path() . '/booth')));
$damages['overwritten']($path, filesize($path) - 3000);
$new->publish($store, 'booth');
$store->takeLog();
check(Filter::sync('booth', $store, 0), 'another version');
echo 'the next version: ', $fetched(), ', ', $found(), " keys\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
overwritten: …/0000000000000001.bloom: shard N: the shard's checksum differs
a sync: get 1
a forced one: get 1, get 3, 5000 keys
punched: …/0000000000000002.bloom: shard N: the shard's checksum differs
a sync: get 1
a forced one: get 1, get 3, 5000 keys
the next version: get 1, get 4, 5000 keys
