--TEST--
DirectoryStore syncs each file before its rename and each rename before the next, and a crash at any step leaves a complete version
--DESCRIPTION--
fault: collect-killed, disk-full, killed-anywhere
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
echo shell_exec('command -v ' . compiler()) ? '' : 'skip no C compiler is installed';
?>
--INI--
bloom.path={TMP}/bloom-store_directory_crash
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, DirectoryStore};

// The library is built beside the tests, because many containers mount the temporary directory with noexec.
$shim = __DIR__ . '/store_directory_crash.so';
compile_library(__DIR__ . '/store_directory_crash.c', $shim);
$directory = own_file('store');
$versions = [1 => chunked(keys('old', 500), 1500, builtAt: 1), chunked(keys('new', 600), 1500, builtAt: 2), chunked(keys('newest', 700), 1500, builtAt: 3)];
foreach ($versions as $i => $blob) {
    $blob->save(own_file("$i.bloom"));
}

/** Publishes a version in a process that dies at step $last_step (0: never). Returns the steps. */
$publish = static function (int $version, int $last_step) use ($directory, $shim): array {
    $before = 'LD_PRELOAD=' . escapeshellarg(rtrim("$shim:" . getenv('LD_PRELOAD'), ':'))
        . ' BLOOM_TEST_BELOW=' . escapeshellarg("$directory") . " BLOOM_TEST_LAST_STEP=$last_step";
    $code = 'Bloom\Blob::open(' . var_export(own_file("$version.bloom"), true) . ')->publish(new Bloom\DirectoryStore(' . var_export($directory, true) . '), "booth"); echo "done";';
    return explode("\n", run($code, [], $before));
};
$fresh = static function (int ...$published) use ($directory, $versions): DirectoryStore {
    remove_tree($directory);
    mkdir($directory, 0700);
    $store = new DirectoryStore($directory);
    foreach ($published as $version) {
        $versions[$version]->publish($store, 'booth');
    }
    return $store;
};

// A file's bytes are synced before it is renamed. The names of all chunks are synced before the head is renamed.
$fresh(1);
$steps = $publish(2, 0);
check(array_pop($steps) === 'done', 'the publish completes');
echo preg_replace('~[0-9a-f]{16}\.tmp~', '{random}.tmp', implode("\n", preg_grep('~/booth:chunks/~', $steps, PREG_GREP_INVERT))), "\n";
$content = $names = []; // synced files
$unsynced = [];
foreach ($steps as $step) {
    preg_match('~^(\w+(?: to)?) (.*)$~', $step, $found);
    [, $what, $path] = $found;
    if ($what === 'write') {
        unset($content[$path]);
    } elseif ($what === 'sync') {
        $content[$path] = true;
        $unsynced = array_filter($unsynced, static fn (string $name): bool => dirname($name) !== ($path === '' ? '/' : $path));
    } elseif ($what === 'make') {
        $unsynced[] = $path;
    } elseif ($what === 'rename to') {
        $temporary = array_key_last($content);
        check(str_starts_with($temporary, "$path.") && str_ends_with($temporary, '.tmp'),
            "$path was synced before it was renamed");
        check($path !== '/booth' || $unsynced === [],
            'chunks and their directories are on disk before the head: ' . implode(' ', $unsynced));
        $unsynced[] = $path;
    }
}
check($unsynced === [], 'all names are on disk in the end: ' . implode(' ', $unsynced));
$chunks = count(preg_grep('~^rename to /booth:chunks/../[0-9a-f]{32}$~', $steps));
check($chunks === count(array_unique(chunk_keys($versions[2], 'booth'))), "$chunks chunks");

// The publish writes chunks, replaces the head and deletes chunks. Killed at any step, it leaves a whole version.
$fresh(1, 2);
$count = count($publish(3, 0)) - 1;
$seen = [];
for ($step = 1; $step <= $count; $step++) {
    $store = $fresh(1, 2);
    $died = $publish(3, $step);
    check(count($died) === $step && !in_array('done', $died, true) || $step === $count,
        "the publisher died at step $step");
    $found = Blob::fetch($store, 'booth')->toString();
    $seen[] = $version = array_search($found, array_map(static fn (Blob $blob) => $blob->toString(), $versions));
    check($version === 2 || $version === 3, "step $step: the store holds a whole version");
    // A publisher waits a second after the end of another one.
    file_put_contents("$directory/booth:publisher", '');
    $versions[3]->publish($store, 'booth');
    check(Blob::fetch($store, 'booth')->toString() === $versions[3]->toString(),
        "step $step: the next publish succeeds");
}
check($seen === [...array_fill(0, array_search(3, $seen), 2), ...array_fill(0, $count - array_search(3, $seen), 3)],
    'early steps leave the old version, later steps the new one: ' . implode('', $seen));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
@unlink(__DIR__ . '/store_directory_crash.so');
?>
--EXPECT--
write /booth:publisher.{random}.tmp
sync /booth:publisher.{random}.tmp
rename to /booth:publisher
sync 
write /booth:staged.{random}.tmp
sync /booth:staged.{random}.tmp
rename to /booth:staged
sync 
write /booth:publisher.{random}.tmp
sync /booth:publisher.{random}.tmp
rename to /booth:publisher
sync 
write /booth:versions.{random}.tmp
sync /booth:versions.{random}.tmp
rename to /booth:versions
sync 
sync /booth:chunks
sync 
write /booth.{random}.tmp
sync /booth.{random}.tmp
rename to /booth
sync 
write /booth:publisher.{random}.tmp
sync /booth:publisher.{random}.tmp
rename to /booth:publisher
sync 
delete /booth:staged
sync /booth:publisher.{random}.tmp
rename to /booth:publisher
sync 
